"""The interface as Python people expect it."""

from __future__ import annotations

import copy
import pathlib
import pickle
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest

import tilebase
from conftest import ROOT
from tilebase import _progress

BOARD = "5 1 2 4 / 9 6 3 8 / 13 10 7 12 / 0 14 11 15"
TILES = [5, 1, 2, 4, 9, 6, 3, 8, 13, 10, 7, 12, 0, 14, 11, 15]
ROWS = [TILES[start : start + 4] for start in range(0, 16, 4)]


@pytest.mark.parametrize(
    "board",
    [
        BOARD,
        "5 1 2 4/9 6 3 8/13 10 7 12/0 14 11 15",
        "[[5,1,2,4],[9,6,3,8],[13,10,7,12],[0,14,11,15]]",
        "5 1 2 4 9 6 3 8 13 10 7 12 _ 14 11 15",
        "# a comment\n4\n5 1 2 4\n9 6 3 8\n13 10 7 12\n0 14 11 15\n",
        TILES,
        tuple(TILES),
        bytes(TILES),
        ROWS,
        tuple(map(tuple, ROWS)),
        [16 if tile == 0 else tile for tile in TILES],
        np.array(TILES),
        np.array(ROWS, dtype=np.uint8),
        [np.int16(tile) for tile in TILES],
        tilebase.Board(BOARD),
    ],
)
def test_whatever_looks_like_a_board_is_solved(board):
    solution = tilebase.solve(board)
    assert (solution.length, solution.moves) == (9, "D3L2U3L")
    assert solution.tiles == [13, 9, 5, 1, 2, 3, 7, 11, 15]
    assert solution.optimal and solution.at_least == 9
    assert solution.nodes >= solution.expanded > 0
    assert solution.seconds > 0
    assert solution.tables == "6-6-3"
    assert list(solution) == list("DDDLLUUUL")
    assert len(solution) == 9
    boards = solution.boards()
    assert boards[0] == solution.board == tilebase.Board(BOARD)
    assert boards[-1] == solution.goal
    for before, after in zip(boards, boards[1:], strict=False):
        assert after in before.neighbours().values()
    assert str(solution) == "9 moves: D3L2U3L"
    assert solution.written("blank") == "U3R2D3R"
    assert solution.written("tiles") == "13 9 5 1 2 3 7 11 15"


def test_solutions_are_values():
    solution = tilebase.solve(BOARD)
    again = pickle.loads(pickle.dumps(solution))
    assert again == solution == copy.deepcopy(solution) and hash(again) == hash(solution)
    assert (again.nodes, again.optimal, again.at_least, again.tables) == (solution.nodes, True, 9, "6-6-3")
    assert again != tilebase.solve("1 2 3 / 4 5 6 / 7 0 8")
    assert tilebase.solve("1 2 3 / 4 5 6 / 7 8 0"), "it is there, though it has no moves"


def test_a_goal_of_a_rectangle_may_be_one_list():
    goal = [0, 1, 2, 3, 4, 5]
    board = [1, 0, 2, 3, 4, 5]
    assert tilebase.solve(board, size=(3, 2), goal=goal).length == 1
    assert tilebase.Solver(size=[3, 2], goal=np.array(goal)).solve(board).length == 1
    assert tilebase.manhattan([board], size=(3, 2), goal=goal).tolist() == [1]


def test_the_first_error_of_a_callback_is_raised_and_it_is_asked_no_more():
    calls = []

    def failing(what, done, total):
        calls.append(done)
        raise ZeroDivisionError(len(calls))

    with pytest.raises(ZeroDivisionError, match="^1$"):
        tilebase.Solver("manhattan").solve_many(tilebase.scramble(100, seed=1), time_limit=0.3, progress=failing)
    assert len(calls) == 1


def test_a_solved_board_has_a_solution_without_moves():
    solution = tilebase.solve("1 2 3 / 4 5 6 / 7 8 0")
    assert (solution.length, solution.moves, list(solution), str(solution)) == (0, "", [], "0 moves")
    assert len(solution.boards()) == 1


def test_rectangles_need_rows_or_a_size():
    flat = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 0, 11]
    assert tilebase.solve(flat, size=(3, 4)).length == 1
    assert tilebase.solve(flat, size="4x3").length == 1
    assert tilebase.solve([flat[:3], flat[3:6], flat[6:9], flat[9:]]).length == 1
    with pytest.raises(ValueError, match="size as"):
        tilebase.solve(flat)


