"""Shortest solutions of sliding-tile puzzles, by pattern databases.

>>> import tilebase
>>> tilebase.solve("5 1 2 4 / 9 6 3 8 / 13 10 7 12 / 0 14 11 15").moves
'D3L2U3L'

``solve`` takes anything that looks like a board. A ``Solver`` labels many: ``Solver().solve_many(boards)`` gives their shortest
lengths, ``heuristic`` their lower bounds. ``scramble`` makes random boards, ``generate`` builds larger tables, and ``heuristics`` lists
the lower bounds that need none.
"""

from ._functions import (
    blank_aware,
    branching_factor,
    corner_tiles,
    euclidean,
    gaschnig,
    generate,
    hamming,
    is_solvable,
    linear_conflict,
    manhattan,
    neighbours,
    pair_distance,
    pair_distance_full,
    scramble,
    solve,
    walking_distance,
)
from ._heuristics import Heuristic, heuristics
from ._results import Moves, Results
from ._tilebase import (
    Board,
    LimitReached,
    Solution,
    Solver,
    Table,
    TableError,
    UnsolvableError,
    __version__,
    install_truncation_handler,
    tables,
)

__all__ = [
    "Board",
    "Heuristic",
    "LimitReached",
    "Moves",
    "Results",
    "Solution",
    "Solver",
    "Table",
    "TableError",
    "UnsolvableError",
    "__version__",
    "blank_aware",
    "branching_factor",
    "corner_tiles",
    "euclidean",
    "gaschnig",
    "generate",
    "hamming",
    "heuristics",
    "install_truncation_handler",
    "is_solvable",
    "linear_conflict",
    "manhattan",
    "neighbours",
    "pair_distance",
    "pair_distance_full",
    "scramble",
    "solve",
    "tables",
    "walking_distance",
]
