// Small pictures of the lesson: a board as big as a stamp, and bars.

import { make, makeSvg } from './dom.js';

const SQUARE = 20;

/** A board row by row, for those who cannot see it. */
export function rowsOf(board) {
  return board.rows().map((row) => row.map((tile) => tile || 'blank').join(' ')).join(', ');
}

/** A board, small. Tiles that are where they belong are marked as on the large one. */
export function stamp(board, goal, label) {
  const side = SQUARE * board.width;
  const tiles = board.tiles.flatMap((tile, square) => {
    if (tile === 0) return [];
    const { x, y } = board.place(square);
    const isHome = goal.tiles[square] === tile;
    return [
      makeSvg('rect', {
        x: x * SQUARE + 1, y: y * SQUARE + 1, width: SQUARE - 2, height: SQUARE - 2, rx: 3, class: isHome ? 'is-home' : null,
      }),
      makeSvg('text', { x: (x + 0.5) * SQUARE, y: (y + 0.5) * SQUARE + 4.5, 'text-anchor': 'middle', text: tile }),
    ];
  });
  const well = makeSvg('rect', { class: 'stamp-well', x: -2, y: -2, width: side + 4, height: side + 4, rx: 5 });
  const attributes = { viewBox: `-2 -2 ${side + 4} ${side + 4}`, role: 'img', 'aria-label': `${label}: ${rowsOf(board)}` };
  return makeSvg('svg', { class: 'stamp', ...attributes }, well, ...tiles);
}

/**
 * A bar for each value of f or each bound: how much is done of what will be, and pale behind it what another heuristic needs.
 * `mine`, `done` and `theirs` are counts by value; `now` is the value that is being worked on.
 */
export function bars(element, { mine, done, theirs, now, colourOf, unit }) {
  const values = [...new Set([...mine.keys(), ...theirs.keys()])].sort((a, b) => a - b);
  const most = Math.max(1, ...mine.values(), ...theirs.values());
  const height = (number) => `${Math.max(number > 0 ? 3 : 0, (number / most) * 100)}%`;
  const columns = values.map((value) => {
    const [full, so, other] = [mine.get(value) ?? 0, done.get(value) ?? 0, theirs.get(value) ?? 0];
    const parts = [['bar-ghost', other], ['bar-ahead', full], ['bar-done', so]].map(([name, number]) => {
      const part = make('span', { class: name });
      part.style.blockSize = height(number);
      if (name === 'bar-done' && colourOf) part.style.background = colourOf(value);
      return part;
    });
    const words = `${unit} ${value}: ${so} of ${full}${theirs.size > 0 ? `, ${other} with the other` : ''}`;
    return make('li', { class: value === now ? 'is-now' : null, title: words },
      make('span', { class: 'bar-stack', 'aria-hidden': 'true' }, ...parts),
      make('span', { class: 'bar-name', 'aria-hidden': 'true', text: value }),
      make('span', { class: 'hidden', text: words }));
  });
  element.replaceChildren(...columns);
}