def test_boards_are_values():
    board = tilebase.Board(BOARD)
    same = tilebase.Board(ROWS)
    assert board == same and hash(board) == hash(same) and board != tilebase.Board("1 2 / 3 0") and board != BOARD
    assert {board: 1}[same] == 1
    assert pickle.loads(pickle.dumps(board)) == board
    assert str(board) == BOARD and eval(repr(board), {"Board": tilebase.Board}) == board
    assert board.size == (4, 4) and board.tiles == TILES
    assert (np.asarray(board) == np.array(ROWS)).all() and np.asarray(board, dtype=float).dtype == float
    assert (board.rows == np.array(ROWS)).all()
    assert tilebase.Board("1 2 3 / 4 0 5").rows.shape == (2, 3)
    assert sorted(board.neighbours()) == ["D", "L"]
    assert board.after("D").after("U") == board
    with pytest.raises(ValueError, match="blocked|no tile"):
        board.after("RRRRR")
    assert board.is_solvable() and not board.is_solvable("blank-first")
    assert "they agree" in board.why()


def test_scrambles_are_those_of_the_command(command):
    boards = tilebase.scramble(5, size=(3, 4), seed=42)
    assert boards.shape == (5, 12) and boards.dtype == np.uint8
    words = [sys.executable, "-m", "tilebase", "scramble", "--size", "3x4", "--seed", "42", "--count", "5"]
    lines = subprocess.run(words, capture_output=True, text=True, check=True).stdout.splitlines()
    assert [tilebase.Board(line).tiles for line in lines] == boards.tolist()
    assert (tilebase.scramble(5, size="3x4", seed=42) == boards).all()
    assert (tilebase.scramble(5, size="3x4", seed=43) != boards).any()
    assert tilebase.scramble(0).shape == (0, 16)
    near = tilebase.scramble(50, seed=1, walk=10)
    assert (tilebase.Solver().solve_many(near) <= 10).all()
    exact = tilebase.scramble(5, seed=1, distance=30)
    assert tilebase.Solver().solve_many(exact).tolist() == [30] * 5
    with pytest.raises(ValueError, match="too long"):
        tilebase.scramble(1, walk=10**13)
    with pytest.raises(ValueError, match="both"):
        tilebase.scramble(1, walk=3, distance=3)
    with pytest.raises(ValueError, match="31"):
        tilebase.scramble(1, size=(3, 3), distance=32)


def test_neighbours_are_a_move_away():
    boards = tilebase.scramble(100, seed=1)
    after, origins = tilebase.neighbours(boards)
    assert len(after) == len(origins) and after.shape[1] == 16
    assert np.bincount(origins, minlength=100).min() >= 2
    differing = (after != boards[origins]).sum(axis=1)
    assert (differing == 2).all()
    expected = sorted(board.tiles for board in tilebase.Board(boards[0]).neighbours().values())
    assert sorted(after[origins == 0].tolist()) == expected


def test_many_boards_may_be_a_list_of_anything_that_looks_like_one():
    solver = tilebase.Solver()
    lengths = solver.solve_many([BOARD, TILES, np.array(ROWS), tilebase.Board(BOARD)])
    assert lengths.tolist() == [9] * 4 and lengths.dtype == np.int16
    assert solver.solve_many([]).shape == (0,)
    assert solver.solve_many(np.zeros((0, 16), int), moves=True).moves[:] == []


def test_moves_of_many_are_a_ragged_pair_of_arrays():
    boards = tilebase.scramble(30, seed=9, walk=30)
    results = tilebase.Solver().solve_many(boards, moves=True)
    moves = results.moves
    assert moves.offsets.tolist() == [0, *np.cumsum(results.lengths).tolist()]
    assert len(moves.directions) == moves.offsets[-1] == sum(map(len, moves))
    assert moves[-1] == moves[29] and moves[1:3] == [moves[1], moves[2]]
    with pytest.raises(IndexError, match="30 boards"):
        moves[30]
    goal = tilebase.Solver().goal
    assert all(tilebase.Board(board).after(text) == goal for board, text in zip(boards, moves, strict=True))
    assert results == (results.lengths, results.at_least, results.nodes, moves)


