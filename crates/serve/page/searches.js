// A* and IDA* on 3×3, recorded so that they can be shown. They expand what `tilebase solve` expands, in the same order
// (crates/solve/src/best_first and ida/depth_first.rs), and count as it does; a test compares the counts.

import { keyAfter, keyOf } from './estimates.js';
import { neighbours } from './frame.js';

/** A* expands this many nodes of one g and one h together: what is found meanwhile comes after them. */
const TOGETHER = 64;

/** The state after the blank went to a square beside it. */
function after(state, blank, to, home) {
  const next = state.slice();
  next[blank] = state[to];
  next[to] = home;
  return next;
}

/**
 * Best-first search. Each node: `state`, `g`, `h`, `parent` (the node before it, null at the start), `born` and `expanded`, the
 * numbers of the expansions that found and expanded it (−1 and Infinity where none did).
 *
 * Returns the nodes; `order`, as they were expanded; `generated`, how many nodes had been generated after each expansion, 1 for
 * the start included; `path`, the nodes of the solution; and `length`.
 */
export function astar(start, home, estimate) {
  const key = keyOf(start);
  const root = { key, state: start, g: 0, h: estimate.of(start, home), parent: null, born: -1, expanded: Infinity };
  const known = new Map([[key, root]]);
  const open = new Open();
  const [order, generated] = [[], []];
  let total = 1;
  let goal = isGoal(start) ? root : null;
  if (!goal) open.push(root);
  for (let best = open.first(); best && !isOver(best, goal, estimate); best = open.first()) {
    const children = [];
    for (const { node, g } of open.take(best, TOGETHER)) {
      // It has been reached by fewer moves since, and is in another place as well.
      if (node.isClosed || node.g !== g) continue;
      node.isClosed = true;
      const step = order.push(node) - 1;
      node.expanded = Math.min(node.expanded, step);
      const blank = node.state.indexOf(home);
      for (const to of neighbours(blank)) {
        if (to === node.from) continue;
        children.push({ parent: node, blank, to, step });
        total += 1;
      }
      generated.push(total);
    }
    for (const { parent, blank, to, step } of children) {
      const g = best.g + 1;
      const key = keyAfter(parent.key, parent.state[to] - home, blank, to);
      let node = known.get(key);
      if (node && node.g <= g) continue;
      if (!node) {
        const state = after(parent.state, blank, to, home);
        known.set(key, node = { key, state, h: estimate.of(state, home), born: step, expanded: Infinity });
      }
      [node.g, node.parent, node.from, node.isClosed] = [g, parent, blank, false];
      open.push(node);
      if (isGoal(node.state)) goal = node;
    }
  }
  return { nodes: [...known.values()], order, generated, total, path: pathTo(goal), length: goal.g };
}

/** Nothing that is open can be better than what was found; without a heuristic, the first that is found is best. */
function isOver(best, goal, estimate) {
  return goal !== null && (estimate.isBlind || best.f >= goal.g);
}

function isGoal(state) {
  return state.every((tile, square) => tile === square);
}

function pathTo(node) {
  const path = [];
  for (let at = node; at; at = at.parent) path.unshift(at);
  return path;
}

/** Open nodes: smallest f first, then most moves made, then those that came last. */
class Open {
  #stacks = [];
  #least = Infinity;

  push(node) {
    const f = node.g + node.h;
    const byMoves = this.#stacks[f] ??= [];
    (byMoves[node.g] ??= []).push({ node, g: node.g });
    this.#least = Math.min(this.#least, f);
  }

  /** The f and g of the best nodes; null when nothing is open. */
  first() {
    for (let f = this.#least; f < this.#stacks.length; f += 1) {
      const byMoves = this.#stacks[f] ?? [];
      while (byMoves.length > 0 && !byMoves.at(-1)?.length) byMoves.pop();
      if (byMoves.length > 0) {
        this.#least = f;
        return { f, g: byMoves.length - 1 };
      }
    }
    return null;
  }

  /** Takes out up to so many of these, the last first. */
  take({ f, g }, most) {
    const stack = this.#stacks[f][g];
    return stack.splice(Math.max(0, stack.length - most)).reverse();
  }
}

