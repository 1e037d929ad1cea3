// A question that has to be answered before something is lost.

import { byId, setText } from './dom.js';

const NEW_BOARD = { title: 'Give up this board?', keep: 'Keep it', go: 'New board' };

/** Asks; resolves to whether the answer is yes. Escape is no. */
export function confirm(text, { title, keep, go } = NEW_BOARD) {
  const dialog = byId('question');
  setText(byId('question-title'), title);
  setText(byId('question-keep'), keep);
  setText(byId('question-go'), go);
  setText(byId('question-text'), text);
  dialog.returnValue = 'keep';
  dialog.showModal();
  return new Promise((answered) => {
    dialog.addEventListener('close', () => answered(dialog.returnValue === 'go'), { once: true });
  });
}
