// What is said about somebody's solution.

import { moveInWords } from './notation.js';
import { count, list } from './words.js';

/** More losses than this are counted and not named: they are listed anyway. */
const MOST_NAMED = 6;

/** `48 moves, 4 above the shortest 44: lost at moves 12 and 31; 1.6 moves for each step of the Manhattan distance.` */
export function summaryOf({ answer, losses }) {
  if (!answer.solvable) return `This board cannot be solved: ${answer.reason}.`;
  const sentences = answer.solves && !answer.limit ? [solved(answer, losses)] : [unlessSolved(answer)];
  if (answer.limit) sentences.push(...limited(answer, losses));
  else if (!answer.solves && judged(answer) > 0) sentences.push(onTheWay(answer, losses));
  return sentences.join(' ');
}

function solved({ length, shortest, lost, ratio }, losses) {
  const verdict = lost === 0 ? 'the fewest possible' : `${lost} above the shortest ${shortest}: lost at ${places(losses)}`;
  const each = ratio === null ? '' : `; ${ratio.toFixed(1)} moves for each step of the Manhattan distance`;
  return `${count(length, 'move')}, ${verdict}${each}.`;
}

/** What keeps the moves from being a solution; with a limit they may be one. */
function unlessSolved({ illegal, solves, length, left }) {
  if (illegal) return `Move ${illegal.move} (${illegal.made}) cannot be made: ${illegal.reason.replace(/^move \d+: /, '')}.`;
  if (solves) return `${count(length, 'move')}.`;
  const far = left == null ? '' : `, but ${count(left, 'move')} away from it`;
  return `${count(length, 'move')}, and the end is not the goal${far}.`;
}

/** The number of moves, in the metric, that are judged: those before the first that cannot be made. */
function judged({ illegal, length }) {
  return illegal ? illegal.move - 1 : length;
}

/** Of moves that do not solve the board: what was lost nevertheless. */
function onTheWay(answer, losses) {
  const { illegal, lost } = answer;
  const before = judged(answer);
  const which = !illegal ? 'On the way' : before === 1 ? 'By the move before it' : `By the ${before} moves before it`;
  return lost === 0 ? `${which} none was lost.` : `${which} ${lost} ${lost === 1 ? 'was' : 'were'} lost, at ${places(losses)}.`;
}

/** What is proven in the time that the server takes. */
function limited(answer, losses) {
  const { known_from: from, at_least: atLeast, lost_at_most: most } = answer;
  const known = losses.length === 0 ? 'none was lost' : `some were lost at ${places(losses)}`;
  const about = from > judged(answer) ? 'None of the moves could be judged' : `From move ${from} on, ${known}; the moves before could not be judged`;
  const bounds = most === null ? '' : `, and at most ${count(most, 'move')} were lost`;
  return [
    `The time limit was reached. ${about}.`,
    `A shortest solution has at least ${count(atLeast, 'move')}${bounds}. In a terminal, tilebase analyse has no time limit.`,
  ];
}

/** `move 12`, `moves 12 and 31`, `23 moves`. */
function places(losses) {
  if (losses.length > MOST_NAMED) return count(losses.length, 'move');
  return `${losses.length === 1 ? 'move' : 'moves'} ${list(losses.map(({ number }) => number))}`;
}

/** A line of the list, in the notation of the solution: `U lost 2; L would have been better`. */
export function lossInList({ made, better, lost }) {
  return `${made} lost ${lost}${better ? `; ${better} would have been better` : ''}`;
}

/** The same beside the board, where tiles are seen: `Move 12: 7 up loses 2 moves. 9 left is better.` */
export function lossOnBoard({ number, lost, move, betterMove }, board) {
  const better = betterMove.length > 0 ? ` ${moveInWords(board, betterMove)} is better.` : '';
  return `Move ${number}: ${moveInWords(board, move)} loses ${count(lost, 'move')}.${better}`;
}
