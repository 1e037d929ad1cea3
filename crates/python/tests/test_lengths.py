"""Lengths are those of the command, of the literature, and of a plain breadth-first search."""

from __future__ import annotations

import itertools
import pickle
import random

import numpy as np
import pytest
from conftest import distances, solver_of

import tilebase


def test_korfs_hundred_boards_have_the_lengths_of_the_literature_and_of_the_command(korf, command):
    boards, expected = korf
    solver = tilebase.Solver(goal="blank-first")
    results = solver.solve_many(np.array(boards), moves=True)
    assert results.lengths.tolist() == expected
    assert results.at_least.tolist() == expected
    answers = command("solve", "--goal", "blank-first", boards=boards)
    assert [answer["length"] for answer in answers] == expected
    for board, moves, length in zip(boards, results.moves, expected, strict=True):
        assert len(moves) == length
        assert tilebase.Board(board).after(moves) == solver.goal


@pytest.mark.parametrize("goal", ["blank-last", "blank-first", "snail", "2 4 1 / 0 5 3"])
def test_every_board_of_2x3_has_the_length_that_a_plain_search_finds(goal, command):
    solver = tilebase.Solver(size=(3, 2), goal=goal)
    expected = distances(tuple(solver.goal.tiles), 3)
    assert len(expected) == 360
    boards = np.array(list(expected), dtype=np.uint8)
    assert solver.solve_many(boards).tolist() == list(expected.values())
    words = ["solve", "--goal", goal, "--size", "3x2"]
    answers = command(*words, boards=boards.tolist())
    assert [answer["length"] for answer in answers] == list(expected.values())


def test_a_board_of_2x3_can_be_solved_if_a_plain_search_reaches_it():
    reached = distances((1, 2, 3, 4, 5, 0), 3)
    boards = np.array(list(itertools.permutations(range(6))))
    expected = [tuple(board) in reached for board in boards.tolist()]
    assert tilebase.is_solvable(boards, size=(3, 2)).tolist() == expected
    solver = tilebase.Solver(size=(3, 2))
    for board, is_solvable in zip(boards[::7], expected[::7], strict=True):
        if not is_solvable:
            with pytest.raises(tilebase.UnsolvableError, match="disagree"):
                solver.solve(board)
            with pytest.raises(tilebase.UnsolvableError, match="board 0"):
                solver.solve_many([board])


@pytest.mark.parametrize("goal", [(1, 2, 3, 4, 5, 6, 7, 8, 0), (0, 1, 2, 3, 4, 5, 6, 7, 8), (1, 2, 3, 8, 0, 4, 7, 6, 5)])
def test_a_thousand_boards_of_3x3_have_the_length_that_a_plain_search_finds(goal, command):
    every = distances(goal, 3)
    assert len(every) == 181_440
    sample = random.Random(1).sample(list(every), 1000)
    boards, expected = np.array(sample), [every[board] for board in sample]
    solver = solver_of(goal, 3)
    assert solver.solve_many(boards).tolist() == expected
    assert (solver.heuristic(boards) <= expected).all()
    text = " ".join(map(str, goal))
    answers = command("solve", "--goal", text, boards=boards.tolist())
    assert [answer["length"] for answer in answers] == expected


def test_all_shortest_solutions_are_found_once_each():
    goal = (1, 2, 3, 4, 5, 6, 7, 8, 0)
    every = distances(goal, 3)
    solver = solver_of(goal, 3)
    for board in random.Random(2).sample(list(every), 20):
        solutions = solver.all(board)
        assert len(solutions) == solver.count(board) >= 1
        assert {solution.length for solution in solutions} == {every[board]}
        assert len({solution.moves for solution in solutions}) == len(solutions)
        assert all(solution.boards()[-1] == solver.goal for solution in solutions)
        assert len(solver.all(board, most=1)) == 1


