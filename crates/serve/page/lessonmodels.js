// From recorded searches to pictures: which dots there are, in which layer, and what each is after so many expansions.

import { CUT, EXPANDED, FOUND, GHOST, HIDDEN } from './layers.js';

/** Numbers of dots, layer by layer, each layer in the order of the dots' parents, so that lines seldom cross. */
function inLayers(layer, parent, count) {
  const layers = [];
  for (let number = 0; number < count; number += 1) (layers[layer[number]] ??= []).push(number);
  const place = new Int32Array(count);
  for (let at = 0; at < layers.length; at += 1) {
    const dots = layers[at] ??= [];
    dots.sort((a, b) => place[parent[a]] - place[parent[b]] || a - b);
    dots.forEach((number, index) => { place[number] = index; });
  }
  return layers;
}

/** The nodes that A* found with one heuristic, and pale those that only the other one would have found. */
export class AstarModel {
  constructor(run, other) {
    this.run = run;
    const numbers = new Map(run.nodes.map((node, number) => [node.key, number]));
    const ghosts = other.nodes.filter((node) => !numbers.has(node.key));
    for (const node of ghosts) numbers.set(node.key, numbers.size);
    this.nodes = [...run.nodes, ...ghosts];
    this.saved = ghosts.length;
    this.count = this.nodes.length;
    this.layer = Uint8Array.from(this.nodes, (node) => node.g);
    this.f = Uint8Array.from(this.nodes, (node) => node.g + node.h);
    this.parent = Int32Array.from(this.nodes, (node) => (node.parent ? numbers.get(node.parent.key) : -1));
    this.layers = inLayers(this.layer, this.parent, this.count);
    [this.least, this.most] = range(this.f.subarray(0, run.nodes.length));
    this.solution = run.path.map((node) => numbers.get(node.key));
    this.order = run.order.map((node) => numbers.get(node.key));
    this.perStep = new Int32Array(run.order.length);
    for (const { born } of run.nodes) if (born >= 0) this.perStep[born] += 1;
    let kept = 1;
    this.kept = this.perStep.map((found) => (kept += found));
  }

  get steps() {
    return this.run.order.length;
  }

  /** What to draw after so many expansions. */
  at(step, depth) {
    const { run, nodes, order, solution } = this;
    const isEnd = step >= this.steps;
    const stateOf = (number) => {
      const node = nodes[number];
      if (number >= run.nodes.length || node.born >= step) return GHOST;
      return node.expanded < step ? EXPANDED : FOUND;
    };
    const current = isEnd || step === 0 ? -1 : order[step - 1];
    return {
      ...this.#shape, depth, stateOf, current, path: isEnd ? solution : this.#wayTo(current), isSolution: isEnd,
    };
  }

  get #shape() {
    const { count, layer, parent, f, layers, least, most } = this;
    return { count, own: this.run.nodes.length, layer, parent, f, layers, least, most };
  }

  #wayTo(number) {
    const way = [];
    for (let at = number; at >= 0; at = this.parent[at]) way.unshift(at);
    return way;
  }

  boardOf(number) {
    const { state, g, h } = this.nodes[number];
    return { state, g, h, isGhost: number >= this.run.nodes.length };
  }
}

/** The nodes of the iterations of IDA*, one iteration at a time. */
export class IdaModel {
  #shapes = new Map();

  constructor(run) {
    this.run = run;
    const fs = run.h.subarray(0, run.iterations.at(-1)?.end ?? 1).map((h, number) => h + run.depth[number]);
    [this.least, this.most] = range(fs);
  }

  get steps() {
    return this.run.expanded;
  }

  /** The iteration that an expansion belongs to. */
  iterationOf(step) {
    const index = this.run.iterations.findIndex(({ endVisit }) => step <= endVisit);
    return index < 0 ? this.run.iterations.length - 1 : index;
  }

  #shape(index) {
    if (!this.#shapes.has(index)) {
      const { first, end } = this.run.iterations[index];
      const count = end - first;
      const layer = this.run.depth.subarray(first, end);
      const parent = Int32Array.from(this.run.parent.subarray(first, end), (number) => Math.max(-1, number - first));
      const f = this.run.h.subarray(first, end).map((h, number) => h + layer[number]);
      // Depth first, dots come in the order of their parents by themselves.
      const layers = [];
      for (let number = 0; number < count; number += 1) (layers[layer[number]] ??= []).push(number);
      this.#shapes.clear();
      this.#shapes.set(index, { count, own: count, layer, parent, f, layers, first, least: this.least, most: this.most });
    }
    return this.#shapes.get(index);
  }

  at(step, depth) {
    const { run } = this;
    const isEnd = step >= this.steps && run.isFound;
    const index = this.iterationOf(step);
    const shape = this.#shape(index);
    const { first } = shape;
    const current = step === 0 ? -1 : run.order[Math.min(step, this.steps) - 1];
    const { bound } = run.iterations[index];
    const stateOf = (number) => {
      const visit = run.visit[first + number];
      if (visit >= 0 && visit < step) return EXPANDED;
      const parent = run.parent[first + number];
      const isThere = parent < 0 || (run.visit[parent] >= 0 && run.visit[parent] < step);
      if (!isThere) return HIDDEN;
      return shape.f[number] > bound ? CUT : FOUND;
    };
    const path = run.pathTo(isEnd ? run.found : Math.max(first, current)).map((number) => number - first);
    return { ...shape, depth, stateOf, path, isSolution: isEnd, current: isEnd || current < 0 ? -1 : current - first };
  }

  boardOf(number, step) {
    const node = this.#shape(this.iterationOf(step)).first + number;
    return { state: this.run.stateOf(node), g: this.run.depth[node], h: this.run.h[node], isGhost: false };
  }
}

function range(values) {
  let [least, most] = [255, 0];
  for (const value of values) [least, most] = [Math.min(least, value), Math.max(most, value)];
  return [least, most];
}

/** How many nodes A* expanded for each f, up to a step. */
export function expandedByF(run, step = Infinity) {
  const counts = new Map();
  run.order.slice(0, step).forEach(({ g, h }) => counts.set(g + h, (counts.get(g + h) ?? 0) + 1));
  return counts;
}

/** How many nodes IDA* expanded in each iteration, by its bound, up to a step. */
export function expandedByBound(run, step = Infinity) {
  return new Map(run.iterations.map(({ bound, firstVisit, endVisit }) =>
    [bound, Math.max(0, Math.min(step, endVisit) - firstVisit)]));
}
