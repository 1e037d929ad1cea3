// What a screen reader hears without being asked.

import { byId } from './dom.js';

/** Says a sentence when the reader has finished what it is saying. */
export function announce(sentence) {
  byId('announcer').textContent = sentence;
}
