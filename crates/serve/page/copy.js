// Copying with one click, and saying that it was done.

import { announce } from './announce.js';

const FEEDBACK = 1600;

/** Makes a button copy a text; the label inside it says so for a moment. */
export function copies(button, label, textOf, what) {
  const words = label.textContent;
  let timer = 0;
  button.addEventListener('click', async () => {
    const done = await copy(textOf());
    label.textContent = done ? 'Copied' : 'Not allowed';
    button.classList.toggle('is-done', done);
    announce(done ? `Copied ${what}.` : 'The browser does not allow to copy.');
    clearTimeout(timer);
    timer = setTimeout(() => {
      label.textContent = words;
      button.classList.remove('is-done');
    }, FEEDBACK);
  });
}

async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyBySelecting(text);
  }
}

/** The old way: pages that are not on this machine and not encrypted have no clipboard. */
function copyBySelecting(text) {
  const area = document.createElement('textarea');
  area.value = text;
  area.className = 'hidden';
  const focused = document.activeElement;
  document.body.append(area);
  area.select();
  const done = document.execCommand('copy');
  area.remove();
  focused?.focus();
  return done;
}
