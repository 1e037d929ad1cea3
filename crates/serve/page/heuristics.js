// The panel of heuristics: each one's bound against the true distance, and on the board what it has found.

import { byId, make, setText } from './dom.js';
import { groupsOf } from './colours.js';
import { count, list } from './words.js';

const FINDINGS = {
  conflict: (tiles) => `${list(tiles)} are in each other's way`,
  pair: (tiles) => `${list(tiles)} are in the wrong order`,
  corner: (tiles) => `${list(tiles)} meet at a corner that is not theirs`,
};

export function showHeuristics(insight, distance, tiles) {
  const element = byId('heuristics');
  const trouble = byId('heuristics-trouble');
  let selected = null;
  let drawn = '';

  const render = () => {
    trouble.hidden = !insight.trouble && insight.answer?.solvable !== false;
    setText(trouble, insight.trouble ?? 'This board cannot be solved, so there is nothing to estimate.');
    if (byId('panel-heuristics').hidden) return;
    const answer = insight.answer?.solvable ? insight.answer : null;
    element.hidden = !answer;
    element.classList.toggle('is-stale', !insight.isCurrent);
    if (!answer) {
      tiles.colour([]);
      return;
    }
    tiles.colour(groupsOf((answer.findings[selected] ?? []).map((finding) => finding.tiles)));
    // A long search reports several times a second: rows that were made anew each time could not be clicked.
    const key = [answer.asked, answer.metric, answer.board, distance.state.length, selected].join('|');
    if (key === drawn && element.childElementCount > 0) return;
    drawn = key;
    const focused = document.activeElement?.dataset.heuristic;
    const length = distance.state.length ?? null;
    const rows = Object.keys(answer.heuristics).map((name) => row(answer, name, length, selected, select));
    element.replaceChildren(...rows);
    if (focused) element.querySelector(`[data-heuristic="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true });
  };
  const select = (name) => {
    selected = selected === name ? null : name;
    render();
    element.querySelector('.legend')?.scrollIntoView({ block: 'nearest' });
  };
  insight.addEventListener('change', render);
  distance.addEventListener('change', () => !distance.state.isBrief && render());
  return render;
}

function row(answer, name, length, selected, select) {
  const value = answer.heuristics[name];
  const findings = answer.findings[name] ?? [];
  const mayExceed = answer.not_admissible.includes(name);
  const isSelected = selected === name;
  return make('li', {},
    make('div', { class: 'heuristic-head' },
      make('b', { text: name }),
      ...(mayExceed ? [make('span', { class: 'badge', text: 'may exceed the distance' })] : []),
      ...(findings.length > 0 || isSelected ? [toggle(name, findings, isSelected, select)] : []),
      make('span', { class: 'heuristic-value', text: value })),
    bar(value, length ?? largestBound(answer)),
    make('p', { class: 'help', text: answer.summaries[name] ?? tablesInWords(answer) }),
    ...(isSelected ? [legend(findings)] : []));
}

/** Of tables that count several tiles as one move, nothing is added up: one move may be in all of them. */
function tablesInWords({ metric, tables }) {
  return metric === 'mtm' ? `the most that one of the tables ${tables} says` : `the most that the tables ${tables} add up to`;
}

function toggle(name, findings, isSelected, select) {
  const kinds = [...new Set(findings.map(({ kind }) => kind))];
  const counts = kinds.map((kind) => count(findings.filter((finding) => finding.kind === kind).length, kind));
  const words = list(counts) || 'nothing now';
  const label = `${words} of ${name} on the board`;
  return make('button', {
    type: 'button', class: 'chip', 'data-heuristic': name, 'aria-pressed': String(isSelected), 'aria-label': label,
    text: words, onclick: () => select(name),
  });
}

function largestBound({ heuristics, not_admissible: mayExceed }) {
  const bounds = Object.entries(heuristics).filter(([name]) => !mayExceed.includes(name));
  return Math.max(1, ...bounds.map(([, value]) => value));
}

/** The track is the true distance as long as that is known; what is beyond is cut off and hatched. */
function bar(value, full) {
  const share = full === 0 ? Number(value > 0) : value / full;
  const filling = make('span', { class: share > 1 ? 'bar-filling is-beyond' : 'bar-filling' });
  filling.style.inlineSize = `${Math.min(1, share) * 100}%`;
  return make('div', { class: 'bar', 'aria-hidden': 'true' }, filling);
}

function legend(findings) {
  if (findings.length === 0) return make('p', { class: 'help', text: 'It has found nothing on this board.' });
  const groups = groupsOf(findings.map((finding) => finding.tiles));
  return make('ul', { class: 'legend' }, ...findings.map(({ kind, tiles, moves }, index) =>
    make('li', {},
      make('span', { class: 'swatch', 'data-colour': groups[index].colour, text: groups[index].letter }),
      ' ',
      make('span', { text: `${(FINDINGS[kind] ?? list)(tiles)}: ${count(moves, 'move')} more` }))));
}
