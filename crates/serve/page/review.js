// Somebody's solution held against the shortest: where it lost moves, as the server found. Emits `change`.

import { readMoves, writeWay } from './notation.js';
import { ask, isAbort } from './server.js';

export class Review extends EventTarget {
  /** The server's answer; null when no solution is being looked at. */
  answer = null;
  /** The moves that can be made, from the start of the game. */
  way = [];
  /** The moves that lost some, as the server has them; with `number`, from 1, `direction`, of the better move, and `betterWay`. */
  losses = [];
  #game;
  #distance;
  #question = new AbortController();

  constructor(game, distance) {
    super();
    this.#game = game;
    this.#distance = distance;
    game.addEventListener('change', ({ detail }) => {
      // Nobody is told: what others know is still about the board before, and they hear of the new one anyway.
      if (detail.kind === 'new') this.#drop();
    });
  }

  /** True as long as the moves of the game are those that were looked at: nobody has played something else since. */
  get isOnLine() {
    const { way } = this.#game;
    return this.answer !== null && this.way.length <= way.length && this.way.every((move, index) => move === way[index]);
  }

  /** The loss that the next move is, if the game stands before one. */
  get lossHere() {
    return this.isOnLine ? this.losses.find(({ number }) => number === this.#game.made + 1) : undefined;
  }

  clear() {
    this.#drop();
    this.dispatchEvent(new Event('change'));
  }

  /** Looks at moves as they were pasted, and puts them into the game, at its start. False when that was given up. */
  async paste(moves, form) {
    const { start } = this.#game;
    const answer = await this.#ask(moves, form);
    if (!answer) return false;
    const way = readMoves(moves, answer.form, start);
    this.#take(answer, way);
    this.#game.load(way);
    return true;
  }

  /** Looks at the moves of the game, up to where the player stands. False when that was given up. */
  async lookBack() {
    const way = this.#game.way.slice(0, this.#game.made);
    const answer = await this.#ask(writeWay(way), 'tile');
    if (!answer) return false;
    this.#take(answer, way);
    return true;
  }

  /** Goes to the board before a loss; with the moves that were looked at, if the game has others by now. */
  goTo({ number }) {
    if (!this.isOnLine) this.#game.load(this.way);
    this.#game.goTo(number - 1);
  }

  /** The answer, or null when another question, or another board, came in between. */
  async #ask(moves, form) {
    this.#question.abort();
    this.#question = new AbortController();
    const { signal } = this.#question;
    const { start, goal } = this.#game;
    try {
      const answer = await ask('/api/analyse', { board: start.text, goal, moves, ...(form && { form }) }, signal);
      return signal.aborted ? null : answer;
    } catch (error) {
      if (isAbort(error) || signal.aborted) return null;
      throw error;
    }
  }

  #drop() {
    this.#question.abort();
    this.answer = null;
    this.way = [];
    this.losses = [];
  }

  #take(answer, way) {
    this.answer = answer;
    this.way = way;
    const boards = this.#game.start.along(way);
    this.losses = (answer.losses ?? []).map(({ move, better_moves: better, ...loss }) => {
      const betterWay = better ? readMoves(better, answer.form, boards[move - 1]) : [];
      return { ...loss, number: move, direction: betterWay[0] ?? null, betterWay };
    });
    this.#learn(boards);
    this.dispatchEvent(new Event('change'));
  }

  /** Between two losses the moves were the best: with the better way at the next one they are a shortest way. */
  #learn(boards) {
    let from = (this.answer.known_from ?? 1) - 1;
    for (const { number, betterWay } of this.losses) {
      if (betterWay.length > 0) this.#distance.learn(boards[from], [...this.way.slice(from, number - 1), ...betterWay]);
      from = number;
    }
    if (this.answer.solves) this.#distance.learn(boards[from], this.way.slice(from));
  }
}
