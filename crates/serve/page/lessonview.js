// The lesson's elements, made when it is first opened.

import { icon, make } from './dom.js';
import { ESTIMATES } from './estimates.js';
import { count } from './words.js';

/** Expansions a second. */
export const SPEEDS = [1, 2, 5, 10, 25, 75, 300, 1500];
const DISTANCES = [4, 8, 12, 16, 20, 24, 28, 31];

const LEAD = 'Each dot is a board. From left to right it is one move farther from the start; its colour is f, the moves made ' +
  'plus the moves that the heuristic says are still needed.';
const ABOUT = {
  astar: 'remembers every board, and always expands the one with the smallest f',
  ida: 'remembers only the way it is on, goes deep, and turns back above a bound',
};
const KEYS = 'Arrow left goes to the board before, arrow right to a next one, up and down to others with as many moves. ' +
  'End goes to the one that is expanded now.';

/** `actions`: `choose`, `scramble`, `seek` and `press`. */
export function buildLesson(actions) {
  return [
    make('div', { class: 'lesson-top' },
      make('header', { class: 'lesson-head' },
        make('h2', { id: 'lesson-title', text: 'How a search finds the shortest way' }),
        make('p', { class: 'lead', text: LEAD }),
        make('div', { class: 'lesson-boards', id: 'lesson-boards' })),
      make('div', { class: 'lesson-setup' },
        ...setup(actions),
        make('p', { class: 'lesson-about', id: 'lesson-about' }))),
    make('div', { class: 'lesson-mistake', id: 'lesson-mistake', hidden: true }),
    controls(actions),
    make('div', { class: 'lesson-pair' },
      panel('astar', 'A*', ABOUT.astar, 'Expanded, by f'),
      panel('ida', 'IDA*', ABOUT.ida, 'Expanded in each iteration, by its bound')),
    make('p', { class: 'hidden', id: 'lesson-keys', text: KEYS }),
    make('div', { class: 'lesson-legend', id: 'lesson-legend' }),
    make('section', { class: 'ladder', 'aria-labelledby': 'ladder-title' },
      make('h3', { id: 'ladder-title', text: 'What each heuristic saves on this board' }),
      make('p', { class: 'lesson-verdict', id: 'lesson-verdict' }),
      make('div', { id: 'ladder' })),
    make('details', { class: 'lesson-check' },
      make('summary', { text: 'Check the numbers yourself' }),
      make('p', { class: 'help', text: 'These commands print the same counts: expanded, and nodes, which is what was generated.' }),
      make('pre', { id: 'lesson-commands', tabindex: 0, 'aria-label': 'Commands' })),
  ];
}

function setup({ choose, scramble }) {
  const choice = (id, label) => make('div', { class: 'field' },
    make('label', { for: id, text: label }), make('select', { id, onchange: choose }, ...heuristics()));
  const distance = make('select', { id: 'lesson-distance' },
    ...DISTANCES.map((moves) => make('option', { value: moves, text: `${moves} moves away`, selected: moves === 16 })));
  const submit = (event) => {
    event.preventDefault();
    scramble(Number(distance.value));
  };
  return [
    make('form', { class: 'lesson-form', onsubmit: submit },
      make('div', { class: 'field' },
        make('label', { for: 'lesson-distance', text: 'Another board' }),
        make('span', { class: 'pair' }, distance, make('button', { type: 'submit', id: 'lesson-scramble', text: 'Take it' }))),
      choice('lesson-main', 'Heuristic'),
      choice('lesson-other', 'Compared with')),
    make('p', { class: 'help', id: 'lesson-example', hidden: true }),
    make('p', { class: 'trouble', id: 'lesson-trouble', role: 'alert', hidden: true }),
  ];
}

function heuristics() {
  const option = ([name, { name: text }]) => make('option', { value: name, text });
  const entries = Object.entries(ESTIMATES);
  return [
    ...entries.filter(([, { isBroken }]) => !isBroken).map(option),
    make('optgroup', { label: 'Broken on purpose' }, ...entries.filter(([, { isBroken }]) => isBroken).map(option)),
  ];
}

function controls({ press, seek }) {
  const button = (name, label, picture) => make('button', {
    type: 'button', class: name === 'play' ? 'square strong' : 'square', id: `lesson-${name}`, 'aria-label': label, title: label,
    onclick: ({ currentTarget }) => currentTarget.getAttribute('aria-disabled') !== 'true' && press(name),
  }, icon(picture));
  const range = (id, label, attributes, onInput) => make('label', { class: 'lesson-range', for: id },
    make('span', { text: label }), make('input', { type: 'range', id, oninput: ({ target }) => onInput(target), ...attributes }));
  const setSpeed = (input) => input.setAttribute('aria-valuetext', `${count(SPEEDS[input.value], 'expansion')} a second`);
  const speed = range('lesson-speed', 'Speed', { min: 0, max: SPEEDS.length - 1, value: 3 }, setSpeed);
  setSpeed(speed.querySelector('input'));
  return make('div', { class: 'lesson-controls' },
    make('div', { class: 'group', role: 'group', 'aria-label': 'Steps of both searches' },
      button('reset', 'Back to the start', 'restart'),
      button('back', 'One step back', 'back'),
      button('play', 'Play', 'play'),
      button('forward', 'One step forward', 'forward'),
      button('end', 'To the end', 'end')),
    range('lesson-step', 'Step', { min: 0, max: 1, value: 0 }, (input) => seek(Number(input.value))),
    make('output', { id: 'lesson-count', for: 'lesson-step' }),
    speed);
}

function panel(name, title, about, caption) {
  const figure = (label) => make('div', {}, make('dt', { text: label }), make('dd', { id: `${name}-${label}`, text: '0' }));
  return make('section', { class: 'search', 'aria-labelledby': `${name}-title` },
    make('div', { class: 'search-head' },
      make('h3', { id: `${name}-title` }, title, ' ', make('span', { text: about })),
      make('dl', { class: 'search-figures' }, figure('expanded'), figure('generated'), figure('kept'))),
    make('p', { class: 'search-caption', text: caption }),
    make('ol', { class: 'search-bars', id: `${name}-bars` }),
    make('div', { class: 'search-picture' },
      make('canvas', {
        id: `${name}-canvas`, class: 'layers', tabindex: 0, role: 'application', 'aria-label': `The boards of ${title}`,
        'aria-describedby': `${name}-says lesson-keys`,
      }),
      make('div', { class: 'peek', id: `${name}-peek`, hidden: true })),
    make('div', { class: 'search-now' }, make('div', { id: `${name}-stamp` }), make('p', { id: `${name}-says` })));
}
