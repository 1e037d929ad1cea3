// Ways in writing: the four notations of the program, made here too because a way that was begun is no longer the
// server's.

import { DIRECTIONS } from './board.js';
import { list } from './words.js';

/** `D3L2` as one letter for each move. */
export function readWay(moves) {
  return [...moves.matchAll(/([UDLR])(\d*)/g)].flatMap(([, letter, count]) => Array(Number(count || 1)).fill(letter));
}

const SIGNS = { tile: /([UDLR])(\d*)/g, blank: /([UDLR])(\d*)/g, arrows: /([↑↓←→])(\d*)/g, tiles: /(\d+)()/g };

/** Moves in any notation as one letter for each, as far as they can be made; whether they are moves is the server's to say. */
export function readMoves(text, form, board) {
  const way = [];
  let at = board;
  for (const [, sign, times] of text.matchAll(SIGNS[form])) {
    for (let left = Number(times || 1); left > 0; left -= 1) {
      const direction = directionOf(sign, form, at);
      const next = direction && at.after(direction);
      if (!next) return way;
      way.push(direction);
      at = next;
    }
  }
  return way;
}

function directionOf(sign, form, board) {
  if (form === 'tile') return sign;
  if (form === 'blank') return DIRECTIONS[sign].opposite;
  const isMeant = form === 'arrows'
    ? (direction) => DIRECTIONS[direction].arrow === sign
    : (direction) => board.tileThatSlides(direction) === Number(sign) && sign !== '0';
  return Object.keys(DIRECTIONS).find(isMeant);
}

/** One letter for each move as `D3L2`. */
export function writeWay(way) {
  return way.join('').replace(/(.)\1*/g, (run, letter) => letter + (run.length > 1 ? run.length : ''));
}

/** The numbers of the tiles that slide, one for each move. */
export function tilesOf(board, way) {
  return board.along(way).slice(0, -1).map((at, index) => at.tileThatSlides(way[index]));
}

/** A move in words, the nearest tile to the blank first: `7 up`, `13, 9 and 5 down`. */
export function moveInWords(board, move) {
  return `${list(tilesOf(board, move))} ${DIRECTIONS[move[0]].word}`;
}

/** A way in all notations, as rows of a name, an explanation and the text. */
export function notations(board, way) {
  const opposite = way.map((direction) => DIRECTIONS[direction].opposite);
  const arrows = way.map((direction) => DIRECTIONS[direction].arrow);
  return [
    { name: 'tile', about: 'the direction in which the tile slides', text: writeWay(way) },
    { name: 'blank', about: 'the direction in which the blank goes', text: writeWay(opposite) },
    { name: 'tiles', about: 'the numbers of the tiles that slide', text: tilesOf(board, way).join(' ') },
    { name: 'arrows', about: 'an arrow for each tile that slides', text: arrows.join('') },
  ];
}