def test_tables_are_built_listed_verified_audited_and_drawn(tmp_path):
    told = []
    drawing = ".AAB/AABB/CCBB/CCCB"
    built = tilebase.generate(drawing, out=tmp_path, audit=True, progress=lambda *event: told.append(event))
    assert len(built) == 3 and told and told[-1][1] == told[-1][2]
    table = built[0]
    assert table.path is not None and pathlib.Path(table.path).parent == tmp_path
    assert tilebase.Table.open(table.path).hash == table.hash
    assert table.size == (4, 4) and table.encoding == "bit" and table.counts == "pattern" and not table.packed
    assert table.histogram.sum() == table.entries and len(table.histogram) == table.max + 1
    assert abs((table.histogram * np.arange(table.max + 1)).sum() / table.entries - table.mean) < 1e-9
    assert table.histogram[0] >= 1
    table.verify(progress=True)
    table.audit(threads=1)
    before = pathlib.Path(table.path).stat().st_mtime_ns
    again = tilebase.generate(drawing, out=tmp_path)
    assert sorted(found.hash for found in again) == sorted(found.hash for found in built)
    assert pathlib.Path(table.path).stat().st_mtime_ns == before, "it is not built again"
    listed = tilebase.tables(tmp_path)
    assert {found.name for found in built} <= {found.name for found in listed}
    assert [found.path for found in listed[-3:]] == [None] * 3, "those in the package come last"
    solver = tilebase.Solver(drawing, table_dir=tmp_path)
    assert solver.solve(BOARD).length == 9
    # A damaged byte is found by reading every one of them.
    data = bytearray(pathlib.Path(table.path).read_bytes())
    data[5000] ^= 1
    pathlib.Path(table.path).write_bytes(data)
    with pytest.raises(tilebase.TableError, match="damaged in block 0"):
        tilebase.Table.open(table.path).verify()
    with pytest.raises(tilebase.TableError, match="damaged"):
        tilebase.Table.open(table.path).audit()
    with pytest.raises(tilebase.TableError, match="damaged"):
        tilebase.Solver(drawing, table_dir=tmp_path)
    assert tilebase.generate(drawing, out=tmp_path)[0].verify() is None, "it is built again"


def test_tables_that_are_not_there_are_told_apart(tmp_path):
    with pytest.raises(FileNotFoundError, match="nowhere"):
        tilebase.Table.open(tmp_path / "nowhere.tbl")
    (tmp_path / "none.tbl").write_bytes(b"no table")
    with pytest.raises(tilebase.TableError):
        tilebase.Table.open(tmp_path / "none.tbl")
    with pytest.raises(tilebase.TableError, match=r'tilebase\.generate\("8-8-8"\)'):
        tilebase.Solver("8-8-8", (5, 5), table_dir=tmp_path)
    with pytest.raises(ValueError, match="7-8"):
        tilebase.Solver("no-such-tables")
    with pytest.raises(ValueError, match="boards of 4x4"):
        tilebase.Solver("7-8", (5, 5))
    with pytest.raises(MemoryError, match="would fit"):
        tilebase.generate("7-8", out=tmp_path, max_memory=1_000_000)
    with pytest.raises(ValueError, match="encoding"):
        tilebase.generate("5-5-5", out=tmp_path, encoding="byte")
    with pytest.raises(OSError, match="none.tbl"):
        tilebase.generate("5-5-5", out=tmp_path / "none.tbl" / "below")


def test_a_table_of_lines_says_what_it_is_and_is_verified_and_audited():
    table = tilebase.Table.open(ROOT / "tests" / "data" / "format-1.1" / "3x3-0-1.2.3.4.mtm.tbl")
    assert (table.pattern, table.size, table.encoding, table.counts) == ((1, 2, 3, 4), (3, 3), "mod3", "all")
    assert table.histogram.sum() <= table.entries and len(table.histogram) == table.max + 1
    table.verify()
    table.audit(threads=1)
    assert "mtm" in repr(table)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux lists the signals that a process handles")
def test_mapping_installs_no_handler_of_signals_unasked(tmp_path):
    for table in (ROOT / "crates" / "lookup" / "tables").glob("*.tbl"):
        shutil.copy(table, tmp_path)
    program = """
import pathlib, signal, sys
import tilebase

def handled():
    status = pathlib.Path("/proc/self/status").read_text()
    caught = next(line for line in status.splitlines() if line.startswith("SigCgt:"))
    return bool(int(caught.split()[1], 16) >> (signal.SIGBUS - 1) & 1)

seen = [handled()]
solver = tilebase.Solver("6-6-3", table_dir=sys.argv[1])
assert solver.solve(sys.argv[2]).length == 9
assert sys.argv[1] in pathlib.Path("/proc/self/maps").read_text(), "its tables are mapped"
seen.append(handled())
tilebase.install_truncation_handler()
seen.append(handled())
print(*seen, flush=True)
for table in pathlib.Path(sys.argv[1]).glob("*.tbl"):
    with table.open("r+b") as file:
        file.truncate(4096)
solver.solve("5 1 2 4 / 9 6 3 8 / 13 10 7 12 / 14 11 15 0")
"""
    words = [sys.executable, "-c", program, str(tmp_path), BOARD]
    ran = subprocess.run(words, capture_output=True, text=True, check=False)
    assert ran.stdout.split() == ["False", "False", "True"], ran.stderr
    assert ran.returncode == 2 and "was cut short while it was in use" in ran.stderr, ran.stderr


