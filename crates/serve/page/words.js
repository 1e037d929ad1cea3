// Numbers and lists in words.

/** `1 move`, `2 moves`. */
export function count(number, noun) {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}

/** `5`, `5 and 9`, `5, 9 and 13`. */
export function list(items) {
  return items.length < 2 ? items.join('') : `${items.slice(0, -1).join(', ')} and ${items.at(-1)}`;
}

/** Large numbers short enough to be read while they change: `950`, `12.3 k`, `4.10 M`. */
export function large(number) {
  const units = [[1e12, ' T'], [1e9, ' G'], [1e6, ' M'], [1e3, ' k']];
  const [size, unit] = units.find(([size]) => number >= size) ?? [1, ''];
  return size === 1 ? String(Math.round(number)) : (number / size).toPrecision(3) + unit;
}

/** A time that a search took: `0.4 ms`, `32 ms`, `1.8 s`, `3:05`. */
export function time(seconds) {
  if (seconds < 0.01) return `${(seconds * 1000).toFixed(1)} ms`;
  if (seconds < 1) return `${Math.round(seconds * 1000)} ms`;
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  return `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, '0')}`;
}

/** A speed-solver's time: `0:07.4` while it runs, `0:07.43` when it counts. */
export function clock(milliseconds, isRunning) {
  const hundredths = Math.floor(milliseconds / 10);
  const [minutes, rest] = [Math.floor(hundredths / 6000), String(hundredths % 6000).padStart(4, '0')];
  return `${minutes}:${rest.slice(0, 2)}.${isRunning ? rest[2] : rest.slice(2)}`;
}

/** How a board at a distance compares with all others by a census of the server, as `tilebase show` says it; empty where that ends before. */
export function place({ counts, farthest, farthest_boards: last }, { tiles }, length) {
  const sum = (part) => part.reduce((sum, count) => sum + count, 0);
  // Half of all orders of the tiles and the blank can be solved.
  const all = tiles.reduce((product, _, index) => product * Math.max(index, 1), tiles.length) / 2;
  const isLast = length === farthest && last !== undefined;
  if (length >= counts.length && !isLast) return '';
  const [nearer, farther] = isLast ? [1 - last / all, 0]
    : [sum(counts.slice(0, length)) / all, Math.max(0, 1 - sum(counts.slice(0, length + 1)) / all)];
  const percent = 100 * Math.max(nearer, farther);
  const decimals = [99, 99.9, 99.99].filter((step) => percent >= step).length;
  // Cut off, not rounded: what is said is true.
  const cut = (Math.floor(percent * 10 ** decimals) / 10 ** decimals).toFixed(decimals);
  return `${nearer >= farther ? 'Farther' : 'Nearer'} than ${cut} % of all boards.`;
}
