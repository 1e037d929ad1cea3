// The exact distance of the board, live: known answers at once, others by a search that the next move cancels.

import { Known } from './known.js';
import { ask, askInLines, isAbort, Refused, Unreachable } from './server.js';
import { readWay } from './notation.js';
import { place } from './words.js';

const RETRY_AFTER = 1500;
/** A search shorter than this is not shown as one, so that nothing flickers at every move. Milliseconds. */
const BRIEF = 250;
/** Boards up to this size are mostly solved in a moment; on larger ones a search could take hours. */
const SQUARES_FOR_SHORT = 16;
/**
 * Seconds that a short search may take. The server does many of these at a time, but only few long ones, which report
 * how they get on; a board that needs longer gets one of those.
 */
const SHORT = 0.4;
/** Milliseconds without a move before a long search begins: one that ends at once would only take another's place. */
const QUIET = 150;

/**
 * What is known about the board that `refresh` was last called for. Emits `change` whenever `state` does; its `kind` is
 * - `searching`: `progress` once there is some, `best` once there is some solution, `isBrief` as long as nobody needs to know;
 * - `solved`: `length`, `way`, and `proof`, the server's answer, or null when it follows from another;
 * - `unsolvable`: `reason`, and `otherGoals`, the names of usual goals that the board can reach;
 * - `stopped`: `atLeast`, null when nothing is proved, `progress`, and `best`;
 * - `failed`: `message`.
 */
export class Distance extends EventTarget {
  state = { kind: 'searching', progress: null, best: null, isBrief: true };
  #game;
  #known;
  /** Ways that are not proved to be shortest. */
  #found = new Known();
  #search = new AbortController();
  #timer = 0;
  /** How many boards are how far, and the puzzle for which that was asked. */
  #census = { key: null, census: null };

