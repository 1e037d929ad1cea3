// The large number and the figures beside it: distance, moves made, moves wasted, time, and how it is known.

import { byId, setText } from './dom.js';
import { clock, large, time } from './words.js';

export function showScore(game, distance) {
  const number = byId('distance-number');
  const stop = byId('stop');

  const render = () => {
    const state = distance.state;
    const view = VIEWS[state.kind](state, game, distance.place);
    number.classList.toggle('is-stale', view.value === null && !state.isBrief);
    if (view.value !== null) {
      setText(byId('distance-value'), view.value);
      setText(byId('distance-sign'), view.sign ?? '');
    }
    setText(byId('distance-label'), view.label);
    setText(byId('proof'), view.proof);
    byId('proof').classList.toggle('is-trouble', state.kind === 'failed');
    stop.hidden = !view.button;
    setText(stop, view.button ?? '');
    setText(byId('made'), String(game.made));
    setText(byId('wasted'), wasted(game, distance));
  };

  distance.addEventListener('change', render);
  stop.addEventListener('click', () => (distance.state.kind === 'searching' ? distance.stop() : distance.refresh()));
  runClock(game);
}

/**
 * Moves that did not bring the goal nearer: made, and still to make, beyond what the start needed. Who slides a line of tiles one by
 * one has wasted nothing half-way: the others may still join the move.
 */
function wasted(game, distance) {
  const start = distance.of(game.start);
  if (start === null || distance.of(game.board) === null) return '–';
  const left = game.boardsOfMove.map((board) => distance.of(board)).filter((length) => length !== null);
  return String(game.made + Math.min(...left) - start);
}

const VIEWS = {
  solved: ({ length, proof }, game, place) => ({
    value: String(length),
    label: game.isSolved ? 'solved' : length === 1 ? 'move to go' : 'moves to go',
    proof: game.isSolved ? 'Every tile is where it belongs.' : `${proofLine(proof)} ${place}`.trim(),
  }),
  searching: ({ progress, best, isBrief }) => ({
    ...known(best, progress?.at_least ?? null, ', searching'),
    proof: progress ? searchLine(progress) : 'Searching…',
    button: isBrief ? undefined : 'Stop',
  }),
  stopped: ({ atLeast, progress, best }) => ({
    ...(best || atLeast !== null ? known(best, atLeast, ', proved') : { value: '?', label: 'distance unknown' }),
    proof: progress ? `Stopped after ${time(progress.seconds)} and ${large(progress.nodes)} nodes.` : 'Stopped.',
    button: 'Search again',
  }),
  unsolvable: () => ({ value: '∞', label: 'no way to the goal', proof: 'This board cannot reach the goal.' }),
  failed: ({ message }) => ({ value: '?', label: 'distance unknown', proof: message, button: 'Try again' }),
};

/** The best way so far and what is proved, as far as there is any of it. */
function known(best, atLeast, and) {
  if (best) {
    const bound = atLeast === null ? '' : `, at least ${atLeast}${and}`;
    return { value: String(best.length), sign: '≤', label: `${best.length === 1 ? 'move' : 'moves'} now${bound}` };
  }
  if (atLeast !== null) return { value: String(atLeast), sign: '≥', label: `moves at least${and}` };
  return { value: null, label: 'moves to go' };
}

function proofLine(proof) {
  if (!proof) return 'Follows from the solution before.';
  const { seconds, nodes, tables } = proof;
  return `Proved in ${time(seconds)}: ${large(nodes)} ${nodes === 1 ? 'node' : 'nodes'}, tables ${tables}.`;
}

function searchLine({ nodes, nodes_per_second: speed, seconds, bound_seconds_left: left }) {
  const bound = left == null ? '' : `, about ${time(Math.max(1, left))} to the next bound`;
  return `${large(nodes)} nodes, ${large(speed)} a second, ${time(seconds)}${bound}`;
}

/** The clock runs only while somebody plays. */
function runClock(game) {
  const element = byId('clock');
  let timer = 0;
  const render = () => setText(element, clock(game.elapsed, game.isTiming));
  game.addEventListener('change', () => {
    clearInterval(timer);
    if (game.isTiming) timer = setInterval(render, 100);
    render();
  });
}
