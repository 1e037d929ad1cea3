// A question that has to be answered before something is lost.

import { byId, setText } from './dom.js';

/** Asks; resolves to whether the answer is yes. Escape is no. */
export function confirm(text) {
  const dialog = byId('question');
  setText(byId('question-text'), text);
  dialog.returnValue = 'keep';
  dialog.showModal();
  return new Promise((answered) => {
    dialog.addEventListener('close', () => answered(dialog.returnValue === 'go'), { once: true });
  });
}
