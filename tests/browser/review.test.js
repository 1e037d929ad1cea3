// Somebody's solution: pasted or just played, where it lost moves, and what is said when it is none.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { boardOn, distanceIs, fragmentOf, PHONE, picture, start, textIs } from './page.js';

const BOARD = '5 1 2 4 / 9 6 3 8 / 13 10 7 12 / 0 14 11 15';
/** Loses two moves at the second, and two more at the fourth from the end. */
const SOLUTION = 'DLRD2L2U2DU2L';
const HARD = '21 24 8 14 15 / 3 5 7 2 12 / 23 9 0 11 22 / 17 16 10 18 4 / 6 19 13 1 20';
const SUMMARY = '13 moves, 4 above the shortest 9: lost at moves 2 and 10; 1.4 moves for each step of the Manhattan distance.';
const { DIRECTIONS, goalBoard } = await import(new URL('../../crates/serve/page/board.js', import.meta.url));
let stage;
before(async () => { stage = await start(); });
after(() => stage.stop());

async function paste(page, moves) {
  if (!(await page.isVisible('#review-moves'))) await page.click('#review-details summary');
  await page.fill('#review-moves', moves);
  await page.click('#review-ask');
}

const linesOf = (page) => page.locator('#review-list li').allTextContents();

test('a pasted solution is told where it lost moves, and what would have been better', async () => {
  const { page, close } = await stage.open(fragmentOf(BOARD));
  await distanceIs(page, 9);
  await paste(page, SOLUTION);
  await textIs(page, '#review-summary', SUMMARY);
  await textIs(page, '#announcer', SUMMARY);
  assert.deepEqual(await linesOf(page), [
    'Move 2: L lost 2; D would have been better', 'Move 10: D lost 2; U would have been better',
  ]);
  assert.equal(await boardOn(page), BOARD, 'the game is at its start');
  await textIs(page, '#made', '0');
  await page.waitForFunction(() => document.querySelectorAll('#timeline .loss path').length === 2);
  assert.ok(await page.isVisible('#timeline-losses'), 'the marks are explained');
  assert.match(await page.getAttribute('#timeline', 'aria-label'), /Lost at 2 moves: 2 and 10\.$/);
  await picture(page, 'review');
  await close();
});

test('a loss leads to the board before it, from the list and from the timeline', async () => {
  const { page, close } = await stage.open(fragmentOf(BOARD));
  await distanceIs(page, 9);
  await paste(page, SOLUTION);
  await page.click('#review-list li:nth-child(2) button');
  await textIs(page, '#made', '9');
  await distanceIs(page, 2);
  await textIs(page, '#note', 'Move 10: 7 down loses 2 moves. 11 up is better.');
  await textIs(page, '#announcer', 'Move 10: 7 down loses 2 moves. 11 up is better. 2 moves to go.');
  assert.equal(await page.getAttribute('.is-hint', 'data-tile'), '11', 'the better move is on the board');
  assert.equal(await page.locator('#review-list [aria-current="step"]').textContent(), 'Move 10: D lost 2; U would have been better');
  await page.locator('#timeline .loss .target').first().click();
  await textIs(page, '#made', '1');
  assert.equal(await boardOn(page), '5 1 2 4 / 9 6 3 8 / 0 10 7 12 / 13 14 11 15');
  await textIs(page, '#note', 'Move 2: 10 left loses 2 moves. 9 down is better.');

  // Who plays something else there still finds the way back to what was pasted.
  await page.keyboard.press('ArrowDown');
  await distanceIs(page, 7);
  await page.waitForFunction(() => document.querySelector('#timeline .loss') === null);
  await page.click('#review-list li:nth-child(2) button');
  await textIs(page, '#note', 'Move 10: 7 down loses 2 moves. 11 up is better.');
  await page.waitForFunction(() => document.querySelectorAll('#timeline .loss').length === 2);
  await close();
});

test('every distance on the timeline follows from the answer, without another search', async () => {
  const { page, close } = await stage.open(fragmentOf(BOARD));
  await distanceIs(page, 9);
  const asked = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await paste(page, SOLUTION);
  await textIs(page, '#review-summary', SUMMARY);
  for (const [made, left] of [8, 9, 8, 7, 6, 5, 4, 3, 2, 3, 2, 1, 0].entries()) {
    await page.click('#redo');
    await textIs(page, '#made', String(made + 1));
    await distanceIs(page, left);
  }
  assert.deepEqual(asked.filter((path) => path.startsWith('/api/')), ['/api/analyse']);
  await textIs(page, '#note', 'Solved by the pasted moves: 13 moves; 9 are enough.');
  await close();
});

