// The solution in all notations, and all shortest solutions to choose from.

import { byId, icon, make, setText } from './dom.js';
import { announce } from './announce.js';
import { copies } from './copy.js';
import { lengthOf } from './metric.js';
import { notations, readWay, writeWay } from './notation.js';
import { askInLines, isAbort } from './server.js';
import { count, large } from './words.js';

export function showSolutions(game, distance, onChoose) {
  showNotations(game, distance);
  showAll(game, distance, onChoose);
}

function showNotations(game, distance) {
  const texts = new Map();
  const rows = notations(game.board, []).map(({ name, about }) => {
    const text = make('code', { class: 'notation-text', id: `notation-${name}` });
    const label = make('span', { text: 'Copy' });
    const attributes = { type: 'button', class: 'quiet', 'aria-label': `Copy ${name} notation` };
    const button = make('button', attributes, icon('copy'), label);
    copies(button, label, () => text.textContent, `the solution, ${about}`);
    texts.set(name, { text, button });
    return make('div', {}, make('dt', {}, make('b', { text: name }), ` ${about}`), make('dd', {}, text, button));
  });
  const [element, asked, show] = ['notations', 'solution-asked', 'show-solution'].map(byId);
  const unproved = byId('solution-unproved');
  element.replaceChildren(...rows);
  let isAsked = false;

  const render = () => {
    const { isBrief } = distance.state;
    const { way, isProved } = distance;
    if (isBrief) return; // The way before stays for the moment that most searches take.
    asked.hidden = isAsked;
    element.hidden = !isAsked;
    show.setAttribute('aria-disabled', String(!way));
    unproved.hidden = !isAsked || !way || isProved;
    setText(unproved, way ? `The best so far, ${count(lengthOf(way, game.metric), 'move')}: not proved to be shortest.` : '');
    if (!isAsked) return;
    for (const { name, text } of notations(game.board, way ?? [])) {
      setText(texts.get(name).text, text || '–');
      texts.get(name).button.disabled = !text;
    }
  };
  show.addEventListener('click', () => {
    if (!distance.way) return;
    isAsked = true;
    render();
    element.querySelector('button').focus({ preventScroll: true });
  });
  game.addEventListener('change', ({ detail }) => {
    if (detail.kind === 'new') isAsked = false;
  });
  distance.addEventListener('change', render);
}

function showAll(game, distance, onChoose) {
  const [find, summary, browse] = ['find-all', 'all-count', 'all-browse'].map(byId);
  const [list, trouble] = ['all-list', 'all-trouble'].map(byId);
  let search = null;
  let ways = [];
  let chosen = 0;
  let found = null;
  const keyOfGame = () => `${game.metric}|${game.goal}|${game.board.text}`;

  const clear = () => {
    search?.abort();
    search = null;
    ways = [];
    list.hidden = browse.hidden = trouble.hidden = true;
    list.replaceChildren();
    setText(summary, '');
    setText(find, 'All shortest solutions');
    find.hidden = false;
  };

  const choose = (index) => {
    chosen = index;
    const radio = list.querySelectorAll('input')[index];
    radio.checked = true;
    radio.closest('label').scrollIntoView({ block: 'nearest' });
    onChoose(readWay(ways[index]));
  };

  const show = (answer) => {
    ways = answer.all_moves;
    const listed = ways.length < answer.solutions ? `; ${ways.length} of them are listed` : '';
    setText(summary, `${count(answer.solutions, 'shortest solution')} of ${count(answer.length, 'move')}${listed}`);
    list.replaceChildren(
      make('legend', { class: 'hidden', text: 'Shortest solutions' }),
      ...ways.map((way, index) => row(way, index, () => choose(index))),
    );
    find.hidden = true;
    list.hidden = false;
    browse.hidden = ways.length < 2;
    const current = ways.indexOf(writeWay(distance.state.way ?? []));
    chosen = Math.max(0, current);
    if (current >= 0) list.querySelectorAll('input')[current].checked = true;
  };

  distance.addEventListener('change', () => {
    if (!distance.state.isBrief) find.setAttribute('aria-disabled', String(distance.state.kind === 'unsolvable'));
  });
  find.addEventListener('click', async () => {
    if (search) return clear();
    if (distance.state.kind === 'unsolvable') return undefined;
    clear();
    search = new AbortController();
    const { signal } = search;
    setText(find, 'Stop');
    setText(summary, 'Searching…');
    try {
      const question = { board: game.board.text, ...game.puzzle, all: true };
      const answer = await askInLines('/api/solve', question, signal, ({ nodes }) => {
        setText(summary, `${large(nodes)} nodes…`);
      });
      if (signal.aborted) return undefined;
      clear();
      if (answer.all_moves) {
        found = { key: keyOfGame(), answer };
        show(answer);
        announce(summary.textContent);
      } else {
        fail(answer.reason ?? `The search stopped at a limit: at least ${answer.at_least} moves.`);
      }
    } catch (error) {
      if (isAbort(error) || signal.aborted) return undefined;
      clear();
      fail(error.message);
    }
    return undefined;
  });
  const fail = (message) => {
    trouble.hidden = false;
    setText(trouble, message);
  };

  byId('all-previous').addEventListener('click', () => choose((chosen + ways.length - 1) % ways.length));
  byId('all-next').addEventListener('click', () => choose((chosen + 1) % ways.length));
  // Whoever has played one solution and goes back to its start finds the others again.
  game.addEventListener('change', () => {
    clear();
    if (found?.key === keyOfGame()) show(found.answer);
  });
}

function row(way, index, onPick) {
  const radio = make('input', { type: 'radio', name: 'solution', value: index, onchange: onPick });
  const ordinal = make('span', { class: 'ordinal', text: index + 1 });
  return make('label', {}, radio, ordinal, make('code', { text: way || 'no moves' }));
}
