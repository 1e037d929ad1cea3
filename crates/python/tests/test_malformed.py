"""Whatever is given that is not a board raises a clear exception, and nothing aborts the interpreter."""

from __future__ import annotations

import array
import fractions
import random
from collections.abc import Callable
from decimal import Decimal

import numpy as np
import pytest

import tilebase

SOLVER = tilebase.Solver()
SINGLE: list[Callable[[object], object]] = [tilebase.solve, SOLVER.solve, SOLVER.all, SOLVER.count, tilebase.Board]
MANY: list[Callable[[object], object]] = [
    SOLVER.solve_many,
    SOLVER.heuristic,
    SOLVER.costs,
    tilebase.is_solvable,
    tilebase.neighbours,
    tilebase.manhattan,
    tilebase.walking_distance,
    lambda boards: SOLVER.solve_many(boards, moves=True, max_nodes=1000),
]
GOOD = [5, 1, 2, 4, 9, 6, 3, 8, 13, 10, 7, 12, 0, 14, 11, 15]


class Liar:
    """Says that it is short, and is not."""

    def __len__(self) -> int:
        return 16

    def __getitem__(self, index: int) -> int:
        return index

    def __iter__(self):
        number = 0
        while True:
            yield number
            number += 1


class Failing:
    """Fails whatever is asked."""

    def __len__(self) -> int:
        raise RuntimeError("no length")

    def __getitem__(self, index: int) -> int:
        raise RuntimeError("no items")

    def __repr__(self) -> str:
        raise RuntimeError("not even this")


class Number:
    """A whole number that fails."""

    def __index__(self) -> int:
        raise RuntimeError("no number")


TILES: list[object] = [
    -1, -(2**63), 2**63, 2**64, 10**40, 16, 17, 255, 256, 1.0, 1.5, float("nan"), float("inf"), -0.0, True, None, "1", "x", "", "½",
    "١", "\x00", "\ud800", b"1", [1], (), {}, object(), 1j, Decimal(1), fractions.Fraction(1, 2), np.float32("nan"), np.datetime64(1, "s"),
    Number(), Liar(), Failing(), np.array([1, 2]), np.bool_(True), np.array(3.0),
]  # fmt: skip

SINGLE_THINGS: list[object] = [
    None, 0, 1, -1, 1.5, float("nan"), True, 10**100, "", " ", "/", "///", "0", "1 2 3", "1 2 3 4 5", "a b c d", "\x00", "\ud800 1 2 3",
    "١ ٢ ٣ 0", "🧩", "1 2 / 3", "9" * 10_000, "1 " * 100_000, "(" * 10_000, "{\"board\": 3}", "{", "[[", "nan nan nan 0", [], [[]], [[], []],
    [[1, 2], [3]], [[[1, 2], [3, 0]]], [1, 2, 3], [1] * 16, [0] * 16, list(range(17)), list(range(26)), [GOOD, GOOD], {}, {1: 2}, set(GOOD),
    (tile for tile in GOOD), object(), Exception("x"), print, b"", b"abcd", bytearray(GOOD[:3]), memoryview(b"abc"), array.array("d", [1.0] * 16),
    np.zeros(0), np.zeros(16), np.zeros((4, 4)), np.zeros((4, 4, 4), int), np.array(5), np.array("text"), np.array([None] * 16),
    np.full((4, 4), np.nan), np.full(16, 2**63, np.uint64), np.full(16, -1), np.array(GOOD, dtype=complex), np.ma.masked_array(GOOD, mask=[1] * 16),
    np.zeros(16, dtype="datetime64[s]"), np.zeros(4, dtype=[("a", int), ("b", float)]), Liar(), Failing(), Number(), range(10**12),
    np.broadcast_to(np.uint8(1), (10**9, 16)),
]  # fmt: skip

ARRAYS: list[object] = [
    None, 3, "1 2 3 / 4 5 6 / 7 8 0", tilebase.Board(GOOD), {}, {"a": GOOD}, object(), GOOD, np.array(GOOD), np.zeros((2, 15), int), np.zeros((2, 17), int),
    np.zeros((2, 0), int), np.zeros((1, 4, 4), int), np.zeros((2, 16)), np.full((2, 16), np.nan), np.zeros((2, 16), bool), np.zeros((2, 16), complex),
    np.zeros((2, 16), object), np.full((2, 16), "1"), np.zeros((2, 16), int), np.full((2, 16), -1), np.full((2, 16), 255, np.uint8),
    np.full((2, 16), -128, np.int8), np.full((2, 16), 2**64 - 1, np.uint64), np.full((2, 16), -(2**63)), np.array([GOOD, GOOD[:-1] + [16]]),
    np.array([GOOD], dtype=">i4"), np.array([GOOD], dtype=np.float16), np.array([GOOD]).astype("datetime64[s]"), [GOOD, GOOD[:-1]], [GOOD, None], [GOOD, "x"],
    [[[GOOD]]], [GOOD, 3.5], [float("nan")], np.broadcast_to(np.uint8(1), (10**6, 16)), np.array(5), np.array([]), Failing(), Liar(),
    np.frombuffer(bytes(1 + 8 * 32), np.uint8)[1:].view(np.int64).reshape(2, 16), memoryview(bytes(32)),
]  # fmt: skip


