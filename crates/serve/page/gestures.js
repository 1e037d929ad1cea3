// Keys, clicks, drags and swipes, turned into moves.

import { tilesOf } from './notation.js';

const KEYS = { ArrowUp: 'U', ArrowDown: 'D', ArrowLeft: 'L', ArrowRight: 'R' };
/** What uses the arrow keys itself. */
const HAS_OWN_KEYS = 'input, select, textarea, [role="tab"], .strip, .lesson';
/** Pixels before a press becomes a drag, and before a swipe counts. */
const DRAG_FROM = 6;
const SWIPE_FROM = 24;
/** The share of a square after which a tile that is let go slides on. */
const SLIDES_ON = 0.3;

/** Calls `onMoves` with the letters of moves, whatever they were made with. */
export function listen(tray, tiles, game, onMoves) {
  listenToKeys(tray, game, onMoves);
  listenToPointers(tray, tiles, game, onMoves);
}

/** Keys move tiles wherever the focus is, as long as the board can be seen. */
function listenToKeys(tray, game, onMoves) {
  document.addEventListener('keydown', (event) => {
    if (event.altKey || event.target.closest?.(HAS_OWN_KEYS) || tray.offsetParent === null) return;
    if (event.ctrlKey || event.metaKey) {
      const key = event.key.toLowerCase();
      if (key === 'y' || (key === 'z' && event.shiftKey)) game.redo();
      else if (key === 'z') game.undo();
      else return;
    } else if (KEYS[event.key]) {
      onMoves([KEYS[event.key]]);
    } else {
      return;
    }
    event.preventDefault();
  });
}

function listenToPointers(tray, tiles, game, onMoves) {
  let drag = null;
  let wasDrag = false;

  tray.addEventListener('pointerdown', (event) => {
    if (!event.isPrimary || event.button !== 0) return;
    const tile = tiles.tileOf(event.target);
    wasDrag = false;
    const line = tile ? lineOf(game.board, tile) : [];
    drag = { id: event.pointerId, x: event.clientX, y: event.clientY, line, board: game.board };
  });

  tray.addEventListener('pointermove', (event) => {
    if (drag?.id !== event.pointerId) return;
    const [dx, dy] = [event.clientX - drag.x, event.clientY - drag.y];
    if (!wasDrag && Math.hypot(dx, dy) < DRAG_FROM) return;
    if (!wasDrag) tray.setPointerCapture(event.pointerId);
    wasDrag = true;
    pull(tiles, drag, dx, dy);
  });

  const end = (event, isCancelled) => {
    if (drag?.id !== event.pointerId) return;
    const { line, board } = drag;
    const [dx, dy] = [event.clientX - drag.x, event.clientY - drag.y];
    release(tiles, drag);
    drag = null;
    if (isCancelled || !wasDrag || board !== game.board) return;
    const letter = directionOf(dx, dy);
    if (line.length > 0 && shareOf(tiles, line, dx, dy) > SLIDES_ON) onMoves(line.map((step) => step.letter));
    else if (line[0]?.letter !== letter && Math.hypot(dx, dy) > SWIPE_FROM) onMoves([letter]);
  };
  tray.addEventListener('pointerup', (event) => end(event, false));
  tray.addEventListener('pointercancel', (event) => end(event, true));

  // A click also comes from a screen reader; the one that ends a drag is no click.
  tray.addEventListener('click', (event) => {
    const tile = tiles.tileOf(event.target);
    if (wasDrag || !tile) return;
    onMoves(game.board.lineTo(game.board.squareOf(tile)));
  });
}

/** The tiles that a press on a tile would slide, the nearest to the blank first, with the letter of their move. */
function lineOf(board, tile) {
  const letters = board.lineTo(board.squareOf(tile));
  const tiles = tilesOf(board, letters);
  return letters.map((letter, index) => ({ letter, tile: tiles[index] }));
}

function directionOf(dx, dy) {
  if (Math.abs(dx) > Math.abs(dy)) return dx < 0 ? 'L' : 'R';
  return dy < 0 ? 'U' : 'D';
}

/** How far a line of tiles is dragged towards the blank, as a share of a square. */
function shareOf(tiles, line, dx, dy) {
  const along = { L: -dx, R: dx, U: -dy, D: dy }[line[0].letter];
  return Math.min(1, Math.max(0, along / tiles.side));
}

function pull(tiles, { line }, dx, dy) {
  if (line.length === 0) return;
  const share = shareOf(tiles, line, dx, dy);
  const [x, y] = { L: [-share, 0], R: [share, 0], U: [0, -share], D: [0, share] }[line[0].letter];
  for (const { tile } of line) {
    const style = tiles.button(tile).style;
    style.setProperty('--dx', x);
    style.setProperty('--dy', y);
    tiles.button(tile).classList.add('is-dragged');
  }
}

function release(tiles, { line }) {
  for (const { tile } of line) {
    const button = tiles.button(tile);
    button?.classList.remove('is-dragged');
    button?.style.removeProperty('--dx');
    button?.style.removeProperty('--dy');
  }
}
