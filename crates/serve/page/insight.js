// The server's bounds and findings for a board, asked for only while a panel shows them. Emits `change`.

import { ask, isAbort } from './server.js';

/** Milliseconds between two questions about a puzzle whose tables are not ready. */
const BETWEEN_QUESTIONS = 1000;

export class Insight extends EventTarget {
  /** The server's answer for the board, or null while there is none. */
  answer = null;
  /** Why there is no answer, in words. */
  trouble = null;
  #game;
  #question = new AbortController();
  #isWanted = false;

  constructor(game, distance) {
    super();
    this.#game = game;
    game.addEventListener('change', () => this.#refresh());
    distance.addEventListener('change', () => this.trouble && distance.state.kind === 'solved' && this.#refresh());
  }

  /** False while the answer is about the previous board. */
  get isCurrent() {
    const { board, goal, metric } = this.#game;
    return this.answer?.board === board.text && this.answer.asked === goal && this.answer.metric === metric;
  }

  set isWanted(isWanted) {
    this.#isWanted = isWanted;
    if (isWanted) this.#refresh();
  }

  async #refresh() {
    this.#question.abort();
    if (!this.#isWanted) {
      this.answer = null;
      return;
    }
    this.#question = new AbortController();
    const { signal } = this.#question;
    const { board, goal, puzzle } = this.#game;
    if (this.isCurrent) return;
    try {
      const answer = await ask('/api/show', { board: board.text, ...puzzle }, signal);
      if (signal.aborted) return;
      if (answer.limit) {
        this.#set(null, 'The server is preparing the tables of this puzzle…');
        setTimeout(() => !signal.aborted && this.#refresh(), BETWEEN_QUESTIONS);
      } else {
        this.#set({ ...answer, asked: goal }, null);
      }
    } catch (error) {
      if (!isAbort(error) && !signal.aborted) this.#set(null, error.message);
    }
  }

  #set(answer, trouble) {
    this.answer = answer;
    this.trouble = trouble;
    this.dispatchEvent(new Event('change'));
  }
}
