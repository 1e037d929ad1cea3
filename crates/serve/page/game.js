// The game: where it began, what was played, and where in that the player stands. Emits `change` with what happened.

import { goalBoard } from './board.js';

export class Game extends EventTarget {
  #boards = [];
  #moves = [];
  #position = 0;
  #clock = { started: null, stopped: null };

  constructor(board, goal) {
    super();
    this.#begin(board, goal);
  }

  get board() {
    return this.#boards[this.#position];
  }

  get start() {
    return this.#boards[0];
  }

  /** All boards of the game, those taken back included. */
  get boards() {
    return this.#boards;
  }

  /** The directions of all moves of the game, those taken back included. */
  get way() {
    return this.#moves.map(({ direction }) => direction);
  }

  /** How many of them the player made without help. */
  get ownMoves() {
    return this.#moves.filter(({ isHelp }) => !isHelp).length;
  }

  /** How many moves lead from the start to the board. */
  get made() {
    return this.#position;
  }

  get canUndo() {
    return this.#position > 0;
  }

  get canRedo() {
    return this.#position < this.#moves.length;
  }

  get isSolved() {
    return this.board.text === this.goalBoard.text;
  }

  /** True when a move was played for the player. */
  get isHelped() {
    return this.#moves.slice(0, this.#position).some((move) => move.isHelp);
  }

  /** True when the moves up to here were pasted, and not played. */
  get isPasted() {
    return this.#position > 0 && this.#moves[this.#position - 1].isPasted === true;
  }

  /** Milliseconds from the first move to the last, or to now. */
  get elapsed() {
    const { started, stopped } = this.#clock;
    return started === null ? 0 : (stopped ?? performance.now()) - started;
  }

  get isTiming() {
    return this.#clock.started !== null && this.#clock.stopped === null;
  }

  /** Begins anew with another board. */
  set(board, goal) {
    this.#begin(board, goal);
    this.#emit({ kind: 'new', moves: [] });
  }

  #begin(board, goal) {
    this.goal = goal;
    this.goalBoard = goalBoard(goal, board.width, board.height);
    this.#boards = [board];
    this.#moves = [];
    this.#position = 0;
    this.#clock = { started: null, stopped: null };
  }

  /** Slides tiles, one for each letter; letters that lead over the edge do nothing. */
  play(directions, { isHelp = false } = {}) {
    const moves = [];
    for (const direction of directions) {
      const tile = this.board.tileThatSlides(direction);
      if (tile === 0) break;
      const move = { direction, tile, isHelp };
      this.#boards = [...this.#boards.slice(0, this.#position + 1), this.board.after(direction)];
      this.#moves = [...this.#moves.slice(0, this.#position), move];
      this.#position += 1;
      moves.push(move);
    }
    if (moves.length === 0) return;
    this.#clock.started ??= performance.now();
    if (this.isSolved) this.#clock.stopped ??= performance.now();
    this.#emit({ kind: 'play', moves });
  }

  undo() {
    if (!this.canUndo) return;
    this.#position -= 1;
    this.#emit({ kind: 'undo', moves: [this.#moves[this.#position]] });
  }

  redo() {
    if (!this.canRedo) return;
    this.#position += 1;
    this.#emit({ kind: 'redo', moves: [this.#moves[this.#position - 1]] });
  }

  /** Begins anew from the start with moves that were pasted: all of them are still to come. */
  load(way) {
    this.#begin(this.start, this.goal);
    this.#boards = this.start.along(way);
    this.#moves = way.map((direction, index) => {
      return { direction, tile: this.#boards[index].tileThatSlides(direction), isHelp: true, isPasted: true };
    });
    this.#emit({ kind: 'load', moves: [] });
  }

  /** Goes to where so many moves are made, back or forth. */
  goTo(position) {
    this.#position = Math.min(position, this.#moves.length);
    this.#emit({ kind: 'jump', moves: [] });
  }

  /** Back to where the game began. */
  restart() {
    this.#begin(this.start, this.goal);
    this.#emit({ kind: 'restart', moves: [] });
  }

  #emit(detail) {
    this.dispatchEvent(new CustomEvent('change', { detail }));
  }
}
