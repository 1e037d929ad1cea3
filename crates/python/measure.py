"""Measures what docs/python.md claims. `scripts/measure-python` runs it."""

from __future__ import annotations

import json
import os
import signal
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Callable

import numpy as np

import tilebase

COMMAND, WHEEL = sys.argv[1:3]
ROUNDS = 5
HARD = "0 12 9 13 / 15 11 10 14 / 3 7 6 2 / 4 8 5 1"


def seconds(work: Callable[[], object]) -> float:
    """How long something takes."""
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


def labelling() -> None:
    """Many boards, in turns with the command."""
    boards = tilebase.scramble(10_000, seed=7)
    lines = "\n".join(" ".join(map(str, board)) for board in boards.tolist())
    solver = tilebase.Solver("7-8")
    found: dict[str, list[int]] = {}

    def by_command() -> None:
        words = [COMMAND, "solve", "--tables", "7-8", "--json"]
        answers = subprocess.run(words, input=lines, capture_output=True, text=True, check=True).stdout
        lengths = {answer["id"]: answer["length"] for answer in map(json.loads, answers.splitlines())}
        found["command"] = [lengths[number] for number in sorted(lengths)]

    def by_python() -> None:
        found["python"] = solver.solve_many(boards).tolist()

    times = [(seconds(by_python), seconds(by_command)) for _ in range(ROUNDS)]
    assert found["python"] == found["command"]
    python, command = (statistics.median(times) for times in zip(*times, strict=True))
    print(f"10,000 random 15-puzzles, 7-8, {solver.threads} threads: solve_many {python:.2f} s, tilebase solve {command:.2f} s,")
    print(f"  {command / python:.2f} times as many boards a second as the command")


def looking_up() -> None:
    """Lower bounds of a million boards."""
    boards = tilebase.scramble(1_000_000, seed=1)
    for threads in (1, 2):
        solver = tilebase.Solver("6-6-3", threads=threads)
        first = seconds(lambda: solver.heuristic(boards))
        again = min(seconds(lambda: solver.heuristic(boards)) for _ in range(ROUNDS))
        print(f"1,000,000 boards, 6-6-3, {threads} threads: {first:.3f} s with unpacking, {again:.3f} s afterwards,")
        print(f"  {1e-6 * len(boards) / first:.1f} and {1e-6 * len(boards) / again:.1f} million boards a second")
        del solver
    wide = boards.astype(np.int64)
    solver = tilebase.Solver("6-6-3", threads=2)
    solver.heuristic(boards)
    print(f"  the same from int64: {min(seconds(lambda: solver.heuristic(wide)) for _ in range(ROUNDS)):.3f} s")
    begun = solver.solve_many(boards, max_nodes=1).at_least
    assert (begun == solver.heuristic(boards)).all()
    print("  all of them are those that a search begins with")
    large = tilebase.Solver("7-8")
    first = seconds(lambda: large.heuristic(boards))
    again = min(seconds(lambda: large.heuristic(boards)) for _ in range(ROUNDS))
    print(f"1,000,000 boards, 7-8: {first:.2f} s with unpacking (1.6 GB), {again:.3f} s afterwards")


def importing() -> None:
    """What an import takes beyond numpy's."""

    def started(code: str) -> float:
        return statistics.median(seconds(lambda: subprocess.run([sys.executable, "-c", code], check=True)) for _ in range(15))

    nothing, numpy, both = started("pass"), started("import numpy"), started("import numpy, tilebase")
    alone = started("import tilebase")
    print(f"import numpy {1000 * (numpy - nothing):.0f} ms, tilebase beside it {1000 * (both - numpy):.0f} ms, tilebase alone {1000 * (alone - nothing):.0f} ms")
    print(f"the wheel has {os.path.getsize(WHEEL) / 1e6:.1f} MB")


def interrupting() -> None:
    """How soon Ctrl-C is heard."""
    solver = tilebase.Solver("manhattan")
    waits = []
    for _ in range(10):
        pressed: list[float] = []

        def press() -> None:
            time.sleep(0.3)
            pressed.append(time.perf_counter())
            os.kill(os.getpid(), signal.SIGINT)

        threading.Thread(target=press).start()
        try:
            solver.solve_many([HARD] * 10)
        except KeyboardInterrupt:
            waits.append(time.perf_counter() - pressed[0])
    print(f"Ctrl-C: {1000 * statistics.median(waits):.0f} ms, at most {1000 * max(waits):.0f} ms of {len(waits)}")


labelling()
looking_up()
importing()
interrupting()
