"""Threads, processes, signals and memory."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
import textwrap
import threading
import time

import numpy as np
import pytest

import tilebase

if sys.platform == "win32":
    pytest.skip("Windows has neither forks nor signals", allow_module_level=True)

import resource

HARD = "0 12 9 13 / 15 11 10 14 / 3 7 6 2 / 4 8 5 1"


def run(code: str, *, stop_after: float | None = None) -> subprocess.CompletedProcess[str]:
    """Runs a program of its own; presses Ctrl-C after a line was printed and some seconds have passed."""
    program = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(code)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert program.stdout is not None
    first = ""
    if stop_after is not None:
        first = program.stdout.readline()
        time.sleep(stop_after)
        program.send_signal(signal.SIGINT)
    out, err = program.communicate(timeout=60)
    return subprocess.CompletedProcess(program.args, program.returncode, first + out, err)


def test_four_threads_use_one_solver_at_once():
    solver = tilebase.Solver("6-6-3", threads=1)
    boards = tilebase.scramble(4000, seed=1)
    easy = tilebase.scramble(40, seed=2, walk=60)
    expected = solver.heuristic(boards[:60]).tolist(), solver.solve_many(easy).tolist()
    results: list[object] = [None] * 4

    def work(number: int) -> None:
        bounds = solver.heuristic(boards)
        assert bounds[:60].tolist() == expected[0]
        lengths = solver.solve_many(easy)
        assert solver.solve(easy[number]).length == lengths[number]
        results[number] = lengths.tolist()

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [expected[1]] * 4


def test_other_threads_go_on_while_boards_are_solved():
    solver = tilebase.Solver("manhattan", threads=1)
    counted = 0
    solving = threading.Event()
    done = threading.Event()

    def solve() -> None:
        solving.set()
        with pytest.raises(tilebase.LimitReached):
            solver.solve(HARD, time_limit=0.5)
        done.set()

    thread = threading.Thread(target=solve)
    thread.start()
    solving.wait()
    while not done.is_set():
        counted += 1
    thread.join()
    assert counted > 10_000, "the interpreter is released"


@pytest.mark.parametrize(
    "call",
    [
        "solver.solve(hard)",
        "solver.solve_many([hard] * 100)",
        "solver.solve_many([hard] * 100, progress=lambda *told: None)",
        "solver.all(hard)",
        "solver.count(hard)",
        "tilebase.Solver(size=(5, 5)).improve(far, 100)",
        "[tilebase.linear_conflict(np.repeat([easy], 2_000_000, axis=0)) for _ in range(100)]",
        "tilebase.generate('.AAAA/AABBB/BBBBC/CCCCC/CDDDD', out=directory, audit=True)",
        "tilebase.scramble(10**8)",
        "[solver.heuristic([easy.tolist()] * 50_000) for _ in range(100)]",
        "solver.heuristic(itertools.repeat(easy.tolist()))",
    ],
)
def test_ctrl_c_stops_whatever_takes_long(call, tmp_path):
    ended = run(
        f"""
        import itertools, time, tilebase, numpy as np
        hard = "{HARD}"
        directory = {str(tmp_path)!r}
        far = tilebase.scramble(1, size=(5, 5), seed=1)[0]
        easy = tilebase.scramble(1, seed=1)[0]
        solver = tilebase.Solver("manhattan")
        print("ready", flush=True)
        try:
            {call}
        except KeyboardInterrupt:
            print("interrupted")
            assert solver.solve("1 2 3 4 / 5 6 7 8 / 9 10 11 0 / 13 14 15 12").length == 1
            print("goes on")
        """,
        stop_after=0.7,
    )
    assert ended.stdout.splitlines() == ["ready", "interrupted", "goes on"], ended.stderr
    assert not list(tmp_path.iterdir()), "nothing is left of what was not finished"


def test_a_fork_between_two_calls_works():
    solver = tilebase.Solver("6-6-3")
    boards = tilebase.scramble(3000, seed=1)
    expected = solver.heuristic(boards)
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        same = (solver.heuristic(boards) == expected).all() and solver.solve_many(boards[:5]).min() > 0
        again = (tilebase.Solver("6-6-3", goal="blank-first").heuristic(boards[:0]).shape == (0,))
        os.write(write, b"same" if same and again else b"different")
        os._exit(0)
    os.close(write)
    assert os.read(read, 100) == b"same"
    os.waitpid(child, 0)


def test_a_fork_during_a_call_is_refused_with_words():
    ended = run(
        f"""
        import os, threading, time, warnings
        import tilebase
        warnings.simplefilter("ignore")
        solver = tilebase.Solver("manhattan")
        thread = threading.Thread(target=lambda: solver.solve("{HARD}", time_limit=5), daemon=True)
        thread.start()
        time.sleep(0.5)
        if os.fork() == 0:
            try:
                solver.solve("1 2 3 4 / 5 6 7 8 / 9 10 11 0 / 13 14 15 12")
            except RuntimeError as error:
                print(error, flush=True)
            os._exit(0)
        os.wait()
        os._exit(0)
        """
    )
    assert "forked while another thread was at work" in ended.stdout, ended.stderr


def test_a_search_that_keeps_its_nodes_gives_up_before_memory_is_full():
    solver = tilebase.Solver("manhattan", algorithm="astar", max_memory=50_000_000)
    with pytest.raises(tilebase.LimitReached, match="memory"):
        solver.solve(HARD)
    assert (solver.solve_many([HARD] * 2) == -1).all()


def _solve(board: list[int]) -> tilebase.Solution:
    return tilebase.solve(board)


def _length(board: list[int]) -> int:
    return tilebase.solve(board).length


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_processes_of_multiprocessing_solve(method):
    boards = tilebase.scramble(8, seed=3, walk=30)
    expected = tilebase.Solver().solve_many(boards).tolist()
    with multiprocessing.get_context(method).Pool(2) as pool:
        assert pool.map(_length, boards.tolist()) == expected
        assert [solution.length for solution in pool.map(_solve, boards.tolist())] == expected


def resident() -> int:
    """Bytes of memory that this process has now."""
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * resource.getpagesize()


@pytest.mark.skipif(not os.path.exists("/proc/self/statm"), reason="only Linux says how much memory there is")
def test_two_solvers_share_their_tables():
    boards = tilebase.scramble(10_000, seed=1)
    first = tilebase.Solver("6-6-3")
    expected = first.heuristic(boards)
    before = resident()
    others = [tilebase.Solver("6-6-3", threads=threads) for threads in (1, 2, 3, 4)]
    for other in others:
        assert (other.heuristic(boards) == expected).all()
    # Unpacked the tables have 23.6 MB.
    assert resident() - before < 10_000_000


@pytest.mark.skipif(not os.path.exists("/proc/self/statm"), reason="only Linux says how much memory there is")
def test_neither_arrays_are_copied_nor_does_memory_grow_with_the_boards():
    solver = tilebase.Solver("6-6-3")
    solver.heuristic(tilebase.scramble(10_000, seed=1))
    boards = np.repeat(tilebase.scramble(1, seed=1, walk=4), 2_000_000, axis=0)
    wide = boards.astype(np.int64)
    solved = np.repeat([tilebase.Board("1 2 3 4 / 5 6 7 8 / 9 10 11 12 / 13 14 15 0").tiles], 200_000, axis=0)
    # Whoever copied an array would need 32 or 256 MB. Moves are kept twice until all are there.
    for call, results in [
        (lambda: solver.heuristic(boards), 2_000_000),
        (lambda: solver.heuristic(wide), 2_000_000),
        (lambda: tilebase.is_solvable(wide), 2_000_000),
        (lambda: solver.solve_many(solved), 400_000),
    ]:
        forget_peak()
        before = peak()
        answers = call()
        assert answers.nbytes == results
        assert peak() - before < results + 12_000_000


def peak() -> int:
    """The most bytes that this process has had since they were last forgotten."""
    with open("/proc/self/status") as file:
        return next(int(line.split()[1]) * 1024 for line in file if line.startswith("VmHWM"))


def forget_peak() -> None:
    """From now on the peak is what this process has at least now."""
    try:
        with open("/proc/self/clear_refs", "w") as file:
            file.write("5")
    except OSError:
        pytest.skip("this system does not forget the peak of memory")


def test_importing_neither_needs_numpy_nor_starts_a_thread():
    ended = run(
        """
        import sys, threading, os
        import tilebase
        print("numpy" in sys.modules, len(os.listdir("/proc/self/task")) if os.path.exists("/proc/self/task") else 1)
        """
    )
    assert ended.stdout.split() == ["False", "1"], ended.stderr
