"""The Rust half of tilebase."""

import os
import pathlib
from collections.abc import Iterator
from typing import Any, Literal, TypeAlias, final, overload

import numpy as np
import numpy.typing as npt

from ._results import Results
from ._types import BoardLike, BoardsLike, GoalLike, ProgressLike, SizeLike

# A property of tables has the same name.
_Bytes: TypeAlias = bytes

__version__: str
__all__ = [
    "Board",
    "LimitReached",
    "Solution",
    "Solver",
    "Table",
    "TableError",
    "UnsolvableError",
    "__version__",
    "_after_fork",
    "branching_factor",
    "generate",
    "heuristic",
    "install_truncation_handler",
    "is_solvable",
    "listed_heuristics",
    "main",
    "neighbours",
    "scramble",
    "tables",
]

class UnsolvableError(ValueError):
    """A board from which the goal cannot be reached. The message says why."""

class LimitReached(Exception):
    """A search that gave up at a limit."""

    at_least: int
    """How many moves every solution has, as far as that is proven."""
    nodes: int
    """How many nodes were generated."""
    seconds: float
    """How long it took."""

class TableError(Exception):
    """A table that is damaged, wrong, or not there."""

@final
class Board:
    """A board: every tile once, and one blank, which is 0."""

    def __new__(cls, board: BoardLike, size: SizeLike | None = None) -> Board: ...
    @property
    def size(self) -> tuple[int, int]: ...
    @property
    def rows(self) -> npt.NDArray[np.uint8]: ...
    @property
    def tiles(self) -> list[int]: ...
    def is_solvable(self, goal: GoalLike | None = None) -> bool: ...
    def why(self, goal: GoalLike | None = None) -> str: ...
    def after(self, moves: str) -> Board: ...
    def neighbours(self) -> dict[str, Board]: ...
    def _repr_svg_(self) -> str: ...
    def __array__(self, dtype: npt.DTypeLike | None = None, copy: bool | None = None) -> npt.NDArray[Any]: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

@final
class Solution:
    """A solution: its moves, and what it took to find them."""

    @property
    def length(self) -> int: ...
    @property
    def metric(self) -> str: ...
    @property
    def moves(self) -> str: ...
    @property
    def tiles(self) -> list[int]: ...
    @property
    def nodes(self) -> int: ...
    @property
    def expanded(self) -> int: ...
    @property
    def seconds(self) -> float: ...
    @property
    def optimal(self) -> bool: ...
    @property
    def at_least(self) -> int: ...
    @property
    def tables(self) -> str: ...
    @property
    def board(self) -> Board: ...
    @property
    def goal(self) -> Board: ...
    def boards(self) -> list[Board]: ...
    def written(self, form: str) -> str: ...
    def _repr_html_(self) -> str: ...
    def __len__(self) -> int: ...
    def __bool__(self) -> bool: ...
    def __iter__(self) -> Iterator[str]: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> tuple[Any, ...]: ...
    @staticmethod
    def _restored(
        board: str,
        goal: str,
        moves: str,
        proof: tuple[bool, int],
        effort: tuple[int, int, float],
        tables: str,
        metric: str = "stm",
    ) -> Solution: ...

