// The two views of the page: the game, and the lesson, whose scripts come when it is first opened.

import { fragmentOf, readFragment } from './address.js';
import { byId } from './dom.js';

export class Views {
  #game;
  #lesson = null;
  #view = 'play';

  constructor(game) {
    this.#game = game;
    byId('view-play').addEventListener('click', () => {
      this.#show('play');
      this.#keepAddress();
    });
    byId('view-lesson').addEventListener('click', () => this.openLesson());
    addEventListener('hashchange', () => this.readAddress());
    game.addEventListener('change', ({ detail }) => {
      if (detail.kind === 'new' && this.#view === 'lesson') this.#lesson?.open(game.board, game.goal);
    });
  }

  get isGame() {
    return this.#view === 'play';
  }

  /** The address of what is shown, also when the page was opened without one. */
  get fragment() {
    return this.isGame ? fragmentOf(this.#game) : fragmentOf(this.#lesson, Object.values(this.#lesson.chosen));
  }

  /** Opens the lesson where the address is one's. Its board becomes the game's, perhaps a little later. */
  readAddress() {
    const lesson = readFragment(location.hash)?.lesson;
    if (lesson) this.openLesson(lesson);
    else this.#show('play');
  }

  /** With the game's board, and the heuristics that are named. */
  async openLesson(heuristics) {
    const { Lesson } = await import('./lesson.js');
    this.#show('lesson');
    this.#lesson ??= new Lesson(byId('lesson'), () => this.#keepAddress());
    this.#lesson.open(this.#game.board, this.#game.goal, heuristics);
  }

  #show(view) {
    this.#view = view;
    if (view === 'play') this.#lesson?.close();
    byId('game').hidden = view !== 'play';
    byId('lesson').hidden = view !== 'lesson';
    for (const each of ['play', 'lesson']) byId(`view-${each}`).setAttribute('aria-pressed', String(each === view));
  }

  #keepAddress() {
    history.replaceState(null, '', this.fragment);
  }
}