/**
 * Iterative deepening, depth first, never taking back the last move. Gives up when `most` nodes have been generated.
 *
 * Returns, by the number of a node: `parent`, `depth`, `h`, `blank`, and `visit`, the number of its expansion, −1 where it was
 * not expanded; `order`, the nodes as they were expanded; `generated`, how many had been generated before the next expansion; and
 * `iterations`, each with its `bound`, the numbers of its `first` node and of the one after its last, `end`, and of its
 * `firstVisit` and `endVisit`. `found` is the goal's number, or −1.
 */
export function ida(start, home, estimate, most) {
  const record = new Record(start, home, estimate, most);
  const first = estimate.of(start, home);
  if (isGoal(start)) return record.ended(0, 0);
  for (let bound = estimate.isBlind ? 1 : first; bound !== Infinity && !record.isOver;) {
    record.begin(bound);
    const root = record.add(-1, 0, first, start.indexOf(home));
    const next = visit(record, { home, estimate, bound, state: start.slice() }, root, 0);
    record.end();
    bound = estimate.isBlind ? bound + 1 : next;
  }
  return record.ended(record.found, record.depth[record.found]);
}

/** Visits a node and what is below it. Returns the smallest f above the bound. */
function visit(record, search, node, depth) {
  const { home, estimate, bound, state } = search;
  const blank = record.blank[node];
  const from = record.parent[node] < 0 ? -1 : record.blank[record.parent[node]];
  record.expand(node);
  let next = Infinity;
  for (const to of neighbours(blank)) {
    if (to === from) continue;
    state[blank] = state[to];
    state[to] = home;
    const h = estimate.of(state, home);
    const child = record.add(node, depth + 1, h, to);
    record.count();
    if (depth + 1 + h > bound) next = Math.min(next, depth + 1 + h);
    else if (h === 0 && isGoal(state)) record.found = child;
    else if (!estimate.isBlind || depth + 1 < bound) next = Math.min(next, visit(record, search, child, depth + 1));
    state[to] = state[blank];
    state[blank] = home;
    if (record.isOver) break;
  }
  return next;
}

/** What a search by IDA* leaves behind. */
class Record {
  iterations = [];
  found = -1;
  #most;
  #nodes = 0;
  #visits = 0;
  #generated = 1;

  constructor(start, home, estimate, most) {
    // Every iteration has a root of its own, and no f on 3×3 is so large that there are more of them than that.
    const room = most + 128;
    this.#most = most;
    Object.assign(this, { start, home, estimate });
    this.parent = new Int32Array(room);
    this.visit = new Int32Array(room).fill(-1);
    this.order = new Int32Array(room);
    this.generated = new Int32Array(room);
    [this.depth, this.h, this.blank] = [0, 1, 2].map(() => new Uint8Array(room));
  }

  get isOver() {
    return this.found >= 0 || this.#generated >= this.#most;
  }

  begin(bound) {
    this.iterations.push({ bound, first: this.#nodes, firstVisit: this.#visits });
  }

  end() {
    Object.assign(this.iterations.at(-1), { end: this.#nodes, endVisit: this.#visits });
  }

  add(parent, depth, h, blank) {
    const node = this.#nodes;
    this.#nodes += 1;
    [this.parent[node], this.depth[node], this.h[node], this.blank[node]] = [parent, depth, h, blank];
    return node;
  }

  expand(node) {
    this.visit[node] = this.#visits;
    this.order[this.#visits] = node;
    this.#visits += 1;
  }

  count() {
    this.#generated += 1;
    this.generated[this.#visits - 1] = this.#generated;
  }

  ended(found, length) {
    this.found = found;
    this.isFound = found >= 0;
    this.length = found >= 0 ? length : null;
    this.expanded = this.#visits;
    this.total = this.#generated;
    return this;
  }

  /** The nodes from the start of its iteration to a node. */
  pathTo(node) {
    const path = [];
    for (let at = node; at >= 0; at = this.parent[at]) path.unshift(at);
    return path;
  }

  /** The state of a node: the blank's way to it, walked from the start. */
  stateOf(node) {
    const path = this.pathTo(node).map((at) => this.blank[at]);
    return path.slice(1).reduce((state, to, made) => after(state, path[made], to, this.home), this.start);
  }

  /** The f of the boards that come after a node's. */
  childrenOf(node) {
    const [state, blank] = [this.stateOf(node), this.blank[node]];
    const from = this.parent[node] < 0 ? -1 : this.blank[this.parent[node]];
    const next = neighbours(blank).filter((to) => to !== from).map((to) => after(state, blank, to, this.home));
    return next.map((child) => this.depth[node] + 1 + this.estimate.of(child, this.home));
  }
}
