// Somebody's solution held against the shortest: where it lost moves, as the server found. Emits `change`.

import { endsOf, firstMove } from './metric.js';
import { readMoves, writeWay } from './notation.js';
import { ask, isAbort } from './server.js';

export class Review extends EventTarget {
  /** The server's answer; null when no solution is being looked at. */
  answer = null;
  /** The slides that can be made, from the start of the game. */
  way = [];
  /**
   * The moves that lost some, as the server has them; with `number`, from 1, the slides of the `move` itself, those of a `betterMove`, if
   * one is known, and `betterWay`.
   */
  losses = [];
  #game;
  #distance;
  #question = new AbortController();
  /** What was asked last: moves, and how they are written. */
  #asked = null;

  constructor(game, distance) {
    super();
    this.#game = game;
    this.#distance = distance;
    game.addEventListener('change', ({ detail }) => {
      // Nobody is told: what others know is still about the board before, and they hear of the new one anyway.
      if (detail.kind === 'new') this.#drop();
      if (detail.kind === 'metric') this.#askAgain();
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
    const way = this.#game.wayMade;
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

  /** What was lost is counted in the metric of the game: in another, the same moves are judged anew. */
  async #askAgain() {
    const { way, answer } = this;
    const asked = this.#asked;
    this.#drop();
    if (!answer) return;
    const again = await this.#ask(asked.moves, asked.form).catch(() => null);
    if (again) this.#take(again, way);
  }

  /** The answer, or null when another question, or another board, came in between. */
  async #ask(moves, form) {
    this.#asked = { moves, form };
    this.#question.abort();
    this.#question = new AbortController();
    const { signal } = this.#question;
    const { start, puzzle } = this.#game;
    try {
      const answer = await ask('/api/analyse', { board: start.text, ...puzzle, moves, ...(form && { form }) }, signal);
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
    const { metric, start } = this.#game;
    const ends = endsOf(way, metric);
    const boards = start.along(way);
    this.losses = (answer.losses ?? []).map(({ move: number, better_moves: better, ...loss }) => {
      const betterWay = better ? readMoves(better, answer.form, boards[ends[number - 1]]) : [];
      const move = way.slice(ends[number - 1], ends[number]);
      return { ...loss, number, move, betterMove: firstMove(betterWay, metric), betterWay };
    });
    this.#learn(boards, ends);
    this.dispatchEvent(new Event('change'));
  }

  /** Between two losses the moves were the best: with the better way at the next one they are a shortest way. */
  #learn(boards, ends) {
    let from = ends[(this.answer.known_from ?? 1) - 1];
    for (const { number, betterWay } of this.losses) {
      const before = this.way.slice(from, ends[number - 1]);
      if (betterWay.length > 0) this.#distance.learn(boards[from], [...before, ...betterWay]);
      from = ends[number];
    }
    if (this.answer.solves) this.#distance.learn(boards[from], this.way.slice(from));
  }
}