def test_limits_leave_minus_one_and_what_is_proven():
    boards = tilebase.scramble(40, seed=3)
    solver = tilebase.Solver()
    lengths = solver.solve_many(boards)
    limited = solver.solve_many(boards, max_nodes=20_000)
    solved = limited.lengths >= 0
    assert 0 < solved.sum() < len(boards)
    assert (limited.lengths[solved] == lengths[solved]).all()
    assert (limited.lengths[~solved] == -1).all()
    assert (limited.at_least <= lengths).all()
    assert (limited.at_least >= solver.heuristic(boards)).all()
    assert (limited.nodes <= 20_000).all()
    hard = boards[~solved][0]
    with pytest.raises(tilebase.LimitReached, match="at least") as caught:
        solver.solve(hard, max_nodes=20_000)
    assert caught.value.at_least >= solver.heuristic([hard])[0]
    assert caught.value.nodes <= 20_000
    assert caught.value.seconds > 0


def test_a_weight_gives_longer_solutions_sooner_and_says_so():
    board = tilebase.scramble(1, seed=8)[0]
    solver = tilebase.Solver()
    best, quick = solver.solve(board), solver.solve(board, weight=2)
    assert best.optimal and best.at_least == best.length
    assert not quick.optimal
    assert best.length <= quick.length <= 2 * best.length
    assert quick.nodes < best.nodes


def test_searches_that_promise_nothing_prove_nothing():
    boards = tilebase.scramble(20, size=(3, 3), seed=5)
    shortest = tilebase.Solver(size=(3, 3)).solve_many(boards)
    for tables, algorithm in [("manhattan", "greedy"), ("blank-aware", "astar")]:
        results = tilebase.Solver(tables, (3, 3), algorithm=algorithm).solve_many(boards, nodes=True)
        assert (results.lengths >= shortest).all() and (results.lengths > shortest).any()
        assert (results.at_least <= shortest).all()


def test_improving_ends_with_the_shortest_or_says_how_far_it_may_be():
    board = tilebase.scramble(1, size=(5, 5), seed=1)[0]
    solver = tilebase.Solver(size=(5, 5))
    found = solver.improve(board, 1.0)
    assert not found.optimal
    assert solver.heuristic([board])[0] <= found.at_least < found.length
    assert found.boards()[-1] == solver.goal
    near = solver.improve(board, 30.0, within=0.5)
    assert near.length <= 1.5 * near.at_least
    assert tilebase.Solver().improve("1 2 3 4 / 5 6 7 8 / 9 10 11 0 / 13 14 15 12", 5.0).optimal


def test_other_searches_and_heuristics_find_the_same_lengths():
    boards = tilebase.scramble(20, size=(3, 3), seed=5)
    expected = tilebase.Solver(size=(3, 3)).solve_many(boards).tolist()
    for tables, algorithm in [("manhattan", "astar"), ("linear-conflict", "ida"), ("auto", "bfs"), ("none", "rbfs")]:
        assert tilebase.Solver(tables, (3, 3), algorithm=algorithm).solve_many(boards).tolist() == expected


def test_several_tiles_in_a_line_are_one_move_in_mtm(command):
    solver = tilebase.Solver(size=(3, 3), metric="mtm")
    assert solver.metric == "mtm"
    boards = tilebase.scramble(50, size=(3, 3), seed=5)
    answers = command("solve", "--metric", "mtm", boards=[board.tolist() for board in boards])
    lengths = [answer["length"] for answer in answers]
    assert solver.solve_many(boards).tolist() == lengths
    # All tiles of 3x3 are in the table, so that it knows.
    assert solver.heuristic(boards).tolist() == lengths
    solution = solver.solve(boards[0])
    assert (solution.length, solution.metric) == (lengths[0], "mtm")
    assert solution.length <= len(solution)
    assert pickle.loads(pickle.dumps(solution)).length == solution.length
    assert tilebase.Solver(size=(3, 3)).solve(boards[0]).metric == "stm"
    with pytest.raises(ValueError, match="expected stm"):
        tilebase.Solver(metric="htm")