  constructor(game, known) {
    super();
    this.#game = game;
    this.#known = known;
    addEventListener('pagehide', () => this.#cancel());
    addEventListener('pageshow', (event) => event.persisted && this.refresh());
  }

  /** The distance of any board of the game, as far as it is known. */
  of(board) {
    if (board.text === this.#game.goalBoard.text) return 0;
    return this.#known.get(this.#game.puzzle, board)?.length ?? null;
  }

  /** The way that can be followed: a shortest one, or the best so far; null as long as there is none. */
  get way() {
    return this.state.way ?? this.state.best?.way ?? null;
  }

  /** True when that way is proved to be shortest. */
  get isProved() {
    return this.state.kind === 'solved';
  }

  /** How the board compares with all others, in words; empty as long as that is not known. */
  get place() {
    const { kind, length } = this.state;
    const { key, census } = this.#census;
    return kind === 'solved' && key === this.#censusKey && census ? place(census, this.#game.board, length) : '';
  }

  /** Finds the distance of the game's board, and gives up on the one before. */
  async refresh() {
    this.#cancel();
    const signal = this.#search.signal;
    const { board, puzzle, isSolved } = this.#game;
    if (this.#census.key !== this.#censusKey) this.#count();
    const known = isSolved ? { length: 0, way: [], proof: null } : this.#known.get(puzzle, board);
    if (known) this.#set({ kind: 'solved', ...known });
    else await this.#solve(board, puzzle, signal);
    await this.#fillIn(signal);
  }

  /** Gives up the search; what it has proved so far stays. */
  stop() {
    if (this.state.kind !== 'searching') return;
    const { progress, best } = this.state;
    this.#cancel();
    this.#set({ kind: 'stopped', atLeast: progress?.at_least ?? null, progress, best });
  }

  /** From now on this way is the one followed. */
  follow(way) {
    const { board, puzzle } = this.#game;
    this.#known.keepWay(puzzle, board, way, null);
    this.#set({ kind: 'solved', ...this.#known.get(puzzle, board) });
  }

  get #censusKey() {
    return `${this.#game.metric}|${this.#game.goalBoard.text}`;
  }

  /** Learns how many boards are how far from the goal, where the server knows that. */
  async #count() {
    const key = this.#censusKey;
    this.#census = { key, census: null };
    try {
      const census = await ask('/api/census', { goal: this.#game.goalBoard.text, metric: this.#game.metric });
      if (this.#census.key !== key) return;
      this.#census.census = census.counts ? census : null;
      if (this.state.kind === 'solved') this.dispatchEvent(new Event('change'));
    } catch {
      // The search reports what is wrong; the next board asks again.
      if (this.#census.key === key) this.#census.key = null;
    }
  }

  /** A shortest way from any board of the game, known without a search of ours. */
  learn(board, way) {
    this.#known.keepWay(this.#game.puzzle, board, way, null);
  }

  async #solve(board, puzzle, signal) {
    const begin = (progress, isBrief) => {
      this.#set({ kind: 'searching', progress, best: this.#found.get(puzzle, board) ?? null, isBrief });
    };
    begin(null, true);
    this.#timer = setTimeout(() => begin(null, false), BRIEF);
    try {
      const answer = await search({ board: board.text, ...puzzle }, board.tiles.length, signal, (progress) => {
        if (signal.aborted) return;
        this.#learnBest(board, puzzle, progress);
        const best = this.#found.get(puzzle, board);
        // A way from an earlier search may be the one that this search has proved.
        if (best?.length <= progress.at_least) this.#prove(board, puzzle, best.way);
        else begin(progress, false);
      });
      if (!signal.aborted) this.#take(board, puzzle, answer);
    } catch (error) {
      if (!isAbort(error) && !signal.aborted) this.#fail(error);
    }
  }

  #take(board, puzzle, answer) {
    if (!answer.solvable) {
      this.#set({ kind: 'unsolvable', reason: answer.reason, otherGoals: answer.solvable_with ?? [] });
    } else if (answer.length === undefined || answer.optimal === false) {
      this.#learnBest(board, puzzle, answer);
      const best = this.#found.get(puzzle, board) ?? null;
      this.#set({ kind: 'stopped', atLeast: answer.at_least, progress: answer, best });
    } else {
      this.#known.keepWay(puzzle, board, readWay(answer.moves), answer);
      this.#set({ kind: 'solved', ...this.#known.get(puzzle, board) });
    }
  }

  /** The search has shown that no way is shorter than this one. */
  #prove(board, puzzle, way) {
    this.#cancel();
    this.#known.keepWay(puzzle, board, way, null);
    this.#set({ kind: 'solved', ...this.#known.get(puzzle, board) });
    // The search that would have gone on with this has just been given up.
    this.#fillIn(this.#search.signal);
  }

  /** Keeps a way that is shorter than those known, if there is one. */
  #learnBest(board, puzzle, { length, moves }) {
    const known = this.#found.get(puzzle, board);
    if (length !== undefined && !(known?.length <= length)) this.#found.keepIfShorter(puzzle, board, readWay(moves));
  }

  #fail(error) {
    this.#set({ kind: 'failed', message: error.message });
    const isPassing = error instanceof Unreachable || (error instanceof Refused && error.isPassing);
    if (isPassing) this.#timer = setTimeout(() => this.refresh(), RETRY_AFTER);
    else if (!(error instanceof Refused)) throw error;
  }

  /** Looks up the boards in between when several tiles slid at once, so that the timeline has no holes. */
  async #fillIn(signal) {
    if (signal.aborted || this.state.kind !== 'solved' || this.#game.board.tiles.length > SQUARES_FOR_SHORT) return;
    const { puzzle } = this.#game;
    for (const board of this.#game.boards) {
      if (signal.aborted) return;
      if (this.of(board) !== null) continue;
      try {
        const answer = await ask('/api/solve', { board: board.text, ...puzzle, time_limit: 5 }, signal);
        if (answer.length === undefined) return;
        this.#known.keepOne(puzzle, board, readWay(answer.moves), answer);
        if (!signal.aborted) this.dispatchEvent(new Event('change'));
      } catch {
        return; // The next move tries again, and its own search reports what is wrong.
      }
    }
  }

  #cancel() {
    clearTimeout(this.#timer);
    this.#search.abort();
    this.#search = new AbortController();
  }

  #set(state) {
    clearTimeout(this.#timer);
    this.state = state;
    this.dispatchEvent(new Event('change'));
  }
}

/** A short search first where that may do, then a long one. */
async function search(question, squares, signal, onProgress) {
  if (squares <= SQUARES_FOR_SHORT) {
    const answer = await ask('/api/solve', { ...question, time_limit: SHORT }, signal);
    if (!answer.limit) return answer;
    onProgress({ ...answer, nodes_per_second: answer.nodes / answer.seconds });
  } else {
    await new Promise((done) => { setTimeout(done, QUIET); });
  }
  signal.throwIfAborted();
  return askInLines('/api/solve', { ...question, anytime: true }, signal, onProgress);
}
