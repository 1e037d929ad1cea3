// What the lesson says about a step, an end, and a heuristic, in plain sentences.

import { count } from './words.js';

/** `1,234`. */
export function whole(number) {
  return number.toLocaleString('en');
}

export function nodes(number, noun) {
  return `${whole(number)} ${noun}${number === 1 ? '' : 's'}`;
}

/** f as its sum. */
function sum({ g, h }) {
  return `${count(g, 'move')} made + ${h} estimated = ${g + h}`;
}

/** What A* does with its step. */
export function astarSentence(model, step, shortest) {
  const { run } = model;
  if (step === 0) return `The start is the only open board. Estimate: ${run.nodes[0].h} to go.`;
  if (step >= model.steps) return endSentence(run.length, shortest, 'Nothing open could lead to a shorter way.');
  const node = run.order[step - 1];
  const next = run.generated[step - 1] - (run.generated[step - 2] ?? 1);
  const found = model.perStep[step - 1];
  const rest = next === 1
    ? `Its only next board ${found === 1 ? 'is new' : 'was known'}.`
    : `Of its ${next} next boards ${found} ${found === 1 ? 'is' : 'are'} new.`;
  return `The open board with the smallest f: ${sum(node)}. ${rest}`;
}

/** What IDA* does with its step. */
export function idaSentence(model, step, shortest) {
  const { run } = model;
  const { iterations } = run;
  if (step === 0) return `Goes as deep as it may while f is within a bound. The first bound is ${iterations[0].bound}.`;
  if (step >= model.steps && run.isFound) {
    const others = iterations.length === 1 ? '' : 'The iterations before proved that no shorter way exists.';
    return endSentence(run.length, shortest, others);
  }
  if (step >= model.steps) return `Given up after ${nodes(run.total, 'node')}: it visits the same boards again and again.`;
  const { bound } = iterations[model.iterationOf(step)];
  const node = run.order[step - 1];
  const next = run.childrenOf(node);
  const cut = next.filter((f) => f > bound).length;
  const rest = next.length === 1
    ? `Its only next board is ${cut === 1 ? 'above' : 'within'} the bound.`
    : `${cut === 0 ? 'None' : cut} of its ${next.length} next boards ${cut > 1 ? 'are' : 'is'} above the bound.`;
  return `Bound ${bound}: ${sum({ g: run.depth[node], h: run.h[node] })}. ${rest}`;
}

function endSentence(length, shortest, why) {
  if (length > shortest) {
    return `Found a way of ${count(length, 'move')}. The shortest has ${shortest}: it was missed by ${length - shortest}.`;
  }
  return `Found the shortest way: ${count(length, 'move')}. ${why}`.trim();
}

/** The heuristic, and what it says of the start. */
export function estimateSentence(estimate, first, shortest) {
  const below = first === shortest ? 'exactly right' : `${shortest - first} too few, which is allowed`;
  const verdict = first > shortest ? `${first - shortest} too many` : below;
  return `${estimate.about}. Of this board it says ${first}; the truth is ${shortest}: ${verdict}.`;
}

/** How two heuristics compare by what A* has to expand. */
export function comparison(one, other, nameOfOne, nameOfOther) {
  const [mine, theirs] = [one.order.length, other.order.length];
  if (mine === theirs) return `A* expands ${nodes(mine, 'board')} with ${nameOfOne} as with ${nameOfOther}.`;
  const [better, worse] = mine < theirs ? [nameOfOne, nameOfOther] : [nameOfOther, nameOfOne];
  const [few, many] = [Math.min(mine, theirs), Math.max(mine, theirs)];
  return `With ${better} A* expands ${nodes(few, 'board')} instead of ${whole(many)} with ${worse}: ${whole(many - few)} saved.`;
}

/** Why a heuristic that exaggerates went wrong: the first board of a shortest way that it never expanded. */
export function mistakeSentence(run, missed, shortest) {
  const found = count(run.length, 'move');
  if (!missed) return `A* found ${found}, and that is the shortest way, but only by luck: on other boards it is missed.`;
  const { g, h } = missed;
  return `A* found ${found} where ${shortest} are enough. This board lies on a shortest way: after ${count(g, 'move')}, ` +
    `${shortest - g} more would do, but the heuristic says ${h}. So f is ${g + h} instead of ${shortest}, ` +
    'and the longer way looked better.';
}
