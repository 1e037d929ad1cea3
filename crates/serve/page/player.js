// Plays the solution, a move at a time, until it is done or somebody moves a tile: the one that is being looked at, if there is
// any of it to come, or else the shortest, or the best so far. Emits `change`.

import { firstMove } from './metric.js';

export class Player extends EventTarget {
  /** Moves a second. */
  speed = 4;
  #game;
  #distance;
  #review;
  #isStepping = false;
  #timer = 0;
  #isPlaying = false;

  constructor(game, distance, review) {
    super();
    this.#game = game;
    this.#distance = distance;
    this.#review = review;
    game.addEventListener('change', ({ detail }) => {
      if (this.#isStepping) return;
      if (detail.kind !== 'play' || detail.slides.some((slide) => !slide.isHelp)) this.pause();
    });
  }

  get isPlaying() {
    return this.#isPlaying;
  }

  /** True when the next move is one of somebody's solution, and not of the shortest. */
  get isReplaying() {
    return this.#game.canRedo && this.#review.isOnLine;
  }

  /** True when there is a way to follow. */
  get canStep() {
    if (this.isReplaying) return true;
    return this.#distance.way?.length > 0;
  }

  start() {
    if (this.#isPlaying) return;
    this.#isPlaying = true;
    this.dispatchEvent(new Event('change'));
    this.#tick();
  }

  pause() {
    if (!this.#isPlaying) return;
    clearTimeout(this.#timer);
    this.#isPlaying = false;
    this.dispatchEvent(new Event('change'));
  }

  /** One move of the way. */
  step() {
    if (!this.canStep) return;
    this.#isStepping = true;
    if (this.isReplaying) this.#game.redo();
    else this.#game.play(firstMove(this.#distance.way, this.#game.metric), { isHelp: true });
    this.#isStepping = false;
  }

  #tick() {
    const { isReplaying } = this;
    const { kind } = this.#distance.state;
    this.step();
    const goesOn = isReplaying ? this.isReplaying : this.canStep || kind === 'searching';
    if (goesOn) this.#timer = setTimeout(() => this.#tick(), 1000 / this.speed);
    else this.pause();
  }
}
