// Boards of 3×3 as the program's searches see them: tiles called by the squares where they belong, and the board turned so that
// the blank belongs on the square with the smallest number. Which of two equal nodes comes first depends on that.

import { Board } from './board.js';

export const SIDE = 3;

/** In which order the blank goes: up, left, right, down; for each square the squares that it can go to. */
const AROUND = Array.from({ length: SIDE * SIDE }, (_, square) => {
  const [x, y] = [square % SIDE, Math.floor(square / SIDE)];
  return [y > 0 && square - SIDE, x > 0 && square - 1, x < SIDE - 1 && square + 1, y < SIDE - 1 && square + SIDE]
    .filter((beside) => beside !== false);
});

/** The squares beside a square, in the order in which the searches try them. */
export function neighbours(square) {
  return AROUND[square];
}

/** The turns and reflections of a square board: what is left where it is comes first. */
function symmetries() {
  const mirrors = [[false, false], [true, true], [true, false], [false, true]];
  return [false, true].flatMap((transposes) => mirrors.map(([mirrorsColumns, mirrorsRows]) => (square) => {
    const x = mirrorsColumns ? SIDE - 1 - (square % SIDE) : square % SIDE;
    const y = mirrorsRows ? SIDE - 1 - Math.floor(square / SIDE) : Math.floor(square / SIDE);
    return transposes ? x * SIDE + y : y * SIDE + x;
  }));
}

export class Frame {
  #goal;
  #turned;

  /** For boards with this goal. */
  constructor(goal) {
    const all = symmetries();
    this.home = Math.min(...all.map((turn) => turn(goal.blank)));
    this.#goal = goal;
    const turn = all.find((turn) => turn(goal.blank) === this.home);
    this.#turned = goal.tiles.map((_, square) => turn(square));
  }

  /** A board as a state: for each square the tile on it. */
  state(board) {
    const state = Array(SIDE * SIDE);
    board.tiles.forEach((tile, square) => { state[this.#turned[square]] = this.#turned[this.#goal.squareOf(tile)]; });
    return state;
  }

  /** The board that a state is. */
  board(state) {
    const labels = [];
    this.#goal.tiles.forEach((tile, square) => { labels[this.#turned[square]] = tile; });
    return new Board(SIDE, SIDE, this.#goal.tiles.map((_, square) => labels[state[this.#turned[square]]]));
  }
}

/** Whether moves lead from one board to the other: then their exchanges of tiles and the blank's steps are even together. */
export function isSolvable(board, goal) {
  const order = board.tiles.map((tile) => goal.squareOf(tile));
  let exchanges = 0;
  order.forEach((square, at) => {
    for (let later = at + 1; later < order.length; later += 1) if (order[later] < square) exchanges += 1;
  });
  const [from, to] = [board.place(board.blank), board.place(goal.blank)];
  return (exchanges + Math.abs(from.x - to.x) + Math.abs(from.y - to.y)) % 2 === 0;
}