@final
class Solver:
    """Solves boards of one size with one goal, by certain tables. Any number of threads may use it at once."""

    def __new__(
        cls,
        tables: str = "auto",
        size: SizeLike | None = None,
        goal: GoalLike | None = None,
        threads: int | None = None,
        *,
        algorithm: str = "ida",
        metric: str = "stm",
        views: str = "all",
        table_dir: str | os.PathLike[str] | None = None,
        max_memory: int | None = None,
        progress: ProgressLike = None,
    ) -> Solver: ...
    @property
    def tables(self) -> str: ...
    @property
    def size(self) -> tuple[int, int]: ...
    @property
    def goal(self) -> Board: ...
    @property
    def metric(self) -> str: ...
    @property
    def threads(self) -> int: ...
    @property
    def patterns(self) -> list[tuple[str, list[list[int]]]]: ...
    def solve(
        self,
        board: BoardLike,
        *,
        time_limit: float | None = None,
        max_nodes: int | None = None,
        weight: float | None = None,
    ) -> Solution: ...
    def all(
        self,
        board: BoardLike,
        *,
        most: int | None = None,
        time_limit: float | None = None,
        max_nodes: int | None = None,
    ) -> list[Solution]: ...
    def count(self, board: BoardLike, *, time_limit: float | None = None, max_nodes: int | None = None) -> int: ...
    def improve(self, board: BoardLike, time_limit: float, *, within: float = 0.0) -> Solution: ...
    @overload
    def solve_many(
        self,
        boards: BoardsLike,
        *,
        moves: Literal[False] = False,
        nodes: Literal[False] = False,
        time_limit: None = None,
        max_nodes: None = None,
        progress: ProgressLike = None,
    ) -> npt.NDArray[np.int16]: ...
    @overload
    def solve_many(
        self,
        boards: BoardsLike,
        *,
        moves: Literal[True],
        nodes: bool = False,
        time_limit: float | None = None,
        max_nodes: int | None = None,
        progress: ProgressLike = None,
    ) -> Results: ...
    @overload
    def solve_many(
        self,
        boards: BoardsLike,
        *,
        moves: bool = False,
        nodes: Literal[True],
        time_limit: float | None = None,
        max_nodes: int | None = None,
        progress: ProgressLike = None,
    ) -> Results: ...
    @overload
    def solve_many(
        self,
        boards: BoardsLike,
        *,
        moves: bool = False,
        nodes: bool = False,
        time_limit: float,
        max_nodes: int | None = None,
        progress: ProgressLike = None,
    ) -> Results: ...
    @overload
    def solve_many(
        self,
        boards: BoardsLike,
        *,
        moves: bool = False,
        nodes: bool = False,
        time_limit: float | None = None,
        max_nodes: int,
        progress: ProgressLike = None,
    ) -> Results: ...
    @overload
    def solve_many(
        self,
        boards: BoardsLike,
        *,
        moves: bool = False,
        nodes: bool = False,
        time_limit: float | None = None,
        max_nodes: int | None = None,
        progress: ProgressLike = None,
    ) -> npt.NDArray[np.int16] | Results: ...
    def heuristic(self, boards: BoardsLike, *, progress: ProgressLike = None) -> npt.NDArray[np.uint8]: ...
    def costs(self, boards: BoardsLike, *, progress: ProgressLike = None) -> npt.NDArray[np.uint8]: ...

@final
class Table:
    """A table in a file, packed or not, or in the package itself: what it says about itself."""

    @staticmethod
    def open(path: str | os.PathLike[str]) -> Table: ...
    @property
    def path(self) -> pathlib.Path | None: ...
    @property
    def packed(self) -> bool: ...
    @property
    def name(self) -> str: ...
    @property
    def pattern(self) -> tuple[int, ...]: ...
    @property
    def size(self) -> tuple[int, int]: ...
    @property
    def encoding(self) -> str: ...
    @property
    def counts(self) -> str: ...
    @property
    def entries(self) -> int: ...
    @property
    def bytes(self) -> int: ...
    @property
    def max(self) -> int: ...
    @property
    def mean(self) -> float: ...
    @property
    def hash(self) -> str: ...
    @property
    def histogram(self) -> npt.NDArray[np.uint64]: ...
    def verify(self, *, threads: int | None = None, progress: ProgressLike = None) -> None: ...
    def audit(self, *, threads: int | None = None, progress: ProgressLike = None) -> None: ...
    def plot(self, ax: Any = None) -> Any: ...
    def _repr_png_(self) -> _Bytes | None: ...

def install_truncation_handler() -> None:
    """Makes this process report tables that are cut short while they are mapped, by an error with the file's name and exit code 2.

    Without it, the signal SIGBUS kills the process when it reads the lost part. It installs a handler of SIGBUS for the whole process, which
    passes other faults on to the handler that was installed before. tilebase never does that unasked. Windows does not let a
    mapped file be cut short; there the function does nothing.
    """

def tables(table_dir: str | os.PathLike[str] | None = None) -> list[Table]:
    """All tables that are there: in the directories where solvers look for them, and in the package."""

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
) -> list[Table]: ...
def scramble(
    count: int,
    size: SizeLike | None,
    goal: GoalLike | None,
    seed: int | None,
    distance: int | None,
    walk: int | None,
    solver: Solver | None,
    progress: ProgressLike,
) -> npt.NDArray[np.uint8]: ...
def is_solvable(boards: BoardsLike, size: SizeLike | None, goal: GoalLike | None) -> npt.NDArray[np.bool_]: ...
def neighbours(
    boards: BoardsLike, size: SizeLike | None
) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.int64]]: ...
def heuristic(
    name: str, boards: BoardsLike, size: SizeLike | None, goal: GoalLike | None, threads: int | None
) -> npt.NDArray[np.uint8]: ...
def branching_factor(size: SizeLike) -> float: ...
def listed_heuristics() -> list[tuple[str, str, str]]: ...
def main(words: list[str]) -> int: ...
def _after_fork() -> None: ...
