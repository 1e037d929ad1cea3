// Lost moves in the panel: a solution to paste, a sentence about it, and the list of the moves that lost some.

import { byId, make, setText } from './dom.js';
import { announce } from './announce.js';
import { readMoves } from './notation.js';
import { confirm } from './question.js';
import { lossInList, summaryOf } from './reviewwords.js';
import { count } from './words.js';

/** Wires the form and the list. Gives back what others do with it: visit a loss, and look back at a game that is over. */
export function showReview(game, review, openPanel) {
  const [form, field, letters, button] = ['review-form', 'review-moves', 'review-letters', 'review-ask'].map(byId);
  const [result, summary, list, trouble] = ['review', 'review-summary', 'review-list', 'review-trouble'].map(byId);

  const refuse = (message) => {
    review.clear();
    trouble.hidden = false;
    setText(trouble, message);
  };

  /** Shows that somebody is waiting, then what came of it; true when there is an answer. */
  const wait = async (question) => {
    trouble.hidden = true;
    review.clear();
    setText(button, 'Looking…');
    button.setAttribute('aria-disabled', 'true');
    try {
      return await question();
    } catch (error) {
      refuse(error.message);
      return false;
    } finally {
      setText(button, 'Find the lost moves');
      button.setAttribute('aria-disabled', 'false');
    }
  };

  const render = () => {
    result.hidden = review.answer === null;
    if (result.hidden) return;
    setText(summary, summaryOf(review));
    list.hidden = review.losses.length === 0;
    list.replaceChildren(...review.losses.map((loss) => row(loss, () => visit(loss))));
    mark();
  };

  /** Which loss the game stands before. */
  const mark = () => {
    const here = review.lossHere;
    list.querySelectorAll('button').forEach((each, index) => {
      if (review.losses[index] === here) each.setAttribute('aria-current', 'step');
      else each.removeAttribute('aria-current');
    });
  };

  const visit = (loss) => {
    review.goTo(loss);
    byId('board').scrollIntoView({ block: 'nearest' });
  };

  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    if (button.getAttribute('aria-disabled') === 'true') return undefined;
    const moves = field.value.trim();
    if (moves === '') return refuse('There are no moves. Paste them into the field above.');
    if (!(await mayReplace(game, review))) return undefined;
    letters.value = lettersOf(moves, game) ?? letters.value;
    const isInLetters = /^[\s,]*[a-z]/i.test(moves);
    if (!(await wait(() => review.paste(moves, isInLetters ? letters.value : undefined)))) return undefined;
    announce(summary.textContent);
    return result.scrollIntoView({ block: 'nearest' });
  });
  review.addEventListener('change', render);
  game.addEventListener('change', ({ detail }) => {
    if (detail.kind !== 'new' && detail.kind !== 'metric') return mark();
    trouble.hidden = true;
    return render();
  });

  return {
    visit,
    /** Looks back at the game that was just played. The keyboard goes to the answer: the button that asked is gone. */
    lookBack: async () => {
      openPanel();
      if (await wait(() => review.lookBack())) summary.focus();
      result.scrollIntoView({ block: 'nearest' });
    },
  };
}

function row(loss, onVisit) {
  const number = make('b', { text: `Move ${loss.number}:` });
  return make('li', {}, make('button', { type: 'button', class: 'quiet', onclick: onVisit }, number, ` ${lossInList(loss)}`));
}

/** Letters that lead to the goal in one meaning only, as directions of tiles or of the blank, are meant in that one. */
function lettersOf(moves, { start, goalBoard }) {
  const solves = (form) => start.along(readMoves(moves, form, start)).at(-1).text === goalBoard.text;
  const meanings = ['tile', 'blank'].filter(solves);
  return meanings.length === 1 ? meanings[0] : null;
}

/** Moves that somebody has made on the board are not thrown away without a question. */
async function mayReplace(game, review) {
  const { ownMoves, isSolved } = game;
  if (ownMoves === 0 || isSolved || review.isOnLine) return true;
  const text = `The ${count(ownMoves, 'move')} that you have made will be replaced by those that you paste.`;
  return confirm(text, { title: 'Give up your moves?', keep: 'Keep them', go: 'Replace them' });
}
