// What is known about boards already seen: the least recently used are forgotten first. A puzzle is a goal, and the metric that
// lengths are counted in.

import { endsOf, lengthOf } from './metric.js';

const CAPACITY = 4000;

export class Known {
  #answers = new Map();

  /** The answer for a board, or undefined: `{ length, way, proof }`. */
  get(puzzle, board) {
    const key = keyOf(puzzle, board);
    const answer = this.#answers.get(key);
    if (answer) {
      this.#answers.delete(key);
      this.#answers.set(key, answer);
    }
    return answer;
  }

  /**
   * Keeps a shortest way from a board, and with it the ways from the boards between its moves: what is left of a shortest way is
   * shortest too. Not so in the midst of a move of several tiles, from where another way may be shorter. `proof` says how the server found it; the boards further on follow from it without a search. The way
   * replaces others that were known from boards on it, so that who follows it is not led to another half-way.
   */
  keepWay(puzzle, board, way, proof) {
    const boards = board.along(way);
    for (const made of endsOf(way, puzzle.metric)) {
      this.#keep(keyOf(puzzle, boards[made]), answerOf(puzzle, way.slice(made), made === 0 ? proof : null));
    }
  }

  /** Keeps a shortest way from one board, and leaves those from the boards on it as they are. */
  keepOne(puzzle, board, way, proof) {
    this.#keep(keyOf(puzzle, board), answerOf(puzzle, way, proof));
  }

  /** Keeps a way from a board, and what is left of it from the boards on it, wherever that is shorter than what is known. */
  keepIfShorter(puzzle, board, way) {
    board.along(way).forEach((at, made) => {
      const [key, left] = [keyOf(puzzle, at), answerOf(puzzle, way.slice(made), null)];
      if (!(this.#answers.get(key)?.length <= left.length)) this.#keep(key, left);
    });
  }

  #keep(key, answer) {
    const proof = answer.proof ?? this.#answers.get(key)?.proof ?? null;
    this.#answers.delete(key);
    this.#answers.set(key, { ...answer, proof });
    if (this.#answers.size > CAPACITY) this.#answers.delete(this.#answers.keys().next().value);
  }
}

function answerOf({ metric }, way, proof) {
  return { length: lengthOf(way, metric), way, proof };
}

function keyOf({ goal, metric }, board) {
  return `${metric}|${goal}|${board.text}`;
}
