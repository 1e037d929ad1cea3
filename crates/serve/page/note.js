// The line under the board: how to play, a hint, the whole way, why there is none, or that it is done.

import { byId, make, setText } from './dom.js';
import { DIRECTIONS, GOALS } from './board.js';
import { firstMove, movesOf } from './metric.js';
import { moveInWords, tilesOf } from './notation.js';
import { announce } from './announce.js';
import { lossOnBoard } from './reviewwords.js';
import { clock, count, list } from './words.js';

/** What the button shows next, by what is shown now. */
const HINTS = { none: 'move', move: 'way', way: 'none' };
const LABELS = { none: 'Hint', move: 'Whole way', way: 'Hide way' };

/** `onLookBack` is for who wants to know where moves were lost. */
export function showNotes(game, distance, review, tiles, onLookBack) {
  const note = byId('note');
  const button = byId('hint');
  let hint = 'none';
  let shown = '';

  const render = () => {
    const { kind, isBrief } = distance.state;
    const { way } = distance;
    const hasWay = way?.length > 0;
    if (!isBrief) button.setAttribute('aria-disabled', String(!hasWay));
    setText(button, LABELS[hint]);
    const loss = review.lossHere;
    tiles.point(game.board, hasWay && hint !== 'none' ? firstMove(way, game.metric) : loss?.betterMove ?? []);
    const canLookBack = hasLostMoves(game, distance) && !review.isOnLine;
    const key = [game.metric, game.goal, game.board.text, game.made, hint, kind, way?.join(''), distance.of(game.start), loss?.number, canLookBack].join();
    if (key === shown || (isBrief && hint === 'way')) return;
    shown = key;
    note.replaceChildren(
      hasWay && hint === 'way' ? strip(game, distance) : sentence(game, distance, review, hint),
      ...(canLookBack ? [make('button', { type: 'button', id: 'look-back', text: 'Where did I lose moves?', onclick: onLookBack })] : []),
    );
    note.classList.toggle('is-solved', game.isSolved && game.made > 0);
  };

  button.addEventListener('click', () => {
    if (!distance.way || game.isSolved) return;
    hint = HINTS[hint];
    render();
    if (hint === 'move') announce(hintSentence(game, distance));
    if (hint === 'way') announce(`${wholeWay(distance)}: ${steps(game, distance.way).map(({ tiles }) => tiles.join(' ')).join(', ')}.`);
  });
  game.addEventListener('change', ({ detail }) => {
    const keepsWay = hint === 'way' && detail.kind !== 'new';
    hint = keepsWay ? 'way' : 'none';
  });
  for (const source of [distance, review]) source.addEventListener('change', render);

  /** Shows the whole way, as when a solution is chosen from the list. */
  return () => {
    hint = 'way';
    render();
  };
}

function sentence(game, distance, review, hint) {
  const { kind } = distance.state;
  if (kind === 'unsolvable') return unsolvable(game, distance.state);
  if (game.isSolved) return make('p', { text: solvedSentence(game, distance) });
  if (hint === 'move' && distance.way) return make('p', { text: hintSentence(game, distance) });
  if (review.lossHere) return make('p', { text: lossOnBoard(review.lossHere, game.board) });
  const line = game.metric === 'mtm' ? 'a whole line at once is one move' : 'a whole line at once too';
  return make('p', { class: 'help', text: `Arrow keys, a click or a swipe slide the tiles, ${line}.` });
}

/** Most boards without a solution have another goal in mind: those that they can reach are one click away. */
function unsolvable(game, { reason, otherGoals }) {
  const known = otherGoals.filter((goal) => goal in GOALS);
  if (known.length === 0) return make('p', { text: `${reason[0].toUpperCase()}${reason.slice(1)}.` });
  const button = (goal) => make('button', { type: 'button', text: GOALS[goal], onclick: () => reach(goal) });
  const reach = (goal) => {
    game.set(game.board, goal);
    byId('board').focus();
  };
  return make(
    'p',
    { class: 'other-goals', title: reason },
    'This board cannot reach this goal. It can reach: ',
    ...known.map(button),
  );
}

/** `Slide 7 up.`, `Slide 3 tiles down: 13, 9 and 5.` */
function hintSentence({ board, metric }, { way, isProved }) {
  const move = firstMove(way, metric);
  if (move.length === 1) return `Slide ${moveInWords(board, move)}${isProved ? '' : ': the best way so far'}.`;
  const slide = `Slide ${move.length} tiles ${DIRECTIONS[move[0]].word}: ${list(tilesOf(board, move))}`;
  return `${slide}${isProved ? '' : '; the best way so far'}.`;
}

function wholeWay({ isProved }) {
  return isProved ? 'The whole way' : 'The whole way, the best so far';
}

/** True when the game is over, and as far as is known fewer moves would have done. */
function hasLostMoves(game, distance) {
  return game.isSolved && game.made > 0 && game.made !== distance.of(game.start);
}

/** What was done and whether fewer moves would have done. */
export function solvedSentence(game, distance) {
  if (game.made === 0) return 'This is the goal. Scramble to play.';
  const fewest = distance.of(game.start);
  const verdict = fewest === null ? '' : game.made === fewest ? ', the fewest possible' : `; ${fewest} are enough`;
  const how = game.isPasted ? 'by the pasted moves' : game.isHelped ? 'with help' : `in ${clock(game.elapsed, false)}`;
  return `Solved ${how}: ${count(game.made, 'move')}${verdict}.`;
}

/** The moves of a way, each as its tiles, the nearest to the blank first, and their direction. */
function steps({ board, metric }, way) {
  const tiles = tilesOf(board, way);
  return movesOf(way, metric).map((move) => ({ tiles: tiles.splice(0, move.length), direction: move[0] }));
}

/** The whole way as a line of tiles and arrows that can be scrolled. */
function strip(game, distance) {
  const moves = steps(game, distance.way);
  const items = moves.map(({ tiles, direction }) =>
    make('li', {}, make('b', { text: tiles.join(' ') }), make('span', { text: DIRECTIONS[direction].arrow })),
  );
  const label = `${wholeWay(distance)}, ${count(moves.length, 'move')}`;
  return make('ol', { class: 'strip', tabindex: 0, 'aria-label': label }, ...items);
}
