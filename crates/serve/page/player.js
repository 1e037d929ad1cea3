// Plays the solution, a move at a time, until it is done or somebody moves a tile. Emits `change`.

export class Player extends EventTarget {
  /** Moves a second. */
  speed = 4;
  #game;
  #distance;
  #timer = 0;
  #isPlaying = false;

  constructor(game, distance) {
    super();
    this.#game = game;
    this.#distance = distance;
    game.addEventListener('change', ({ detail }) => {
      if (detail.kind !== 'play' || detail.moves.some((move) => !move.isHelp)) this.pause();
    });
  }

  get isPlaying() {
    return this.#isPlaying;
  }

  /** True when there is a way to follow. */
  get canStep() {
    const { kind, length } = this.#distance.state;
    return kind === 'solved' && length > 0;
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
    if (this.canStep) this.#game.play([this.#distance.state.way[0]], { isHelp: true });
  }

  #tick() {
    const { kind } = this.#distance.state;
    this.step();
    if (this.canStep || kind === 'searching') this.#timer = setTimeout(() => this.#tick(), 1000 / this.speed);
    else this.pause();
  }
}
