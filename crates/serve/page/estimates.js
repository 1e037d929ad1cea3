// The heuristics of the lesson on 3×3, in the frame of `frame.js`: a tile is called by the square where it belongs, the blank by
// its own. They say what the program's heuristics of the same names say; a test compares the nodes of whole searches.

import { neighbours } from './frame.js';

const SIDE = 3;
const SQUARES = 9;

/** Rows and columns between two squares. */
const DISTANCE = Array.from({ length: SQUARES }, (_, a) => Array.from({ length: SQUARES }, (_, b) =>
  Math.abs(Math.floor(a / SIDE) - Math.floor(b / SIDE)) + Math.abs((a % SIDE) - (b % SIDE))));

const LINES = [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8]];

function misplaced(state, home) {
  let count = 0;
  for (let square = 0; square < SQUARES; square += 1) if (state[square] !== square && state[square] !== home) count += 1;
  return count;
}

function manhattan(state, home) {
  let sum = 0;
  for (let square = 0; square < SQUARES; square += 1) if (state[square] !== home) sum += DISTANCE[state[square]][square];
  return sum;
}

/** How many tiles leave a line so that the others, which stay, are in the right order. */
function leavers(state, home, line) {
  const tiles = line.map((square) => state[square]).filter((tile) => tile !== home && line.includes(tile));
  const lengths = [];
  tiles.forEach((tile, at) => {
    lengths.push(1 + Math.max(0, ...lengths.filter((_, before) => tiles[before] < tile && before < at)));
  });
  return tiles.length - Math.max(0, ...lengths);
}

function linearConflict(state, home) {
  return LINES.reduce((sum, line) => sum + 2 * leavers(state, home, line), manhattan(state, home));
}

/** A state as one number, below 9⁹. */
export function keyOf(state) {
  let key = 0;
  for (let square = 0; square < SQUARES; square += 1) key = key * SQUARES + state[square];
  return key;
}

const POWERS = Array.from({ length: SQUARES }, (_, square) => SQUARES ** (SQUARES - 1 - square));

/** The key of the state after the blank and a tile, whose numbers differ by so much, changed places. */
export function keyAfter(key, difference, blank, to) {
  return key + difference * (POWERS[blank] - POWERS[to]);
}

/** The true distances of all boards, by the square where the blank belongs: what tables of all eight tiles hold. */
const TRUE_DISTANCES = new Map();

export function trueDistance(state, home) {
  if (!TRUE_DISTANCES.has(home)) TRUE_DISTANCES.set(home, allDistances(home));
  return TRUE_DISTANCES.get(home).get(keyOf(state));
}

function allDistances(home) {
  const goal = Array.from({ length: SQUARES }, (_, square) => square);
  const distances = new Map([[keyOf(goal), 0]]);
  let level = [goal];
  for (let distance = 1; level.length > 0; distance += 1) {
    const next = [];
    for (const state of level) {
      const [blank, key] = [state.indexOf(home), keyOf(state)];
      for (const from of neighbours(blank)) {
        const keyThere = keyAfter(key, state[from] - home, blank, from);
        if (distances.has(keyThere)) continue;
        distances.set(keyThere, distance);
        const there = state.slice();
        [there[blank], there[from]] = [state[from], home];
        next.push(there);
      }
    }
    level = next;
  }
  return distances;
}

/**
 * What can be chosen, weak ones first. `options` are what `tilebase solve` is told, `isBroken` says that it may exceed the
 * distance; a search without a heuristic (`isBlind`) is breadth first, or plain iterative deepening.
 */
export const ESTIMATES = {
  none: {
    name: 'None', called: 'no heuristic', of: () => 0, isBlind: true,
    about: 'Without a heuristic every board looks as good as any other: 0 moves to go',
    options: { astar: '--algorithm bfs', ida: '--algorithm ids' },
  },
  hamming: {
    name: 'Hamming', of: misplaced,
    about: 'Hamming counts the tiles that are not where they belong',
    options: named('hamming'),
  },
  manhattan: {
    name: 'Manhattan', of: manhattan,
    about: 'Manhattan adds up how many rows and columns each tile is away from its place',
    options: named('manhattan'),
  },
  'linear-conflict': {
    name: 'Linear conflict', of: linearConflict,
    about: 'Linear conflict is Manhattan, and two moves more for each tile that has to step aside in its row or column',
    options: named('linear-conflict'),
  },
  tables: {
    name: 'Tables', of: trueDistance,
    about: 'A table has the true distance of every board of 3×3: it is only looked up',
    options: { astar: '--algorithm astar', ida: '--algorithm ida-plain' },
  },
  'manhattan-2': times(2, 'two'),
  'manhattan-3': times(3, 'three'),
};

function named(name) {
  return { astar: `--algorithm astar --heuristic ${name}`, ida: `--algorithm ida-plain --heuristic ${name}` };
}

/** Broken on purpose: the program calls it a weight, and says what it costs. */
function times(weight, word) {
  const rest = `--weight ${weight} --heuristic manhattan`;
  return {
    name: `${weight} × Manhattan`, isBroken: true, of: (state, home) => weight * manhattan(state, home),
    about: `This heuristic exaggerates on purpose: Manhattan times ${word}`,
    options: { astar: `--algorithm weighted-astar ${rest}`, ida: `--algorithm weighted-ida ${rest}` },
  };
}
