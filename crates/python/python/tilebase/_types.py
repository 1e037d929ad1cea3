"""What functions take and give, for type checkers. Nothing here is needed while a program runs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias, Union

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from ._tilebase import Board

    BoardLike: TypeAlias = Union[str, Board, Sequence[int], Sequence[Sequence[int]], npt.NDArray[np.integer[Any]]]
    """Anything that looks like a board: a text in any notation, a Board, rows of numbers, one list of them, or an array."""

    BoardsLike: TypeAlias = Union[npt.NDArray[np.integer[Any]], Iterable[BoardLike]]
    """Many boards: an array of whole numbers of the shape (boards, squares), or a list of boards."""

    SizeLike: TypeAlias = Union[str, tuple[int, int], Sequence[int]]
    """A size: (width, height), or a text such as "3x4"."""

    GoalLike: TypeAlias = BoardLike
    """A goal: "blank-last", "blank-first", "snail", or a board."""

    ProgressLike: TypeAlias = Union[bool, Callable[[str, int, int], object], None]
    """True for a bar, or a function that is told what is done, how much of it, and of how much."""
