// The address: its fragment holds the board and the goal, so that a link is a board.

/** `#5,1,2/4,0,3&goal=snail`; the usual goal is left out. */
export function fragmentOf(board, goal) {
  const rows = (text) => text.replaceAll(' / ', '/').replaceAll(' ', ',');
  return `#${rows(board.text)}${goal === 'blank-last' ? '' : `&goal=${rows(goal)}`}`;
}

/** The board's and the goal's text in a fragment, in whatever notation; null when the fragment is empty. */
export function readFragment(fragment) {
  const [board, ...options] = decode(fragment.replace(/^#/, '')).split('&');
  if (!board.trim() && options.length === 0) return null;
  const goal = options.find((option) => option.startsWith('goal='))?.slice('goal='.length);
  return { board, goal: goal || 'blank-last' };
}

function decode(text) {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}

/** Milliseconds between two changes of the address: some browsers refuse more than a hundred in half a minute. */
const PAUSE = 350;

/** Keeps the address current without a step in the browser's history for every move. */
export function keepAddress(game) {
  let last = -PAUSE;
  let timer = 0;
  const write = () => {
    last = performance.now();
    history.replaceState(null, '', fragmentOf(game.board, game.goal));
  };
  game.addEventListener('change', () => {
    clearTimeout(timer);
    timer = setTimeout(write, Math.max(0, last + PAUSE - performance.now()));
  });
  // An address that somebody else has set is newer than the one still to be written.
  addEventListener('hashchange', () => clearTimeout(timer));
}
