// The panel of tables: which the server uses, what they say about the board by pattern, and which could be built.

import { byId, make, setText } from './dom.js';
import { groupsOf } from './colours.js';
import { ask } from './server.js';
import { count } from './words.js';

export function showTables(insight, distance, tiles) {
  const [used, views, trouble, stronger] = ['tables-used', 'views', 'tables-trouble', 'stronger'].map(byId);
  let selected = null;

  const render = () => {
    trouble.hidden = !insight.trouble;
    setText(trouble, insight.trouble ?? '');
    if (byId('panel-tables').hidden) return;
    const answer = insight.answer ?? {};
    used.replaceChildren(...(answer.tables ? [usedTables(answer)] : []));
    views.hidden = !answer.views?.length;
    views.classList.toggle('is-stale', !insight.isCurrent);
    const focused = views.contains(document.activeElement) ? document.activeElement.value : null;
    const legend = make('legend', { text: 'Colour the board by pattern' });
    views.replaceChildren(legend, ...choices(named(answer.views ?? []), selected, select));
    if (focused !== null) views.querySelector(`input[value="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true });
    const view = named(answer.views ?? []).find(({ name }) => name === selected);
    tiles.colour(view ? groupsOf(view.tiles) : []);
    if (view) views.append(costsOf(view));
  };
  const select = (name) => {
    selected = name;
    render();
    views.scrollIntoView({ block: 'nearest' });
  };
  insight.addEventListener('change', render);

  distance.addEventListener('change', () => {
    const name = distance.state.proof?.stronger;
    if (distance.state.isBrief) return;
    stronger.hidden = !name;
    if (!name) return;
    stronger.replaceChildren('Larger tables make searches faster. To build them: ', make('code', { text: `tilebase generate ${name}` }));
  });
  return () => {
    render();
    showCatalogues(byId('catalogues'));
  };
}

/** Views with a name for each: several tables that look at the board in the same way are called by their tiles. */
function named(views) {
  const isAlone = ({ view }) => views.filter((other) => other.view === view).length === 1;
  return views.map((each) => ({ ...each, name: isAlone(each) ? each.view : `tiles ${each.tiles.flat().join(' ')}` }));
}

function usedTables({ tables, patterns }) {
  if (!patterns) return make('p', { class: 'used', text: `The server uses the tables ${tables}.` });
  // Tables without a name are called by their drawing.
  const name = tables === patterns ? 'tables' : `the tables ${tables},`;
  const words = `The server uses ${name} with these patterns:`;
  const picture = make('pre', { class: 'patterns', text: patterns.replaceAll('/', '\n') });
  return make('div', { class: 'used' }, make('p', { text: words }), picture);
}

function choices(views, selected, select) {
  const choice = (value, words, sum) => {
    const checked = (selected ?? '') === value;
    const radio = make('input', { type: 'radio', name: 'view', value, checked, onchange: () => select(value || null) });
    return make('label', {}, radio, make('span', { text: words }), make('span', { class: 'sum', text: sum }));
  };
  return [
    choice('', 'no colours', ''),
    ...views.map(({ name, costs }) => choice(name, name, costs.length === 1 ? costs[0] : `${costs.join(' + ')} = ${sumOf(costs)}`)),
  ];
}

/** What each pattern adds, beside its colour. */
function costsOf({ costs, tiles }) {
  const groups = groupsOf(tiles);
  return make('ul', { class: 'legend' },
    ...costs.map((cost, index) => make('li', {},
      make('span', { class: 'swatch', 'data-colour': groups[index].colour, text: groups[index].letter }),
      ' ',
      make('span', { text: `tiles ${tiles[index].join(' ')}: at least ${count(cost, 'move')}${costs.length === 1 ? '' : ' of these'}` }))),
    ...(costs.length === 1 ? [] : [make('li', { class: 'total' }, make('span', { text: `together at least ${count(sumOf(costs), 'move')}` }))]));
}

function sumOf(costs) {
  return costs.reduce((sum, cost) => sum + cost, 0);
}

/** The catalogues, asked for each time the panel opens: somebody may have built one meanwhile. */
async function showCatalogues(element) {
  try {
    const { catalogues } = await ask('/api/tables');
    element.replaceChildren(
      make('h3', { text: 'Catalogues' }),
      make('ul', { class: 'catalogues' }, ...catalogues.map(({ name, board, ready, hint }) =>
        make('li', {}, make('b', { text: name }), ` for ${board}: ${hint ?? (ready ? 'ready' : 'not built')}`))));
  } catch (error) {
    element.replaceChildren(make('p', { class: 'trouble', role: 'alert', text: error.message }));
  }
}