def refused(function: Callable[[object], object], value: object) -> None:
    """What is not a board is refused with words."""
    with pytest.raises((ValueError, OverflowError, RuntimeError)) as caught:
        function(value)
    if caught.type is RuntimeError:
        # That of the object itself is handed on.
        assert str(caught.value) in ("no length", "no items", "no number", "not even this")
        return
    message = str(caught.value)
    assert 10 < len(message) < 700, message
    assert "panicked" not in message


@pytest.mark.parametrize("function", range(len(SINGLE)))
def test_what_is_no_board_is_refused(function):
    for value in SINGLE_THINGS:
        refused(SINGLE[function], value)


@pytest.mark.parametrize("function", range(len(MANY)))
def test_what_are_no_boards_is_refused(function):
    for value in ARRAYS:
        refused(MANY[function], value)


def test_a_thousand_boards_with_a_mistake_are_refused():
    chance = random.Random(17)
    refusals = 0
    while refusals < 1000:
        board: list[object] = list(GOOD)
        kind = chance.randrange(6)
        place = chance.randrange(16)
        if kind == 0:
            board[place] = chance.choice(TILES)
        elif kind == 1:
            board[place] = board[(place + 1 + chance.randrange(15)) % 16]
        elif kind == 2:
            del board[place]
        elif kind == 3:
            board.insert(place, chance.choice([1, 0, 16, *TILES]))
        elif kind == 4:
            rows: list[object] = [board[start : start + 4] for start in range(0, 16, 4)]
            rows[place % 4] = chance.choice([[], [1], None, "1 2 3 4", board, *TILES])
            board = rows
        else:
            text = list(" ".join(map(str, board)))
            at = chance.randrange(len(text))
            text[at] = chance.choice("abcé½١-+e\x00\x1b\u202e()[]{}'\"\\")
            value = "".join(text)
            try:
                if tilebase.Board(value).tiles == GOOD or not tilebase.Board(value).is_solvable():
                    continue
            except ValueError:
                pass
            else:
                continue
            refused(chance.choice(SINGLE), value)
            refusals += 1
            continue
        refused(chance.choice(SINGLE), board)
        refused(chance.choice(MANY), [GOOD, board])
        refusals += 1


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"size": (1, 1)}, ValueError),
        ({"size": (6, 6)}, ValueError),
        ({"size": (-4, 4)}, ValueError),
        ({"size": (4, 4, 4)}, ValueError),
        ({"size": "4x"}, ValueError),
        ({"size": 4}, ValueError),
        ({"size": (4.0, 4.0)}, ValueError),
        ({"size": (2**70, 4)}, ValueError),
        ({"goal": "nowhere"}, ValueError),
        ({"goal": [1, 2, 3]}, ValueError),
        ({"goal": "1 2 / 3 0", "size": (3, 3)}, ValueError),
        ({"tables": "nothing"}, ValueError),
        ({"tables": ""}, ValueError),
        ({"tables": "7-8", "size": (3, 3)}, ValueError),
        ({"tables": 3}, TypeError),
        ({"threads": 0}, ValueError),
        ({"threads": -1}, OverflowError),
        ({"threads": "two"}, TypeError),
        ({"algorithm": "guessing"}, ValueError),
        ({"max_memory": -1}, OverflowError),
    ],
)
def test_wrong_options_are_refused(options, error):
    with pytest.raises(error, match=r"\w+"):
        tilebase.Solver(**options)


@pytest.mark.parametrize(
    "options", [{"time_limit": -1}, {"time_limit": float("nan")}, {"time_limit": 1e300}, {"max_nodes": -1}, {"weight": 0.5}, {"weight": float("nan")}]
)
def test_wrong_limits_are_refused(options):
    with pytest.raises((ValueError, OverflowError), match=r"\w+"):
        SOLVER.solve(GOOD, **options)


@pytest.mark.parametrize("within", [-0.1, float("nan"), float("inf")])
def test_a_wrong_distance_from_the_shortest_is_refused(within):
    with pytest.raises(ValueError, match="within|weight"):
        SOLVER.improve(GOOD, 1.0, within=within)


@pytest.mark.parametrize(("count", "error"), [(-1, OverflowError), (1.5, TypeError), (10**30, OverflowError), (2**62, (MemoryError, ValueError))])
def test_wrong_numbers_of_boards_are_refused(count, error):
    with pytest.raises(error):
        tilebase.scramble(count)
