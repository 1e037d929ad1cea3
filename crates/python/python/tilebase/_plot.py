"""Plots, where matplotlib is there."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from ._tilebase import Table


def histogram(table: Table, ax: Axes | None = None) -> Axes:
    """Draws how many entries of a table have which cost, into axes of one's own or into new ones."""
    if ax is None:
        try:
            import matplotlib.pyplot as plt
        except ImportError as error:
            raise ImportError("plots need matplotlib: pip install matplotlib") from error
        ax = plt.subplots(figsize=(7, 3.5))[1]
    _draw(table, ax)
    return ax


def png(table: Table) -> bytes | None:
    """The same as a picture for notebooks, or nothing."""
    try:
        from matplotlib.figure import Figure
    except ImportError:
        return None
    figure = Figure(figsize=(7, 3.5), layout="tight")
    _draw(table, figure.subplots())
    file = io.BytesIO()
    figure.savefig(file, format="png", dpi=100)
    return file.getvalue()


def _draw(table: Table, ax: Any) -> None:
    from matplotlib.ticker import EngFormatter

    counts = table.histogram
    ax.bar(range(len(counts)), counts, width=0.9, color="#0072b2")
    tiles = ", ".join(str(tile) for tile in table.pattern)
    width, height = table.size
    ax.set_title(f"{width}×{height}, goal squares {tiles}: {table.entries:,} entries, mean {table.mean:.2f}", fontsize=10)
    ax.set_xlabel("cost (moves)")
    ax.set_ylabel("entries")
    ax.yaxis.set_major_formatter(EngFormatter(sep=""))
    ax.spines[["top", "right"]].set_visible(False)
