// The choice of what counts as one move: in the address, so that a link shows what was seen, and remembered for the next visit.

import { readFragment } from './address.js';
import { byId } from './dom.js';
import { METRICS } from './metric.js';

/** What the page begins with: what the address says, or else what was chosen last. */
export function firstMetric() {
  return metricInAddress() ?? remembered() ?? 'stm';
}

export function wireMetric(game) {
  const field = byId('metric');
  const render = () => { field.value = game.metric; };
  field.addEventListener('change', () => {
    remember(field.value);
    game.countIn(field.value);
  });
  game.addEventListener('change', render);
  addEventListener('hashchange', () => game.countIn(metricInAddress() ?? game.metric));
  render();
}

function metricInAddress() {
  return known(readFragment(location.hash)?.metric);
}

function known(name) {
  return METRICS.includes(name) ? name : null;
}

function remembered() {
  try {
    return known(localStorage.getItem('metric'));
  } catch {
    return null; // Storage can be forbidden; then the choice lasts as long as the page.
  }
}

function remember(metric) {
  try {
    localStorage.setItem('metric', metric);
  } catch {
    // As above.
  }
}
