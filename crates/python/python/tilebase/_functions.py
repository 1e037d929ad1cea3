"""Functions for those who do not want to open a solver."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from . import _tilebase
from ._tilebase import Board, Solution, Solver, Table, heuristic

if TYPE_CHECKING:
    import os

    import numpy as np
    import numpy.typing as npt

    from ._types import BoardLike, BoardsLike, GoalLike, ProgressLike, SizeLike


@lru_cache(maxsize=16)
def _solver(tables: str, size: tuple[int, int], goal: str | Board, threads: int | None) -> Solver:
    """A solver that was opened before, if it was."""
    return Solver(tables, size, goal, threads)


def solve(
    board: BoardLike,
    *,
    size: SizeLike | None = None,
    goal: GoalLike = "blank-last",
    tables: str = "auto",
    threads: int | None = None,
    time_limit: float | None = None,
    max_nodes: int | None = None,
) -> Solution:
    """A shortest solution of anything that looks like a board.

    A rectangle without rows needs its size, (width, height). The goal is "blank-last", "blank-first" (Korf's), "snail", or a board.
    Limits are for the search: seconds, and generated nodes.

    Raises UnsolvableError when there is no solution, ValueError when it is no board, and LimitReached when a limit is.
    """
    read = Board(board, size)
    goal = goal if isinstance(goal, str) else Board(goal, read.size)
    return _solver(tables, read.size, goal, threads).solve(read, time_limit=time_limit, max_nodes=max_nodes)


def scramble(
    count: int = 1,
    size: SizeLike | None = None,
    seed: int | None = None,
    distance: int | None = None,
    walk: int | None = None,
    *,
    goal: GoalLike = "blank-last",
    progress: ProgressLike = None,
) -> npt.NDArray[np.uint8]:
    """Random boards that can be solved, as an array of the shape (count, squares); of 4x4, when nothing else is said.

    Each is equally likely; with walk, boards are that many random moves from the goal, and so at most that far; with distance, exactly
    that far. The same seed gives the same boards everywhere, those of `tilebase scramble`.
    """
    solver = None
    if distance is not None:
        solver = Solver("auto", size, goal)
    return _tilebase.scramble(count, size, goal, seed, distance, walk, solver, progress)


def is_solvable(
    boards: BoardsLike, *, size: SizeLike | None = None, goal: GoalLike = "blank-last"
) -> npt.NDArray[np.bool_]:
    """Which of many boards can be solved: an array of the shape (boards, squares), or a list of boards."""
    return _tilebase.is_solvable(boards, size, goal)


def neighbours(
    boards: BoardsLike, *, size: SizeLike | None = None
) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.int64]]:
    """All boards that are one move away from each of many, and for each the number of the board that it comes from."""
    return _tilebase.neighbours(boards, size)


def branching_factor(size: SizeLike = (4, 4)) -> float:
    """How many nodes a search tree of boards of a size has at a depth for each at the depth before: the b of eta, the mean of b^-h."""
    return _tilebase.branching_factor(size)


def generate(
    catalogue: str,
    *,
    encoding: str = "bit",
    out: str | os.PathLike[str] | None = None,
    audit: bool = False,
    force: bool = False,
    threads: int | None = None,
    max_memory: int | None = None,
    progress: ProgressLike = None,
) -> list[Table]:
    """Builds the tables of a catalogue, such as "7-8", or of a partition that is drawn, such as ".ABB/AABB/AABB/AABB".

    Tables that are there already are not built again, unless force is True. They go where solvers look for them, or into the directory
    out. With audit, every entry is proved before a table gets its name. Whoever interrupts it leaves only whole tables.
    """
    try:
        return _tilebase.generate(
            catalogue,
            encoding=encoding,
            out=out,
            audit=audit,
            force=force,
            threads=threads,
            max_memory=max_memory,
            progress=progress,
        )
    finally:
        # Whoever solves from now on may have better tables.
        _solver.cache_clear()


def hamming(
    boards: BoardsLike, *, size: SizeLike | None = None, goal: GoalLike = "blank-last", threads: int | None = None
) -> npt.NDArray[np.uint8]:
    """The number of tiles that are not where they belong."""
    return heuristic("hamming", boards, size, goal, threads)


def gaschnig(
    boards: BoardsLike, *, size: SizeLike | None = None, goal: GoalLike = "blank-last", threads: int | None = None
) -> npt.NDArray[np.uint8]:
    """How many moves there would be if any tile could jump to the blank."""
    return heuristic("gaschnig", boards, size, goal, threads)


def euclidean(
    boards: BoardsLike, *, size: SizeLike | None = None, goal: GoalLike = "blank-last", threads: int | None = None
) -> npt.NDArray[np.uint8]:
    """The straight-line distances of all tiles, rounded up."""
    return heuristic("euclidean", boards, size, goal, threads)


def manhattan(
    boards: BoardsLike, *, size: SizeLike | None = None, goal: GoalLike = "blank-last", threads: int | None = None
) -> npt.NDArray[np.uint8]:
    """The distances of all tiles along rows and columns."""
    return heuristic("manhattan", boards, size, goal, threads)


def pair_distance(
    boards: BoardsLike, *, size: SizeLike | None = None, goal: GoalLike = "blank-last", threads: int | None = None
) -> npt.NDArray[np.uint8]:
    """Manhattan distance, and pairs in the wrong order; only the moving tile looks for a partner (Bauer)."""
    return heuristic("pair-distance", boards, size, goal, threads)


def pair_distance_full(
    boards: BoardsLike, *, size: SizeLike | None = None, goal: GoalLike = "blank-last", threads: int | None = None
) -> npt.NDArray[np.uint8]:
    """Manhattan distance, and pairs in the wrong order, all made anew."""
    return heuristic("pair-distance-full", boards, size, goal, threads)


def linear_conflict(
    boards: BoardsLike, *, size: SizeLike | None = None, goal: GoalLike = "blank-last", threads: int | None = None
) -> npt.NDArray[np.uint8]:
    """Manhattan distance, and the fewest tiles that leave a row or column to let others pass."""
    return heuristic("linear-conflict", boards, size, goal, threads)


def corner_tiles(
    boards: BoardsLike, *, size: SizeLike | None = None, goal: GoalLike = "blank-last", threads: int | None = None
) -> npt.NDArray[np.uint8]:
    """Linear conflict, and tiles that make way for the wrong tile in the corner beside them."""
    return heuristic("corner-tiles", boards, size, goal, threads)


def walking_distance(
    boards: BoardsLike, *, size: SizeLike | None = None, goal: GoalLike = "blank-last", threads: int | None = None
) -> npt.NDArray[np.uint8]:
    """Shortest ways of all tiles to their rows, and to their columns, the blank included."""
    return heuristic("walking-distance", boards, size, goal, threads)


def blank_aware(
    boards: BoardsLike, *, size: SizeLike | None = None, goal: GoalLike = "blank-last", threads: int | None = None
) -> npt.NDArray[np.uint8]:
    """Manhattan distance, and the blank's distance from every misplaced tile: may exceed the distance."""
    return heuristic("blank-aware", boards, size, goal, threads)
