"""Lower bounds of many boards are those that a search begins with."""

from __future__ import annotations

import numpy as np
import pytest

import tilebase


def first_bounds(solver: tilebase.Solver, boards: np.ndarray) -> list[int]:
    """What a search begins with: it gives up at its first node, and says what is proven by then."""
    results = solver.solve_many(boards, max_nodes=1)
    return results.at_least.tolist()


@pytest.mark.parametrize("tables", ["6-6-3", "manhattan", "6-6-3+linear-conflict"])
def test_the_bound_of_every_board_is_that_of_the_search(tables):
    boards = tilebase.scramble(6000, seed=1)
    solver = tilebase.Solver(tables)
    expected = first_bounds(solver, boards)
    # A few are walked; from ten thousand on tables are unpacked.
    assert solver.heuristic(boards[:20]).tolist() == expected[:20]
    assert solver.heuristic(boards[:500]).tolist() == expected[:500]
    for _ in range(2):
        assert solver.heuristic(boards).tolist() == expected


def test_costs_of_patterns_add_up_to_bounds_and_never_exceed_lengths():
    boards = tilebase.scramble(6000, seed=2)
    solver = tilebase.Solver("6-6-3")
    costs = solver.costs(boards)
    assert costs.shape == (6000, 2, 3) and costs.dtype == np.uint8
    assert (costs.sum(axis=2).max(axis=1) == solver.heuristic(boards)).all()
    assert (solver.costs(boards[:10]) == costs[:10]).all()
    views = solver.patterns
    assert [len(patterns) for _, patterns in views] == [3, 3]
    for _, patterns in views:
        assert sorted(tile for pattern in patterns for tile in pattern) == list(range(1, 16))
    with pytest.raises(ValueError, match="manhattan has no patterns"):
        tilebase.Solver("manhattan").costs(boards)


def test_one_view_is_a_part_of_all():
    boards = tilebase.scramble(200, seed=7)
    both, one = tilebase.Solver("6-6-3"), tilebase.Solver("6-6-3", views="one")
    assert [view for view, _ in one.patterns] == [view for view, _ in both.patterns][:1]
    assert (one.costs(boards) == both.costs(boards)[:, :1]).all()
    assert (one.heuristic(boards) <= both.heuristic(boards)).all()
    assert (one.heuristic(boards) < both.heuristic(boards)).any()
    with pytest.raises(ValueError, match="views"):
        tilebase.Solver(views="two")


def test_the_branching_factor_of_large_boards_is_that_of_the_literature():
    assert abs(tilebase.branching_factor() - 2.1304) < 1e-4
    assert abs(tilebase.branching_factor("5x5") - 2.3676) < 1e-4
    with pytest.raises(ValueError, match="1x1|size"):
        tilebase.branching_factor((1, 1))


def test_a_pattern_that_is_solved_costs_nothing():
    solver = tilebase.Solver("6-6-3")
    board = np.array([tilebase.Board("1 2 3 4 / 5 6 7 8 / 9 10 11 12 / 13 0 14 15").tiles])
    costs = solver.costs(board)[0]
    for (_, patterns), of_view in zip(solver.patterns, costs, strict=True):
        for pattern, cost in zip(patterns, of_view, strict=True):
            assert cost == len({14, 15} & set(pattern)), pattern


def test_manhattan_distances_are_those_of_a_plain_count():
    boards = tilebase.scramble(500, seed=3)
    squares = np.argsort(boards, axis=1)[:, 1:]
    home = np.arange(15)
    expected = (abs(squares // 4 - home // 4) + abs(squares % 4 - home % 4)).sum(axis=1)
    assert (tilebase.manhattan(boards) == expected).all()
    assert (tilebase.manhattan(boards[:3]) == expected[:3]).all()


def test_every_heuristic_of_the_list_has_a_function_and_keeps_its_promise():
    boards = tilebase.scramble(300, size=(3, 3), seed=4)
    lengths = tilebase.Solver(size=(3, 3)).solve_many(boards)
    listed = tilebase.heuristics()
    assert {"hamming", "manhattan", "linear-conflict", "walking-distance", "blank-aware"} <= set(listed)
    for name, heuristic in listed.items():
        values = heuristic(boards)
        assert values.dtype == np.uint8
        function = getattr(tilebase, name.replace("-", "_"))
        assert (function(boards) == values).all()
        assert heuristic.summary
        if heuristic.promise == "not admissible":
            assert (values > lengths).any()
        else:
            assert (values <= lengths).all(), name
        assert (tilebase.Solver(name, (3, 3)).heuristic(boards) == values).all()


def test_other_goals_and_sizes_have_heuristics_of_their_own():
    boards = tilebase.scramble(100, size="3x4", seed=5, goal="snail")
    values = tilebase.manhattan(boards, size=(3, 4), goal="snail")
    lengths = tilebase.Solver(size=(3, 4), goal="snail").solve_many(boards)
    assert (values <= lengths).all() and (values % 2 == lengths % 2).all()
    with pytest.raises(tilebase.UnsolvableError, match="board 0"):
        tilebase.manhattan(boards, size=(3, 4))


def test_a_bound_that_is_too_large_for_a_byte_is_refused():
    backwards = list(range(23, 0, -1))
    boards = np.array([[0, *backwards], [0, *backwards[:21], 1, 2]])
    far = boards[tilebase.is_solvable(boards, size=(12, 2))]
    assert len(far) == 1
    for count in (1, 100):
        with pytest.raises(OverflowError, match="board 0 is .*255 at most"):
            tilebase.blank_aware(np.repeat(far, count, axis=0), size=(12, 2))


def test_what_has_an_array_is_read_as_that_array():
    boards = tilebase.scramble(100, seed=6)

    class Foreign:
        def __array__(self, dtype=None, copy=None):
            return boards

    assert (tilebase.manhattan(Foreign()) == tilebase.manhattan(boards)).all()


@pytest.mark.parametrize("dtype", ["u1", "i1", "u2", "i2", "u4", "i4", "u8", "i8"])
def test_all_whole_numbers_are_read_as_they_are(dtype):
    boards = tilebase.scramble(100, seed=6)
    expected = tilebase.manhattan(boards)
    typed = boards.astype(dtype)
    wide = np.zeros((200, 40), dtype)
    wide[::2, 3:35:2] = typed
    for array in (typed, np.asfortranarray(typed), wide[::2, 3:35:2], typed[::-1][::-1]):
        assert (tilebase.manhattan(array) == expected).all()
    readonly = typed.copy()
    readonly.flags.writeable = False
    assert (tilebase.manhattan(readonly) == expected).all()