test('the player plays the pasted solution, and not the shortest', async () => {
  const { page, close } = await stage.open(fragmentOf(BOARD));
  await distanceIs(page, 9);
  await paste(page, SOLUTION);
  await textIs(page, '#review-summary', SUMMARY);
  assert.equal(await page.getAttribute('#play', 'aria-label'), 'Play your solution');
  await page.click('#step-forward');
  await page.click('#step-forward');
  assert.equal(await boardOn(page), '5 1 2 4 / 9 6 3 8 / 10 0 7 12 / 13 14 11 15', 'the losing move is made');
  await page.focus('#speed');
  await page.keyboard.press('End');
  await page.click('#play');
  await textIs(page, '#note', 'Solved by the pasted moves: 13 moves; 9 are enough.');
  await textIs(page, '#wasted', '4');
  await close();
});

test('all notations are read, and letters of the blank are known by where they lead', async () => {
  const { page, close } = await stage.open(fragmentOf(BOARD));
  await distanceIs(page, 9);
  for (const [moves, made, better, letters] of [
    ['↓←→↓2 ←2, ↑↑↓↑↑←', '←', '↓', 'tile'],
    ['13 10 10 9 5 1 2 3 7 7 7 11 15', '10', '9', 'tile'],
    ['URLU2R2D2UD2R', 'R', 'U', 'blank'],
  ]) {
    await paste(page, moves);
    await textIs(page, '#review-list li', `Move 2: ${made} lost 2; ${better} would have been better`);
    await textIs(page, '#review-summary', SUMMARY);
    assert.equal(await page.inputValue('#review-letters'), letters);
  }
  await paste(page, 'UD');
  await textIs(page, '#review-summary', /^2 moves, and the end is not the goal, but 9 moves away from it\./);
  await page.selectOption('#review-letters', 'tile');
  await paste(page, 'UD');
  await textIs(page, '#review-summary', /^Move 1 \(U\) cannot be made: no tile can slide up/);
  await close();
});

test('the moves are those from the start of the game, whatever was played since', async () => {
  const { page, close } = await stage.open(fragmentOf(BOARD));
  await distanceIs(page, 9);
  await page.keyboard.press('ArrowDown');
  await distanceIs(page, 8);
  await paste(page, 'D3L2U3L');
  await textIs(page, '#question-text', 'The 1 move that you have made will be replaced by those that you paste.');
  await page.keyboard.press('Escape');
  await textIs(page, '#made', '1');
  assert.equal(await page.isVisible('#review'), false);
  await page.click('#review-ask');
  await page.click('#question-go');
  await textIs(page, '#review-summary', '9 moves, the fewest possible; 1.0 moves for each step of the Manhattan distance.');
  assert.equal(await page.isVisible('#review-list'), false);
  assert.equal(await boardOn(page), BOARD);
  // The whole way of the board before is no way of the next one.
  await page.click('#hint');
  await page.click('#hint');
  assert.equal(await page.locator('.strip li').count(), 9);
  await page.fill('#difficulty', '9');
  await page.click('#scramble');
  await page.locator('#review').waitFor({ state: 'hidden' });
  await textIs(page, '#hint', 'Hint');
  await close();
});

test('what is no solution is told so, and what was lost all the same', async () => {
  const { page, close } = await stage.open(fragmentOf(BOARD), { expectsRefusals: true });
  await distanceIs(page, 9);
  await paste(page, 'DLR2');
  await textIs(page, '#review-summary', 'Move 4 (R) cannot be made: no tile can slide right: the blank is at that edge of the board. ' +
    'By the 3 moves before it 2 were lost, at move 2.');
  assert.deepEqual(await linesOf(page), ['Move 2: L lost 2; D would have been better']);
  await paste(page, 'D3L2U3');
  await textIs(page, '#review-summary', '8 moves, and the end is not the goal, but 1 move away from it. On the way none was lost.');
  await paste(page, 'nonsense');
  await textIs(page, '#review-trouble', /"n" \(place 1\) is not a move/);
  await paste(page, '');
  await textIs(page, '#review-trouble', /^There are no moves/);
  assert.equal(await page.isVisible('#review'), false, 'nothing is said about the one before');

  await page.evaluate(() => { location.hash = '#2,1,3/4,5,6/7,8,0'; });
  await textIs(page, '#distance-label', 'no way to the goal');
  assert.equal(await page.isVisible('#review-trouble'), false);
  await paste(page, 'R');
  await textIs(page, '#review-summary', /^This board cannot be solved: /);
  await close();
});

