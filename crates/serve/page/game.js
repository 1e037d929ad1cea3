// The game: where it began, what was played, and where in that the player stands. Emits `change` with what happened. It keeps slides
// of single tiles, and counts moves in the metric that was chosen: whoever takes back a move takes back all of its slides.

import { goalBoard } from './board.js';
import { endsOf, lengthOf, movesOf } from './metric.js';

export class Game extends EventTarget {
  #boards = [];
  #slides = [];
  /** How many slides lead from the start to the board. */
  #position = 0;
  #clock = { started: null, stopped: null };

  constructor(board, goal, metric) {
    super();
    this.metric = metric;
    this.#begin(board, goal);
  }

  /** What is to be solved, as the server is asked: the goal, and what counts as one move. */
  get puzzle() {
    return { goal: this.goal, metric: this.metric };
  }

  get board() {
    return this.#boards[this.#position];
  }

  get start() {
    return this.#boards[0];
  }

  /** The boards before and after every move of the game, those taken back included. */
  get boards() {
    const made = endsOf(this.wayMade, this.metric);
    const ahead = endsOf(this.way.slice(this.#position), this.metric).slice(1);
    return [...made, ...ahead.map((end) => this.#position + end)].map((end) => this.#boards[end]);
  }

  /** The board, and those that its last move leads to if further tiles slide in the same direction. */
  get boardsOfMove() {
    const boards = [this.board];
    const last = this.#slides[this.#position - 1]?.direction;
    while (this.metric === 'mtm' && last && boards.at(-1).after(last)) boards.push(boards.at(-1).after(last));
    return boards;
  }

  /** The directions of all slides of the game, those taken back included. */
  get way() {
    return this.#slides.map(({ direction }) => direction);
  }

  /** Those that lead from the start to the board. */
  get wayMade() {
    return this.way.slice(0, this.#position);
  }

  /** How many moves of the game the player made without help. */
  get ownMoves() {
    const ends = endsOf(this.way, this.metric);
    const isOwn = (end, index) => this.#slides.slice(ends[index], end).some(({ isHelp }) => !isHelp);
    return ends.slice(1).filter(isOwn).length;
  }

  /** How many moves lead from the start to the board. */
  get made() {
    return lengthOf(this.wayMade, this.metric);
  }

  get canUndo() {
    return this.#position > 0;
  }

  get canRedo() {
    return this.#position < this.#slides.length;
  }

  get isSolved() {
    return this.board.text === this.goalBoard.text;
  }

  /** True when a move was played for the player. */
  get isHelped() {
    return this.#slides.slice(0, this.#position).some((slide) => slide.isHelp);
  }

  /** True when the moves up to here were pasted, and not played. */
  get isPasted() {
    return this.#position > 0 && this.#slides[this.#position - 1].isPasted === true;
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
    this.#emit({ kind: 'new', slides: [] });
  }

  /** Counts in another metric from now on, also what was played before. */
  countIn(metric) {
    if (metric === this.metric) return;
    this.metric = metric;
    this.#emit({ kind: 'metric', slides: [] });
  }

  #begin(board, goal) {
    this.goal = goal;
    this.goalBoard = goalBoard(goal, board.width, board.height);
    this.#boards = [board];
    this.#slides = [];
    this.#position = 0;
    this.#clock = { started: null, stopped: null };
  }

  /** Slides tiles, one for each letter; letters that lead over the edge do nothing. */
  play(directions, { isHelp = false } = {}) {
    const slides = [];
    for (const direction of directions) {
      const tile = this.board.tileThatSlides(direction);
      if (tile === 0) break;
      const slide = { direction, tile, isHelp };
      this.#boards = [...this.#boards.slice(0, this.#position + 1), this.board.after(direction)];
      this.#slides = [...this.#slides.slice(0, this.#position), slide];
      this.#position += 1;
      slides.push(slide);
    }
    if (slides.length === 0) return;
    this.#clock.started ??= performance.now();
    if (this.isSolved) this.#clock.stopped ??= performance.now();
    this.#emit({ kind: 'play', slides });
  }

  undo() {
    if (!this.canUndo) return;
    const end = this.#position;
    this.#position -= movesOf(this.wayMade, this.metric).at(-1).length;
    this.#emit({ kind: 'undo', slides: this.#slides.slice(this.#position, end) });
  }

  redo() {
    if (!this.canRedo) return;
    const begin = this.#position;
    this.#position += movesOf(this.way.slice(begin), this.metric)[0].length;
    this.#emit({ kind: 'redo', slides: this.#slides.slice(begin, this.#position) });
  }

  /** Begins anew from the start with moves that were pasted: all of them are still to come. */
  load(way) {
    this.#begin(this.start, this.goal);
    this.#boards = this.start.along(way);
    this.#slides = way.map((direction, index) => {
      return { direction, tile: this.#boards[index].tileThatSlides(direction), isHelp: true, isPasted: true };
    });
    this.#emit({ kind: 'load', slides: [] });
  }

  /** Goes to where this many moves are made, back or forth. */
  goTo(made) {
    this.#position = endsOf(this.way, this.metric)[made] ?? this.#slides.length;
    this.#emit({ kind: 'jump', slides: [] });
  }

  /** Back to where the game began. */
  restart() {
    this.#begin(this.start, this.goal);
    this.#emit({ kind: 'restart', slides: [] });
  }

  #emit(detail) {
    this.dispatchEvent(new CustomEvent('change', { detail }));
  }
}
