// The board as it is seen: a tray, and a button for each tile that slides to its square.

import { make, setText } from './dom.js';
import { DIRECTIONS } from './board.js';
import { tilesOf } from './notation.js';

export class Tiles {
  #tray;
  #buttons = new Map();
  #size = '';

  constructor(tray) {
    this.#tray = tray;
  }

  /** The button of a tile. */
  button(tile) {
    return this.#buttons.get(tile);
  }

  /** The tile that a button is; 0 for anything else. */
  tileOf(element) {
    return Number(element?.closest?.('.tile')?.dataset.tile ?? 0);
  }

  /** The length of a square's side in pixels. */
  get side() {
    return this.#buttons.get(1).offsetWidth;
  }

  show(board, goal) {
    if (board.size !== this.#size) this.#build(board);
    board.tiles.forEach((tile, square) => {
      if (tile === 0) return;
      const { x, y } = board.place(square);
      const button = this.#buttons.get(tile);
      button.style.setProperty('--x', x);
      button.style.setProperty('--y', y);
      button.classList.toggle('is-home', goal.tiles[square] === tile);
      button.setAttribute('aria-label', `${tile}, row ${y + 1}, column ${x + 1}`);
    });
    this.#tray.classList.toggle('is-solved', board.text === goal.text);
    setText(document.getElementById('board-rows'), describe(board));
  }

  #build(board) {
    this.#size = board.size;
    this.#buttons.clear();
    this.#tray.style.setProperty('--columns', board.width);
    this.#tray.style.setProperty('--rows', board.height);
    this.#tray.setAttribute('aria-label', `Board, ${board.width} wide, ${board.height} high`);
    for (let tile = 1; tile < board.tiles.length; tile += 1) {
      const number = make('span', { class: 'tile-number', text: tile });
      const mark = make('span', { class: 'tile-mark', 'aria-hidden': 'true' });
      const face = make('span', { class: 'tile-face' }, number, mark);
      this.#buttons.set(tile, make('button', { type: 'button', class: 'tile', tabindex: -1, 'data-tile': tile }, face));
    }
    this.#tray.replaceChildren(...this.#buttons.values());
  }

  /** Marks the tiles that should slide, with arrows; none when the move has no slides. */
  point(board, move) {
    for (const button of this.#tray.querySelectorAll('.is-hint')) button.classList.remove('is-hint');
    tilesOf(board, move).forEach((tile, index) => {
      const button = this.#buttons.get(tile);
      button.classList.add('is-hint');
      button.dataset.arrow = DIRECTIONS[move[index]].word;
    });
  }

  /** Colours tiles by group; `groups` are lists of tiles, each with the letter that marks them. */
  colour(groups) {
    for (const button of this.#buttons.values()) {
      delete button.dataset.colour;
      setText(button.querySelector('.tile-mark'), '');
    }
    this.#tray.classList.toggle('is-coloured', groups.length > 0);
    groups.forEach(({ letter, colour, tiles }) => {
      for (const tile of tiles) {
        const button = this.#buttons.get(tile);
        if (!button) continue;
        button.dataset.colour ??= colour;
        button.querySelector('.tile-mark').textContent += letter;
      }
    });
  }

  /** How long a tile takes to slide, in milliseconds. */
  set duration(milliseconds) {
    this.#tray.style.setProperty('--slide', `${milliseconds}ms`);
  }
}

/** The board row by row, for those who cannot see it. */
function describe(board) {
  const rows = board.rows().map((row, y) => `Row ${y + 1}: ${row.map((tile) => tile || 'blank').join(', ')}.`);
  return rows.join(' ');
}
