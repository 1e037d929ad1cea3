// The searches of the lesson count what `tilebase solve --json` counts: twenty boards, all heuristics, A* and IDA*.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';

// The page's modules, read from the tree; the program that has them within is tested in lesson.test.js.
const from = (name) => import(new URL(`../../crates/serve/page/${name}.js`, import.meta.url));
const { Board, goalBoard } = await from('board');
const { ESTIMATES, trueDistance } = await from('estimates');
const { Frame, isSolvable } = await from('frame');
const { astar, ida } = await from('searches');

/** Nodes after which IDA* is not followed here; what needs more is A*'s alone. */
const MOST = 300_000;
const GOALS = ['blank-last', 'blank-first', 'snail', '1 2 3 / 4 5 6 / 7 0 8'];

/** What the program says about boards, in their order. */
function solve(boards, goal, options) {
  const given = ['solve', '--json', '--threads', '1', '--goal', goal, ...options.split(' ')];
  const input = boards.map((board) => `${board.text}\n`).join('');
  const lines = execFileSync(process.env.TILEBASE, given, { input, encoding: 'utf8', stdio: ['pipe', 'pipe', 'ignore'] });
  const answers = lines.trim().split('\n').map((line) => JSON.parse(line));
  return answers.sort((a, b) => a.id - b.id);
}

/** Boards from 0 to 31 moves away, five for each goal. */
function boardsOf(goal) {
  const distances = { 'blank-last': [0, 8, 16, 24, 31], 'blank-first': [1, 11, 19, 22, 27] }[goal] ?? [2, 10, 14, 18, 22];
  return distances.map((distance, seed) => {
    const given = ['scramble', '--size', '3x3', '--goal', goal, '--distance', String(distance), '--seed', String(seed)];
    return Board.read(execFileSync(process.env.TILEBASE, given, { encoding: 'utf8' }).trim());
  });
}

test('expanded, generated and the length are those of the program, on twenty boards', () => {
  let followed = 0;
  for (const goal of GOALS) {
    const boards = boardsOf(goal);
    const frame = new Frame(goalBoard(goal, 3, 3));
    for (const [name, estimate] of Object.entries(ESTIMATES)) {
      const answers = solve(boards, goal, estimate.options.astar);
      boards.forEach((board, index) => {
        const { length, nodes, expanded } = answers[index];
        const ours = astar(frame.state(board), frame.home, estimate);
        const found = { length: ours.length, nodes: ours.total, expanded: ours.order.length };
        assert.deepEqual(found, { length, nodes, expanded }, `A*, ${name}, ${board.text}, ${goal}`);
        assert.equal(ours.generated.at(-1) ?? 1, nodes, 'the last of the counts on the way');
      });
      const runs = boards.map((board) => ida(frame.state(board), frame.home, estimate, MOST));
      const isDone = (_, index) => runs[index].isFound;
      const idas = solve(boards.filter(isDone), goal, estimate.options.ida);
      runs.filter(isDone).forEach((run, index) => {
        const { length, nodes, expanded } = idas[index];
        const found = { length: run.length, nodes: run.total, expanded: run.expanded };
        assert.deepEqual(found, { length, nodes, expanded }, `IDA*, ${name}, ${idas[index].board}, ${goal}`);
        assert.equal(run.generated[run.expanded - 1] ?? 1, nodes, 'the last of the counts on the way');
        followed += 1;
      });
    }
  }
  assert.ok(followed >= 100, `IDA* was followed ${followed} times of 120`);
});

test('a heuristic that exaggerates misses the shortest way, and no other does', () => {
  const goal = goalBoard('blank-last', 3, 3);
  const frame = new Frame(goal);
  const missed = Object.fromEntries(Object.keys(ESTIMATES).map((name) => [name, 0]));
  for (const board of boardsOf('blank-last').concat(boardsOf('blank-first'))) {
    if (!isSolvable(board, goal)) continue;
    const state = frame.state(board);
    for (const [name, estimate] of Object.entries(ESTIMATES)) {
      const { length, path } = astar(state, frame.home, estimate);
      missed[name] += Number(length > trueDistance(state, frame.home));
      assert.equal(path.length, length + 1);
      assert.equal(frame.board(path[0].state).text, board.text);
      assert.equal(frame.board(path.at(-1).state).text, goal.text);
    }
  }
  for (const [name, { isBroken }] of Object.entries(ESTIMATES)) {
    if (!isBroken) assert.equal(missed[name], 0, name);
  }
  assert.ok(missed['manhattan-2'] > 0 && missed['manhattan-3'] > 0);
});
