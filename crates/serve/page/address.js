// The address: its fragment holds the board, the goal and what counts as one move, so that a link is a board.

/** `#5,1,2/4,0,3&goal=snail&metric=mtm`; what is usual is left out. With heuristics it is the address of a lesson. */
export function fragmentOf({ board, goal, metric }, heuristics = null) {
  const rows = (text) => text.replaceAll(' / ', '/').replaceAll(' ', ',');
  const options = [
    ...(goal === 'blank-last' ? [] : [`goal=${rows(goal)}`]),
    ...(metric === 'mtm' ? [`metric=${metric}`] : []),
    ...(heuristics ? [`lesson=${heuristics.join(',')}`] : []),
  ];
  return `#${[rows(board.text), ...options].join('&')}`;
}

/**
 * The board's and the goal's text in a fragment, in whatever notation, the name of a metric, if there is one, and the heuristics of a
 * lesson, if it is one; null when the fragment is empty.
 */
export function readFragment(fragment) {
  const [board, ...options] = decode(fragment.replace(/^#/, '')).split('&');
  if (!board.trim() && options.length === 0) return null;
  const valueOf = (name) => options.find((option) => option.startsWith(`${name}=`))?.slice(name.length + 1);
  const [goal, metric, lesson] = ['goal', 'metric', 'lesson'].map(valueOf);
  return { board, goal: goal || 'blank-last', metric: metric ?? null, lesson: lesson?.split(',') ?? null };
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

/** Keeps the address current without a step in the browser's history for every move, as long as the game is what is shown. */
export function keepAddress(game, isShown) {
  let last = -PAUSE;
  let timer = 0;
  const write = () => {
    if (!isShown()) return;
    last = performance.now();
    history.replaceState(null, '', fragmentOf(game));
  };
  game.addEventListener('change', () => {
    clearTimeout(timer);
    timer = setTimeout(write, Math.max(0, last + PAUSE - performance.now()));
  });
  // An address that somebody else has set is newer than the one still to be written.
  addEventListener('hashchange', () => clearTimeout(timer));
}
