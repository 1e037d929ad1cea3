// A picture of a search: one layer for each number of moves made, from left to right, a dot for each node, coloured by its f.
// Few nodes are a tree, many a mosaic. Dots are looked at with the pointer, or with the arrow keys.

/** What a dot can be, by the step that is shown. */
export const HIDDEN = 0;
export const GHOST = 1;
export const CUT = 2;
export const FOUND = 3;
export const EXPANDED = 4;

/** Pixels: the largest and smallest side of a dot's cell, and how far from a dot the pointer may be. */
const [LARGEST, SMALLEST, REACH] = [22, 2, 14];
const MARGIN = { left: 14, right: 14, top: 10, bottom: 24 };
/** With more dots than this, lines between them would only be a grey mass. */
const MOST_LINES = 1200;

/** Dots with a smaller radius are squares. */
const TINY = 1.5;
/** Nodes up to this many stand out among those that were saved. */
const FEW = 400;

/** From the smallest f to the largest. */
const SCALES = {
  light: [[23, 105, 114], [106, 143, 84], [214, 158, 46], [196, 88, 30], [122, 30, 40]],
  dark: [[92, 196, 196], [150, 196, 124], [236, 200, 104], [240, 140, 84], [214, 92, 108]],
};

/** The colour of a share from 0 to 1. */
function colourAt(scale, share) {
  const at = Math.min(1, Math.max(0, share)) * (scale.length - 1);
  const index = Math.min(scale.length - 2, Math.floor(at));
  const mixed = scale[index].map((value, part) => Math.round(value + (scale[index + 1][part] - value) * (at - index)));
  return `rgb(${mixed.join(' ')})`;
}

/** Colours for the values of f from the smallest to the largest, in the theme that is on. */
export function colours(element, least, most) {
  const [red, green, blue] = getComputedStyle(element).backgroundColor.match(/[\d.]+/g).map(Number);
  const scale = red + green + blue < 382 ? SCALES.dark : SCALES.light;
  return (f) => colourAt(scale, most === least ? 0 : (f - least) / (most - least));
}

export class Layers {
  #canvas;
  #model = null;
  #frame = 0;
  #x = new Float32Array(0);
  #y = new Float32Array(0);
  #cell = LARGEST;
  #looked = -1;

