// New boards: scrambled by the server, pasted in any notation, or read from the address.

import { byId, make, setText } from './dom.js';
import { Board, GOALS, goalBoard } from './board.js';
import { readFragment } from './address.js';
import { confirm } from './question.js';
import { ask } from './server.js';
import { count } from './words.js';

const SIDES = [2, 3, 4, 5];
/** The most moves that a board of a size can need, the goal's blank in a corner, by metric; for others the server has to say. */
const FARTHEST = {
  stm: { '2x2': 6, '2x3': 21, '3x2': 21, '3x3': 31, '4x4': 80 },
  mtm: { '2x2': 6, '2x3': 20, '3x2': 20, '3x3': 24, '4x4': 43 },
};

const TOO_LONG = 'The page shows boards from 2x2 to 5x5; for longer ones there is tilebase solve.';

/** True for boards that the page has room for. */
function isShown(board) {
  return board !== null && SIDES.includes(board.width) && SIDES.includes(board.height);
}

export class NewBoard {
  #game;
  #fields = Object.fromEntries(['width', 'height', 'goal', 'difficulty', 'paste'].map((id) => [id, byId(id)]));
  #question = 0;
  /** Gives up the question before: a board that is hard to find takes the server seconds. */
  #asked = new AbortController();
  /** True for a board that somebody pasted or opened by a link: nobody else has it. */
  #isEntered = false;

  constructor(game) {
    this.#game = game;
    for (const side of SIDES) {
      this.#fields.width.append(make('option', { text: side }));
      this.#fields.height.append(make('option', { text: side }));
    }
    this.#reflect();
    game.addEventListener('change', ({ detail }) => {
      if (detail.kind === 'new') this.#reflect();
      if (detail.kind === 'metric') this.#limitDifficulty();
    });
    for (const id of ['width', 'height', 'goal']) this.#fields[id].addEventListener('change', () => this.#changeKind());
    byId('new-board').addEventListener('submit', async (event) => {
      event.preventDefault();
      if (await this.#scramble()) byId('board').focus();
    });
    byId('paste-form').addEventListener('submit', (event) => {
      event.preventDefault();
      this.#paste(this.#fields.paste.value);
    });
    document.addEventListener('paste', (event) => {
      if (event.target.closest?.('input, textarea')) return;
      this.#paste(event.clipboardData.getData('text'));
    });
    addEventListener('hashchange', () => this.readAddress());
  }

  /** Takes the board of the address; false when there is none, or the server has to read it first. */
  readAddress() {
    const read = readFragment(location.hash);
    if (!read || (!read.board.trim() && read.lesson)) return false;
    const board = Board.read(read.board);
    const isPlain = isShown(board) && goalBoard(read.goal, board.width, board.height);
    if (!isPlain) this.#takeAddress(read);
    else this.#set(board, read.goal, true);
    return Boolean(isPlain);
  }

  /** What only the server can read may be no board at all: then the page says so, and goes on with the board that it has. */
  async #takeAddress({ board, goal }) {
    await this.#askFor('/api/show', { board, goal }, goal, true, (message) => {
      const trouble = byId('address-trouble');
      trouble.hidden = false;
      setText(trouble, `The address names no board (#${shortened(board)}): ${message}. The board below is another one.`);
    });
  }

  get #size() {
    return `${this.#fields.width.value}x${this.#fields.height.value}`;
  }

  /** What would be lost with the board, in words; nothing when it is solved, or was only made by chance. */
  get #loss() {
    const { made, canRedo, isSolved } = this.#game;
    if (isSolved) return null;
    if (made > 0) return `the ${count(made, 'move')} that you have made`;
    return this.#isEntered || canRedo ? 'the board that you have entered' : null;
  }

  /** Another size or goal is another puzzle: its first board is a random one. */
  async #changeKind() {
    const loss = this.#loss;
    if (loss && !(await confirm(`Another size or goal means a new board: ${loss} would be lost.`))) {
      this.#reflect();
      return;
    }
    this.#fields.difficulty.value = '';
    const isOwn = !(this.#fields.goal.value in GOALS);
    if (isOwn && this.#size !== this.#game.board.size) this.#fields.goal.value = 'blank-last';
    this.#limitDifficulty();
    this.#scramble();
  }

  #limitDifficulty() {
    const farthest = this.#fields.goal.value === 'snail' ? undefined : FARTHEST[this.#game.metric][this.#size];
    const most = farthest ? `; ${farthest} moves are the most` : '';
    setText(byId('difficulty-help'), `Leave it empty for a random board${most}.`);
  }

  /** Resolves to whether there is a new board. */
  #scramble() {
    const text = this.#fields.difficulty.value.trim();
    if (text === '' && this.#fields.difficulty.validity.badInput) {
      this.#trouble('Moves away is a number, or empty for a random board.');
      return false;
    }
    const [size, goal, { metric }] = [this.#size, this.#fields.goal.value, this.#game];
    const question = { size, goal, metric, ...(text && { distance: Number(text) }) };
    return this.#askFor('/api/scramble', question, question.goal);
  }

  /** A list without rows is read in the size that is chosen, if that fits. */
  async #paste(text) {
    const list = text.trim().replace(/^[[({]+|[\])}]+$/g, '');
    const isFlat = !/[/;|\n[\](){}]/.test(list);
    const words = list.split(/[\s,]+/).filter(Boolean);
    // One word has a character for each square.
    const squares = words.length === 1 ? [...words[0]].length : words.length;
    const fits = squares === Number(this.#fields.width.value) * Number(this.#fields.height.value);
    const size = isFlat && fits ? this.#size : undefined;
    const goal = this.#fields.goal.value;
    const isTaken = await this.#askFor('/api/show', { board: text, goal, size }, goal, true);
    if (!isTaken) return;
    byId('paste-details').open = false;
    byId('board').focus();
  }

  /** Takes the board of an answer; resolves to whether there is one. */
  async #askFor(path, question, goal, isEntered = false, onTrouble = (message) => this.#trouble(message)) {
    this.#question += 1;
    const mine = this.#question;
    this.#asked.abort();
    this.#asked = new AbortController();
    try {
      const answer = await ask(path, question, this.#asked.signal);
      if (mine !== this.#question) return false;
      const board = Board.read(answer.board);
      if (!isShown(board)) throw new Error(TOO_LONG);
      this.#set(board, goal in GOALS ? goal : answer.goal, isEntered);
      return true;
    } catch (error) {
      if (mine === this.#question) onTrouble(error.message);
      return false;
    }
  }

  #set(board, goal, isEntered) {
    this.#question += 1;
    this.#isEntered = isEntered;
    this.#game.set(board, goal);
  }

  #trouble(message) {
    const element = byId('new-trouble');
    element.hidden = !message;
    setText(element, message);
  }

  /** The form says what is on the board. */
  #reflect() {
    const { board, goal } = this.#game;
    this.#trouble('');
    byId('address-trouble').hidden = true;
    this.#fields.width.value = board.width;
    this.#fields.height.value = board.height;
    const own = goal in GOALS ? [] : [make('option', { value: goal, text: 'its own' })];
    const named = Object.entries(GOALS).map(([value, text]) => make('option', { value, text }));
    this.#fields.goal.replaceChildren(...named, ...own);
    this.#fields.goal.value = goal;
    this.#limitDifficulty();
  }
}

/** The beginning of a text that may be anything. */
function shortened(text) {
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}
