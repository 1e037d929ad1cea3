"""What is known of many boards."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple, overload

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt


class Moves(Sequence[str]):
    """The moves of many solutions, as a ragged pair of arrays.

    ``directions`` has all moves one after the other, as the letters U, D, L and R in bytes; those of board i are
    ``directions[offsets[i]:offsets[i + 1]]``, and ``moves[i]`` is the same as a text.
    """

    directions: npt.NDArray[np.uint8]
    offsets: npt.NDArray[np.int64]

    def __init__(self, directions: npt.NDArray[np.uint8], offsets: npt.NDArray[np.int64]) -> None:
        self.directions = directions
        self.offsets = offsets

    def __len__(self) -> int:
        return len(self.offsets) - 1

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> list[str]: ...
    def __getitem__(self, index: int | slice) -> str | list[str]:
        if isinstance(index, slice):
            return [self[number] for number in range(*index.indices(len(self)))]
        number = index + len(self) if index < 0 else index
        if not 0 <= number < len(self):
            raise IndexError(f"there are the moves of {len(self)} boards, and none with the number {index}")
        return self.directions[self.offsets[number] : self.offsets[number + 1]].tobytes().decode()

    def __repr__(self) -> str:
        return f"<Moves of {len(self)} boards, {len(self.directions)} in all>"


class Results(NamedTuple):
    """What is known of many boards."""

    lengths: npt.NDArray[np.int16]
    """How many moves a shortest solution has; -1 where a limit was reached."""

    at_least: npt.NDArray[np.int16]
    """How many moves every solution has, as far as that is proven: the length, where there is one."""

    nodes: npt.NDArray[np.uint64]
    """How many nodes the searches generated."""

    moves: Moves | None
    """The moves, if they were asked for; none where a limit was reached."""