test('a game that is over can be looked back at', async () => {
  const { page, close } = await stage.open(fragmentOf(BOARD));
  await distanceIs(page, 9);
  const play = async (moves) => {
    for (const move of moves) await page.keyboard.press({ U: 'ArrowUp', D: 'ArrowDown', L: 'ArrowLeft', R: 'ArrowRight' }[move]);
  };
  await play('DDDLLUUUL');
  await textIs(page, '#note', /9 moves, the fewest possible\.$/);
  assert.equal(await page.isVisible('#look-back'), false, 'nothing was lost');
  await page.click('#restart');
  await page.focus('#board');
  await play('DLRDDLLUUDUU');
  assert.equal(await page.isVisible('#look-back'), false, 'the game is not over');
  await play('L');
  await textIs(page, '#note p', /^Solved in .*: 13 moves; 9 are enough\.$/);
  await page.click('#tab-tables');
  await picture(page, 'look-back');
  await page.click('#look-back');
  await textIs(page, '#review-summary', SUMMARY);
  assert.ok(await page.isVisible('#review-summary'), 'its panel is open');
  assert.equal(await page.evaluate(() => document.activeElement.id), 'review-summary', 'the keyboard is not lost');
  assert.equal(await page.isVisible('#look-back'), false);
  await textIs(page, '#note p', /^Solved in .*: 13 moves; 9 are enough\.$/);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await textIs(page, '#note', 'Move 2: 10 left loses 2 moves. 9 down is better.');
  await textIs(page, '#made', '1');
  await close();
});

test('of a long solution of 5x5 the end is judged, and the page says that a limit was reached', async () => {
  const { page, close } = await stage.open(fragmentOf(HARD));
  await paste(page, 'LR');
  await textIs(page, '#review-ask', 'Looking…');
  await textIs(page, '#review-summary', /^2 moves, and the end is not the goal\. The time limit was reached\. None of the moves could be judged\. A shortest solution has at least \d+ moves\./);
  await textIs(page, '#review-ask', 'Find the lost moves');

  const { board, moves } = walk();
  await page.evaluate((fragment) => { location.hash = fragment; }, fragmentOf(board));
  await page.locator('#review').waitFor({ state: 'hidden' });
  await paste(page, moves);
  await textIs(page, '#review-summary', /^300 moves\. The time limit was reached\. From move \d+ on, some were lost at .*; the moves before could not be judged\./);
  await page.locator('#timeline .loss').first().waitFor({ state: 'attached' });
  await page.click('#review-list li:last-child button');
  await textIs(page, '#note', /loses 2 moves\./);
  const [, last] = (await page.textContent('#note')).match(/^Move (\d+):/);
  await distanceIs(page, 300 - Number(last) - 1);
  await picture(page, 'review-5x5');
  await close();
});

test('a loss on a phone brings the board into sight', async () => {
  const { page, close } = await stage.open(fragmentOf(BOARD), { ...PHONE, colorScheme: 'dark' });
  await distanceIs(page, 9);
  await paste(page, SOLUTION);
  await textIs(page, '#review-summary', SUMMARY);
  await picture(page, 'review-phone-list');
  await page.tap('#review-list li:first-child button');
  await textIs(page, '#note', 'Move 2: 10 left loses 2 moves. 9 down is better.');
  assert.ok(await page.$eval('#board', (element) => {
    const { top, bottom } = element.getBoundingClientRect();
    return top >= -1 && bottom <= innerHeight + 1;
  }), 'the board');
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), 'nothing is wider than the phone');
  await picture(page, 'review-phone');
  await close();
});

/** A board that three hundred random moves lead to from the goal of 5x5, and these moves taken back. */
function walk() {
  let board = goalBoard('blank-last', 5, 5);
  const back = [];
  for (let seed = 7; back.length < 300;) {
    seed = (seed * 48271) % 2147483647;
    const direction = 'UDLR'[seed % 4];
    const next = board.after(direction);
    if (!next || back[0] === direction) continue;
    board = next;
    back.unshift(DIRECTIONS[direction].opposite);
  }
  return { board: board.text, moves: back.join('') };
}
