"""What the README shows works as it stands there."""

from __future__ import annotations

import pathlib
import re

import pytest

PACKAGE = pathlib.Path(__file__).resolve().parents[1]


def blocks(readme: pathlib.Path) -> list[str]:
    return re.findall(r"```python\n(.*?)```", readme.read_text(encoding="utf-8"), re.DOTALL)


BLOCKS = blocks(PACKAGE / "README.md")


def test_ten_lines_lead_from_nothing_to_a_plot_of_ten_thousand_lengths(tmp_path, monkeypatch):
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    assert len([line for line in BLOCKS[0].splitlines() if line]) <= 10
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    names: dict[str, object] = {}
    exec(BLOCKS[0], names)
    assert (tmp_path / "lengths.png").stat().st_size > 5000
    lengths = names["lengths"]
    assert len(lengths) == 10_000
    # All boards have a mean of 52.59, and two of three are within 5 moves of it: four standard errors.
    assert abs(lengths.mean() - 52.59) < 0.2


def test_the_other_lines_do_what_they_say():
    names: dict[str, object] = {"tilebase": __import__("tilebase")}
    exec(BLOCKS[1], names)
    solution = names["solution"]
    assert (solution.length, solution.moves) == (9, "D3L2U3L")
    assert solution.tiles == [13, 9, 5, 1, 2, 3, 7, 11, 15]
    assert len(solution.boards()) == 10


def test_the_lines_in_the_readme_of_the_project_find_a_hundred_lengths():
    names: dict[str, object] = {}
    (lines,) = blocks(PACKAGE.parents[1] / "README.md")
    exec(lines, names)
    lengths = names["lengths"]
    assert lengths.shape == (100,)
    assert 40 < lengths.mean() < 65
