"""Lower bounds that need no tables, by name."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ._tilebase import heuristic, listed_heuristics

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from ._types import BoardsLike, GoalLike, SizeLike


@dataclass(frozen=True)
class Heuristic:
    """A lower bound that needs no tables. Call it with many boards."""

    name: str
    """What it is called, such as linear-conflict; a solver takes it as tables."""

    summary: str
    """What it sees, in a line."""

    promise: str
    """What is known of its values: consistent, admissible, or not admissible."""

    def __call__(
        self,
        boards: BoardsLike,
        *,
        size: SizeLike | None = None,
        goal: GoalLike = "blank-last",
        threads: int | None = None,
    ) -> npt.NDArray[np.uint8]:
        """Its values for many boards, an array of the shape (boards, squares) or a list."""
        return heuristic(self.name, boards, size, goal, threads)


def heuristics() -> dict[str, Heuristic]:
    """All heuristics that need no tables, by name, weak ones first."""
    return {name: Heuristic(name, summary, promise) for name, summary, promise in listed_heuristics()}
