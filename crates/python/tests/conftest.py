"""What the tests share: the published boards, a plain breadth-first search, and the command."""

from __future__ import annotations

import json
import pathlib
import subprocess
import sys
from collections.abc import Callable

import pytest

import tilebase

ROOT = pathlib.Path(__file__).resolve().parents[3]
DATA = ROOT / "crates" / "puzzle" / "data"

Tiles = tuple[int, ...]


@pytest.fixture(scope="session", autouse=True)
def own_tables(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    """Tables of the tests' own: nobody's cache directory is read or written."""
    home = tmp_path_factory.mktemp("home")
    patch = pytest.MonkeyPatch()
    patch.setenv("XDG_CACHE_HOME", str(home))
    patch.setenv("LOCALAPPDATA", str(home))  # what Windows asks
    patch.delenv("TILEBASE_TABLES", raising=False)
    return home


@pytest.fixture(scope="session")
def korf() -> tuple[list[list[int]], list[int]]:
    """Korf's hundred boards of the 15-puzzle, and how many moves each needs."""
    boards, lengths = [], []
    for line in (DATA / "korf15.tsv").read_text().splitlines():
        if not line.startswith("#"):
            fields = line.split("\t")
            boards.append([int(tile) for tile in fields[5].split()])
            lengths.append(int(fields[1]))
    assert len(boards) == 100
    return boards, lengths


@pytest.fixture(scope="session")
def command() -> Callable[..., list[dict[str, object]]]:
    """Runs `tilebase … --json` with boards on stdin, and returns its answers in the order of the boards."""

    def run(*words: str, boards: list[list[int]]) -> list[dict[str, object]]:
        lines = "\n".join(" ".join(map(str, board)) for board in boards)
        program = [sys.executable, "-m", "tilebase", *words, "--json"]
        answers = subprocess.run(program, input=lines, capture_output=True, text=True, check=False)
        assert answers.returncode in (0, 1), answers.stderr
        return sorted((json.loads(line) for line in answers.stdout.splitlines()), key=lambda answer: answer["id"])

    return run


def distances(goal: Tiles, width: int) -> dict[Tiles, int]:
    """How far every board is from a goal, by nothing but moving the blank."""
    found = {goal: 0}
    level = [goal]
    while level:
        following = []
        for board in level:
            for after in moved(board, width):
                if after not in found:
                    found[after] = found[board] + 1
                    following.append(after)
        level = following
    return found


def moved(board: Tiles, width: int) -> list[Tiles]:
    """All boards a move away."""
    blank = board.index(0)
    row, column = divmod(blank, width)
    after = []
    for other_row, other_column in ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)):
        if 0 <= other_row < len(board) // width and 0 <= other_column < width:
            tiles = list(board)
            other = other_row * width + other_column
            tiles[blank], tiles[other] = tiles[other], tiles[blank]
            after.append(tuple(tiles))
    return after


def solver_of(goal: Tiles, width: int, tables: str = "auto") -> tilebase.Solver:
    """A solver for a goal that is given tile by tile."""
    size = (width, len(goal) // width)
    return tilebase.Solver(tables, size, tilebase.Board(list(goal), size))
