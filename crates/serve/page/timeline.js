// A picture of the game: the distance after every move, and the shortest way from the start beside it.

import { byId, makeSvg } from './dom.js';
import { count, list } from './words.js';

const HEIGHT = 150;
const MARGIN = { left: 30, right: 12, top: 12, bottom: 22 };
/** The fewest moves that the axis has room for. */
const FEWEST = 10;

/** `onPick` gets the loss whose mark was clicked; the keyboard has the list. */
export function showTimeline(game, distance, review, onPick) {
  const svg = byId('timeline');
  let frame = 0;
  const render = () => {
    cancelAnimationFrame(frame);
    frame = requestAnimationFrame(() => draw(svg, game, distance, review, onPick));
  };
  for (const source of [distance, review]) source.addEventListener('change', render);
  new ResizeObserver(render).observe(svg);
}

function draw(svg, game, distance, review, onPick) {
  const values = game.boards.map((board) => distance.of(board));
  const losses = review.isOnLine ? review.losses : [];
  const known = [...values.filter((value) => value !== null), ...losses.map(leftAfter)];
  const [start, last] = [values[0], values.length - 1];
  svg.setAttribute('aria-label', inWords(values, game.made, losses));
  byId('timeline-losses').hidden = losses.length === 0;
  const figure = svg.closest('figure');
  figure.hidden = distance.state.kind === 'unsolvable';
  // Where there is nothing to plot yet, the place stays empty: what follows does not jump when there is.
  const isEmpty = known.length === 0 || (last === 0 && start === 0);
  figure.classList.toggle('is-empty', isEmpty);
  if (isEmpty) return svg.replaceChildren();
  const scale = scales(svg.clientWidth, Math.max(last, start ?? 0, FEWEST), Math.max(...known, FEWEST));
  svg.setAttribute('viewBox', `0 0 ${svg.clientWidth} ${HEIGHT}`);
  const ahead = values.map((value, move) => (move >= game.made ? value : null));
  const past = values.map((value, move) => (move <= game.made ? value : null));
  return svg.replaceChildren(
    ...axes(scale),
    ...(start === null ? [] : [line('ideal', [[0, start], [start, 0]], scale)]),
    ...runs(ahead).map((points) => line('ahead', points, scale)),
    ...runs(past).map((points) => line('past', points, scale)),
    ...lonePoints(values, game.made, scale),
    ...losses.map((loss) => mark(loss, scale, () => onPick(loss))),
    ...point(game.made, values[game.made], scale),
  );
}

/** How many moves are left after one that lost some. */
function leftAfter({ left, lost }) {
  return left - 1 + lost;
}

/** A triangle above the line where a move was lost, and a rule down to its number: told apart by more than its colour. */
function mark(loss, { x, y }, onClick) {
  const { number, made, lost } = loss;
  const [at, top] = [x(number), y(leftAfter(loss))];
  return makeSvg('g', { class: 'loss', onclick: onClick },
    makeSvg('title', { text: `Move ${number}: ${made} lost ${lost}` }),
    makeSvg('line', { x1: at, x2: at, y1: top, y2: y(0) }),
    makeSvg('path', { d: `M${at} ${top - 5}l6 -10h-12z` }),
    makeSvg('rect', { class: 'target', x: at - 10, y: top - 20, width: 20, height: 28 }),
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

/** The points `[move, value]` in runs whose values are all known. No line is drawn where a distance is not known. */
function runs(values) {
  const all = [];
  values.forEach((value, move) => {
    if (value === null) return;
    if (move === 0 || values[move - 1] === null) all.push([]);
    all.at(-1).push([move, value]);
  });
  return all;
}

/** Points without neighbours, to which no line leads. */
function lonePoints(values, made, { x, y }) {
  const alone = runs(values).filter((points) => points.length === 1).flat();
  return alone.filter(([move]) => move !== made).map(([move, value]) => {
    return makeSvg('circle', { class: `lone ${move < made ? 'past' : 'ahead'}`, cx: x(move), cy: y(value), r: 2 });
  });
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
function inWords(values, made, losses) {
  const known = values.filter((value) => value !== null);
  if (known.length === 0) return 'Distance over the moves made: not known yet.';
  const say = (value) => (value === null ? 'not known' : value);
  const lost = losses.length === 0 ? '' : ` Lost at ${count(losses.length, 'move')}: ${list(losses.map(({ number }) => number))}.`;
  return `Distance over ${count(values.length - 1, 'move')}: ${say(values[0])} at the start, ` +
    `${Math.max(...known)} at most, ${say(values[made])} now, after ${count(made, 'move')}.${lost}`;
}
