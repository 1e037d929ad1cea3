// A picture of the game: the distance after every move, and the shortest way from the start beside it.

import { byId, makeSvg } from './dom.js';
import { count } from './words.js';

const HEIGHT = 150;
const MARGIN = { left: 30, right: 12, top: 12, bottom: 22 };
/** The fewest moves that the axis has room for. */
const FEWEST = 10;

export function showTimeline(game, distance) {
  const svg = byId('timeline');
  let frame = 0;
  const render = () => {
    cancelAnimationFrame(frame);
    frame = requestAnimationFrame(() => draw(svg, game, distance));
  };
  distance.addEventListener('change', render);
  new ResizeObserver(render).observe(svg);
}

function draw(svg, game, distance) {
  const values = game.boards.map((board) => distance.of(board));
  const known = values.filter((value) => value !== null);
  const [start, last] = [values[0], values.length - 1];
  const scale = scales(svg.clientWidth, Math.max(last, start ?? 0, FEWEST), Math.max(...known, FEWEST));
  svg.setAttribute('viewBox', `0 0 ${svg.clientWidth} ${HEIGHT}`);
  svg.setAttribute('aria-label', inWords(values, game.made));
  svg.replaceChildren(
    ...axes(scale),
    ...(start === null ? [] : [line('ideal', [[0, start], [start, 0]], scale)]),
    line('ahead', points(values).filter(([move]) => move >= game.made), scale),
    line('past', points(values).filter(([move]) => move <= game.made), scale),
    ...point(game.made, values[game.made], scale),
  );
}

/** From moves and distances to pixels. */
function scales(width, moves, highest) {
  const { left, right, top, bottom } = MARGIN;
  return {
    moves,
    highest,
    x: (move) => left + (move / moves) * (width - left - right),
    y: (value) => HEIGHT - bottom - (value / highest) * (HEIGHT - top - bottom),
  };
}

function points(values) {
  return values.map((value, move) => [move, value]).filter(([, value]) => value !== null);
}

function line(name, points, { x, y }) {
  return makeSvg('polyline', { class: name, points: points.map(([move, value]) => `${x(move)},${y(value)}`).join(' ') });
}

function point(move, value, { x, y }) {
  if (value === null) return [];
  return [makeSvg('circle', { class: 'now', cx: x(move), cy: y(value), r: 5 })];
}

function axes({ moves, highest, x, y }) {
  const label = (text, at, anchor) => makeSvg('text', { ...at, 'text-anchor': anchor, text });
  const rule = (value) => makeSvg('line', { class: 'rule', x1: x(0), x2: x(moves), y1: y(value), y2: y(value) });
  return [
    rule(0),
    rule(highest),
    label(highest, { x: x(0) - 8, y: y(highest) + 4 }, 'end'),
    label(0, { x: x(0) - 8, y: y(0) + 4 }, 'end'),
    label('0', { x: x(0), y: HEIGHT - 4 }, 'middle'),
    label(count(moves, 'move'), { x: x(moves), y: HEIGHT - 4 }, 'end'),
  ];
}

/** The picture for those who cannot see it. */
function inWords(values, made) {
  const known = values.filter((value) => value !== null);
  if (known.length === 0) return 'Distance over the moves made: not known yet.';
  const say = (value) => (value === null ? 'not known' : value);
  return `Distance over ${count(values.length - 1, 'move')}: ${say(values[0])} at the start, ` +
    `${Math.max(...known)} at most, ${say(values[made])} now, after ${count(made, 'move')}.`;
}