def test_boards_and_solutions_show_themselves_in_notebooks():
    picture = ElementTree.fromstring(tilebase.Board(BOARD)._repr_svg_())
    texts = {text.text for text in picture.iter("{http://www.w3.org/2000/svg}text")}
    assert {str(tile) for tile in range(1, 16)} <= texts
    playing = tilebase.solve(BOARD)._repr_html_()
    assert playing.startswith('<img alt="9 moves: D3L2U3L" src="data:image/svg+xml;base64,')
    import base64

    svg = base64.b64decode(playing.split("base64,")[1].rstrip('">')).decode()
    assert svg.count("<animateTransform") == 9
    ElementTree.fromstring(svg)


def test_a_table_is_drawn_where_matplotlib_is_there(monkeypatch):
    table = tilebase.tables()[-1]
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    axes = table.plot()
    assert len(axes.patches) == len(table.histogram)
    assert table._repr_png_().startswith(b"\x89PNG")
    for name in [name for name in sys.modules if name.split(".")[0] == "matplotlib"]:
        monkeypatch.setitem(sys.modules, name, None)
    assert table._repr_png_() is None
    with pytest.raises(ImportError, match="pip install matplotlib"):
        table.plot()


def test_progress_is_shown_as_asked(monkeypatch, capsys):
    told = []
    boards = tilebase.scramble(300, seed=1, walk=60)
    tilebase.Solver().solve_many(boards, progress=lambda what, done, total: told.append((what, done, total)))
    assert told[-1] == ("solving", 300, 300)
    assert [done for _, done, _ in told] == sorted(done for _, done, _ in told)
    for broken in ({}, "yes", 3):
        with pytest.raises(ValueError, match="cannot show progress"):
            tilebase.Solver().solve_many(boards, progress=broken)

    def failing(what, done, total):
        raise ZeroDivisionError("a mistake of the caller's")

    with pytest.raises(ZeroDivisionError):
        tilebase.Solver().solve_many(boards, progress=failing)
    monkeypatch.setitem(sys.modules, "tqdm.auto", None)
    bar = _progress.bar(True)
    assert bar is not None
    bar.update("solving", 1, 4)
    bar.update("solving", 4, 4)
    bar.close()
    assert capsys.readouterr().err == "\rsolving: 25 %\rsolving: 100 %\n"


def test_tqdm_is_used_where_it_is_there(capsys):
    pytest.importorskip("tqdm")
    tilebase.Solver().solve_many(tilebase.scramble(100, seed=1, walk=40), progress=True)
    shown = capsys.readouterr().err
    assert "solving" in shown and "100/100" in shown


def test_better_tables_are_used_as_soon_as_they_are_built(own_tables, tmp_path, monkeypatch):
    monkeypatch.setenv("TILEBASE_TABLES", str(tmp_path))
    tilebase.generate("6-6-3b", out=tmp_path)
    assert tilebase.solve(BOARD).tables == "6-6-3b"
    assert tilebase.Solver().tables == "6-6-3b"
    monkeypatch.delenv("TILEBASE_TABLES")
    tilebase.generate("6-6-3b", out=tmp_path)
    assert tilebase.solve(BOARD).tables == "6-6-3"


def test_the_command_is_the_command():
    def run(*words: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(["tilebase", *words], capture_output=True, text=True, check=False)

    script = pathlib.Path(sys.executable).with_name("tilebase")
    assert script.exists(), "the wheel has an entry point"
    solved = subprocess.run([script, "solve", BOARD], capture_output=True, text=True, check=False)
    assert (solved.returncode, solved.stdout) == (0, "9 moves: D3L2U3L\n")
    wrong = subprocess.run([script, "solve", "--no-such-option"], capture_output=True, text=True, check=False)
    assert wrong.returncode == 2 and "--no-such-option" in wrong.stderr
    unsolvable = subprocess.run([script, "solve", "1 2 3 / 4 5 6 / 8 7 0"], capture_output=True, text=True, check=False)
    assert unsolvable.returncode == 1
    version = subprocess.run([script, "--version"], capture_output=True, text=True, check=True).stdout
    assert version.split() == ["tilebase", tilebase.__version__]


def test_everything_public_is_documented():
    for name in tilebase.__all__:
        thing = getattr(tilebase, name)
        assert name == "__version__" or thing.__doc__, name
        for member in dir(thing) if isinstance(thing, type) else []:
            if not member.startswith("_") and not hasattr(Exception, member) and not hasattr(tuple, member):
                assert getattr(thing, member).__doc__, f"{name}.{member}"
