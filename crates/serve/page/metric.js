// What counts as one move: a single tile that slides (stm), or one tile or several that slide together in a line (mtm).
// Ways are slides of single tiles, a letter for each, in either metric; only what they count differs.

export const METRICS = ['stm', 'mtm'];

/** The slides of a way, cut into moves. What slides in one direction, one tile after the other, slides together. */
export function movesOf(way, metric) {
  const moves = [];
  for (const direction of way) {
    if (metric === 'mtm' && moves.at(-1)?.[0] === direction) moves.at(-1).push(direction);
    else moves.push([direction]);
  }
  return moves;
}

/** How many moves a way has. */
export function lengthOf(way, metric) {
  return metric === 'stm' ? way.length : movesOf(way, metric).length;
}

/** The slides of a way's first move. */
export function firstMove(way, metric) {
  return movesOf(way, metric)[0] ?? [];
}

/** After how many slides each move of a way ends; 0, where the first begins, comes first. */
export function endsOf(way, metric) {
  let slides = 0;
  return [0, ...movesOf(way, metric).map((move) => { slides += move.length; return slides; })];
}
