// What is known about boards already seen: the least recently used are forgotten first.

const CAPACITY = 4000;

export class Known {
  #answers = new Map();

  /** The answer for a board, or undefined: `{ length, way, proof }`. */
  get(goal, board) {
    const key = keyOf(goal, board);
    const answer = this.#answers.get(key);
    if (answer) {
      this.#answers.delete(key);
      this.#answers.set(key, answer);
    }
    return answer;
  }

  /**
   * Keeps a shortest way from a board, and with it the ways from all boards on it: what is left of a shortest way is
   * shortest too. `proof` says how the server found it; the boards further on follow from it without a search. The way
   * replaces others that were known from boards on it, so that who follows it is not led to another half-way.
   */
  keepWay(goal, board, way, proof) {
    board.along(way).forEach((at, made) => {
      const left = way.slice(made);
      this.#keep(keyOf(goal, at), { length: left.length, way: left, proof: made === 0 ? proof : null });
    });
  }

  /** Keeps a shortest way from one board, and leaves those from the boards on it as they are. */
  keepOne(goal, board, way, proof) {
    this.#keep(keyOf(goal, board), { length: way.length, way, proof });
  }

  /** Keeps a way from a board, and what is left of it from the boards on it, wherever that is shorter than what is known. */
  keepIfShorter(goal, board, way) {
    board.along(way).forEach((at, made) => {
      const [key, left] = [keyOf(goal, at), way.slice(made)];
      if (!(this.#answers.get(key)?.length <= left.length)) this.#keep(key, { length: left.length, way: left, proof: null });
    });
  }

  #keep(key, answer) {
    const proof = answer.proof ?? this.#answers.get(key)?.proof ?? null;
    this.#answers.delete(key);
    this.#answers.set(key, { ...answer, proof });
    if (this.#answers.size > CAPACITY) this.#answers.delete(this.#answers.keys().next().value);
  }
}

function keyOf(goal, board) {
  return `${goal}|${board.text}`;
}