  /** `onLook` gets the number of the dot that is looked at and its place, or −1. */
  constructor(canvas, onLook) {
    this.#canvas = canvas;
    new ResizeObserver(() => this.#arrange()).observe(canvas);
    const pointAt = (event) => this.look(this.#nearest(event.offsetX, event.offsetY), onLook);
    canvas.addEventListener('pointermove', pointAt);
    canvas.addEventListener('pointerdown', pointAt);
    canvas.addEventListener('pointerleave', () => this.look(-1, onLook));
    canvas.addEventListener('blur', () => this.look(-1, onLook));
    canvas.addEventListener('keydown', (event) => {
      const next = this.#byKey(event.key);
      if (next === undefined || event.ctrlKey || event.altKey || event.metaKey) return;
      event.preventDefault();
      this.look(next, onLook);
    });
  }

  /**
   * `model`: `count`, and how many are the search's `own`; by number `layer`, `parent` (−1 for the start) and `f`; `layers`, for each the numbers of its dots from top to
   * bottom; `least` and `most` f; `depth`, how many layers there is room for; `stateOf(number)`; `path`, numbers of dots that are
   * joined by a line, and whether it `isSolution`; `current`, a number or −1.
   */
  show(model) {
    const isOther = model.layers !== this.#model?.layers || model.depth !== this.#model.depth;
    this.#model = model;
    if (isOther) {
      this.#looked = -1;
      this.#arrange();
    } else {
      this.redraw();
    }
  }

  /** Draws with the next frame. */
  redraw() {
    cancelAnimationFrame(this.#frame);
    this.#frame = requestAnimationFrame(() => this.#model && this.#draw());
  }

  look(number, onLook) {
    if (number === this.#looked) return;
    this.#looked = number;
    onLook(number, number < 0 ? null : { x: this.#x[number], y: this.#y[number] });
    this.redraw();
  }

  /** Where each dot is. */
  #arrange() {
    const { clientWidth: width, clientHeight: height } = this.#canvas;
    if (!this.#model || width === 0) return;
    const ratio = devicePixelRatio;
    [this.#canvas.width, this.#canvas.height] = [Math.round(width * ratio), Math.round(height * ratio)];
    const { layers, depth, count } = this.#model;
    const [wide, high] = [(width - MARGIN.left - MARGIN.right) / depth, height - MARGIN.top - MARGIN.bottom];
    const columns = (layer, cell) => Math.ceil(layer.length / Math.floor(high / cell));
    const fits = (cell) => layers.every((layer) => columns(layer, cell) * cell <= wide * 0.9);
    let cell = Math.min(LARGEST, wide * 0.9);
    while (cell > SMALLEST && !fits(cell)) cell -= 0.5;
    this.#cell = Math.max(SMALLEST, cell);
    [this.#x, this.#y] = [new Float32Array(count), new Float32Array(count)];
    layers.forEach((layer, index) => this.#place(layer, MARGIN.left + (index + 0.5) * wide, wide, high));
    this.redraw();
  }

  #place(layer, middle, wide, high) {
    const cell = this.#cell;
    const rows = Math.floor(high / cell);
    const columns = Math.max(1, Math.min(Math.ceil(layer.length / rows), Math.floor((wide * 0.92) / cell)));
    // Where there are more dots than cells, several share one.
    const share = Math.min(1, (rows * columns) / layer.length);
    const used = Math.ceil((layer.length * share) / columns);
    const apart = columns === 1 ? Math.min(high / used, cell * 1.6) : cell;
    layer.forEach((number, index) => {
      const at = Math.floor(index * share);
      this.#x[number] = middle + ((at % columns) - (columns - 1) / 2) * cell;
      this.#y[number] = MARGIN.top + high / 2 + (Math.floor(at / columns) - (used - 1) / 2) * apart;
    });
  }

  #draw() {
    const { clientWidth: width, clientHeight: height } = this.#canvas;
    const context = this.#canvas.getContext('2d');
    const style = getComputedStyle(this.#canvas);
    const look = { ink: style.color, accent: style.caretColor, line: style.columnRuleColor, faint: style.textDecorationColor };
    context.setTransform(devicePixelRatio, 0, 0, devicePixelRatio, 0, 0);
    context.clearRect(0, 0, width, height);
    this.#drawAxis(context, width, height, look);
    this.#drawLines(context, look);
    this.#drawDots(context, look);
    this.#drawPath(context, look, style.backgroundColor);
  }

  #drawAxis(context, width, height, { faint, line }) {
    const { depth } = this.#model;
    const wide = (width - MARGIN.left - MARGIN.right) / depth;
    const every = wide > 26 ? 1 : wide > 13 ? 2 : 5;
    context.font = `12px ${getComputedStyle(this.#canvas).fontFamily}`;
    context.textAlign = 'center';
    for (let layer = 0; layer < depth; layer += 1) {
      const x = MARGIN.left + (layer + 0.5) * wide;
      if (layer % 2 === 1) {
        context.globalAlpha = 0.22;
        context.fillStyle = line;
        context.fillRect(x - wide / 2, 0, wide, height - MARGIN.bottom + 4);
        context.globalAlpha = 1;
      }
      context.fillStyle = faint;
      if (layer % every === 0) context.fillText(layer, x, height - 6);
    }
  }

  #drawLines(context, { faint }) {
    const { count, parent, stateOf } = this.#model;
    if (count > MOST_LINES) return;
    const [x, y] = [this.#x, this.#y];
    for (const [isGhost, alpha] of [[true, 0.16], [false, 0.6]]) {
      context.beginPath();
      for (let number = 0; number < count; number += 1) {
        const state = stateOf(number);
        const from = parent[number];
        if (from < 0 || state === HIDDEN || (state === GHOST) !== isGhost) continue;
        const middle = (x[from] + x[number]) / 2;
        context.moveTo(x[from], y[from]);
        context.bezierCurveTo(middle, y[from], middle, y[number], x[number], y[number]);
      }
      context.globalAlpha = alpha;
      context.strokeStyle = faint;
      context.lineWidth = 1;
      context.stroke();
    }
    context.globalAlpha = 1;
  }

  /** Dots that look alike are one path: to set a colour takes longer than to draw a dot. */
  #drawDots(context, { faint }) {
    const { count, own, f, least, most, stateOf } = this.#model;
    const groups = new Map();
    for (let number = 0; number < count; number += 1) {
      const state = stateOf(number);
      if (state === HIDDEN) continue;
      const key = state === GHOST || state === CUT ? state : state + 8 * (1 + f[number]);
      if (!groups.has(key)) groups.set(key, []);
      groups.get(key).push(number);
    }
    const colourOf = colours(this.#canvas, least, most);
    const small = Math.min(7, this.#cell * 0.4);
    // Among many pale dots, a few that count are drawn larger than their cells.
    const large = own <= FEW ? Math.max(small, 4.5) : small;
    // Those that count are above the pale ones.
    for (const [key, numbers] of [...groups].sort(([one], [other]) => one - other)) {
      const state = key % 8;
      const isPale = state === GHOST || state === CUT;
      const radius = isPale ? small * 0.5 : large * (state === EXPANDED ? 1 : 0.8);
      context.globalAlpha = state === GHOST ? 0.3 : 1;
      context.fillStyle = context.strokeStyle = isPale ? faint : colourOf(f[numbers[0]]);
      context.lineWidth = Math.min(1.75, (isPale ? small : large) / 2);
      context.beginPath();
      for (const number of numbers) this.#trace(context, number, radius);
      if (state === EXPANDED || state === GHOST || radius < TINY) context.fill();
      else context.stroke();
    }
    context.globalAlpha = 1;
  }

  /** A dot, or a square where nobody could tell the difference. */
  #trace(context, number, radius) {
    const [x, y] = [this.#x[number], this.#y[number]];
    if (radius < TINY) {
      context.rect(x - radius * 1.2, y - radius * 1.2, radius * 2.4, radius * 2.4);
    } else {
      context.moveTo(x + radius, y);
      context.arc(x, y, radius, 0, 2 * Math.PI);
    }
  }

  #drawPath(context, { ink, accent }, paper) {
    const { path, isSolution, current, f, least, most } = this.#model;
    const [x, y] = [this.#x, this.#y];
    const radius = Math.max(3, Math.min(7, this.#cell * 0.4));
    const colourOf = colours(this.#canvas, least, most);
    context.beginPath();
    path.forEach((number) => context.lineTo(x[number], y[number]));
    context.lineJoin = 'round';
    context.strokeStyle = isSolution ? ink : accent;
    context.lineWidth = isSolution ? 3 : 2;
    context.stroke();
    for (const number of isSolution ? path : []) ring(context, x[number], y[number], radius, ink, colourOf(f[number]), 2);
    if (current >= 0) ring(context, x[current], y[current], radius + 3, accent, colourOf(f[current]), 3);
    const looked = this.#looked;
    if (looked >= 0) ring(context, x[looked], y[looked], radius + 3, ink, paper, 2);
  }

  /** The number of the nearest dot that can be seen, or −1. */
  #nearest(atX, atY) {
    if (!this.#model) return -1;
    let [best, least] = [-1, REACH * REACH];
    for (let number = 0; number < this.#model.count; number += 1) {
      const away = (this.#x[number] - atX) ** 2 + (this.#y[number] - atY) ** 2;
      if (away < least && this.#model.stateOf(number) !== HIDDEN) [best, least] = [number, away];
    }
    return best;
  }

  /** The dot that a key leads to; undefined for keys that lead nowhere. */
  #byKey(key) {
    if (!this.#model) return undefined;
    const { layer, layers, parent, stateOf, current } = this.#model;
    const from = this.#looked >= 0 ? this.#looked : Math.max(0, current);
    const isSeen = (number) => stateOf(number) !== HIDDEN;
    const beside = (step) => {
      const seen = layers[layer[from]].filter(isSeen);
      return seen[Math.min(seen.length - 1, Math.max(0, seen.indexOf(from) + step))];
    };
    const ways = {
      ArrowLeft: () => Math.max(0, parent[from]),
      ArrowRight: () => layers[layer[from] + 1]?.find((number) => parent[number] === from && isSeen(number)) ?? from,
      ArrowUp: () => beside(-1),
      ArrowDown: () => beside(1),
      Home: () => 0,
      End: () => Math.max(0, current),
      Escape: () => -1,
    };
    return ways[key]?.();
  }
}

function ring(context, x, y, radius, stroke, fill, width) {
  context.beginPath();
  context.arc(x, y, radius, 0, 2 * Math.PI);
  context.fillStyle = fill;
  context.fill();
  context.strokeStyle = stroke;
  context.lineWidth = width;
  context.stroke();
}
