// Moves of several tiles: counted, dragged, hinted at, played, taken back, judged, and kept in the address.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { askServer, boardOn, distanceIs, fragmentOf, PHONE, picture, start, textIs } from './page.js';

/** Nine slides, in four moves: D3 L2 U3 L. */
const BOARD = '5 1 2 4 / 9 6 3 8 / 13 10 7 12 / 0 14 11 15';
const AFTER_ONE = '0 1 2 4 / 5 6 3 8 / 9 10 7 12 / 13 14 11 15';
const IN_LINES = `${fragmentOf(BOARD)}&metric=mtm`;
/** The farthest board in single tiles. */
const FAR = '8 6 7 / 2 5 4 / 3 0 1';
let stage;
before(async () => { stage = await start(); });
after(() => stage.stop());

/** Drags a tile, by shares of its side. */
async function drag(page, tile, x, y) {
  const box = await page.locator(`[data-tile="${tile}"]`).boundingBox();
  const [atX, atY] = [box.x + box.width / 2, box.y + box.height / 2];
  await page.mouse.move(atX, atY);
  await page.mouse.down();
  await page.mouse.move(atX + box.width * x, atY + box.height * y, { steps: 4 });
  await page.mouse.up();
}

const hinted = (page) => page.$$eval('.tile.is-hint', (tiles) => tiles.map((tile) => Number(tile.dataset.tile)).sort((a, b) => a - b));

test('several tiles dragged together are one move, or as many as there are tiles, as was chosen', async () => {
  const { page, close } = await stage.open(fragmentOf(BOARD));
  await distanceIs(page, 9);
  await drag(page, 5, 0, 0.7);
  await distanceIs(page, 6);
  assert.equal(await boardOn(page), AFTER_ONE);
  await textIs(page, '#made', '3');
  await page.selectOption('#metric', 'mtm');
  await distanceIs(page, 3);
  await textIs(page, '#made', '1');
  await textIs(page, '#wasted', '0');
  assert.equal(await boardOn(page), AFTER_ONE, 'the board stays as it is');
  await drag(page, 2, -0.7, 0);
  await distanceIs(page, 2);
  await textIs(page, '#made', '2');
  await page.selectOption('#metric', 'stm');
  await distanceIs(page, 4);
  await textIs(page, '#made', '5');
  await close();
});

test('a game in lines is counted, taken back and made again by whole moves', async () => {
  const { page, close } = await stage.open(IN_LINES);
  await distanceIs(page, 4);
  await page.click('[data-tile="5"]');
  await distanceIs(page, 3);
  await textIs(page, '#announcer', 'Moved 13, 9 and 5 down. 3 moves to go.');
  await page.click('#undo');
  await distanceIs(page, 4);
  assert.equal(await boardOn(page), BOARD);
  await textIs(page, '#made', '0');
  await textIs(page, '#announcer', 'Took back 13, 9 and 5. 4 moves to go.');
  await page.click('#redo');
  await distanceIs(page, 3);
  assert.equal(await boardOn(page), AFTER_ONE);
  await page.click('[data-tile="2"]');
  await page.click('[data-tile="11"]');
  await distanceIs(page, 1);
  const words = 'Distance over 3 moves: 4 at the start, 4 at most, 1 now, after 3 moves.';
  await page.waitForFunction((words) => document.getElementById('timeline').getAttribute('aria-label') === words, words);
  await page.click('[data-tile="15"]');
  await textIs(page, '#note p', /^Solved in \d:\d\d\.\d\d: 4 moves, the fewest possible\.$/);
  await textIs(page, '#made', '4');
  await close();
});

test('keys slide tiles one by one, and those in one direction are one move with nothing wasted', async () => {
  const { page, close } = await stage.open(IN_LINES);
  await distanceIs(page, 4);
  for (const made of [1, 1, 1]) {
    await page.keyboard.press('ArrowDown');
    await textIs(page, '#made', String(made));
    const { length } = await askServer(stage.server, '/api/solve', { board: await boardOn(page), metric: 'mtm' });
    await distanceIs(page, length);
    await textIs(page, '#wasted', '0');
  }
  await distanceIs(page, 3);
  await page.keyboard.press('Control+z');
  assert.equal(await boardOn(page), BOARD);
  // Who stops half-way, and goes another way, has wasted moves.
  for (const key of ['ArrowDown', 'ArrowDown', 'ArrowLeft', 'ArrowRight']) await page.keyboard.press(key);
  await textIs(page, '#made', '3');
  const { length } = await askServer(stage.server, '/api/solve', { board: await boardOn(page), metric: 'mtm' });
  await distanceIs(page, length);
  await textIs(page, '#wasted', String(3 + length - 4));
  await close();
});

test('a hint is one move, marks all its tiles and says how many they are', async () => {
  const { page, close } = await stage.open(IN_LINES);
  await distanceIs(page, 4);
  await textIs(page, '#note', /a whole line at once is one move\.$/);
  await page.click('#hint');
  await textIs(page, '#note', 'Slide 3 tiles down: 13, 9 and 5.');
  await textIs(page, '#announcer', 'Slide 3 tiles down: 13, 9 and 5.');
  assert.deepEqual(await hinted(page), [5, 9, 13]);
  await picture(page, 'metric-hint');
  await page.click('#hint');
  assert.deepEqual(await page.$$eval('.strip li', (steps) => steps.map((step) => step.textContent)), ['13 9 5↓', '1 2←', '3 7 11↑', '15←']);
  assert.equal(await page.getAttribute('.strip', 'aria-label'), 'The whole way, 4 moves');
  await page.selectOption('#metric', 'stm');
  await distanceIs(page, 9);
  await page.waitForFunction(() => document.querySelectorAll('.strip li').length === 9);
  assert.deepEqual(await hinted(page), [13]);
  await close();
});

test('a solution is played by whole moves, whose tiles slide together', async () => {
  const { page, close } = await stage.open(IN_LINES);
  await distanceIs(page, 4);
  await page.$eval('#speed', (speed) => {
    speed.value = 1;
    speed.dispatchEvent(new Event('input'));
  });
  await page.evaluate(() => {
    window.steps = [];
    const places = () => [...document.querySelectorAll('#board .tile')].map((tile) => tile.style.cssText);
    let before = places();
    new MutationObserver(() => {
      const now = places();
      window.steps.push(now.filter((place, index) => place !== before[index]).length);
      before = now;
    }).observe(document.getElementById('board-rows'), { childList: true });
  });
  await page.click('#step-forward');
  await distanceIs(page, 3);
  assert.equal(await boardOn(page), AFTER_ONE);
  await page.click('#step-back');
  assert.equal(await boardOn(page), BOARD);
  await page.$eval('#speed', (speed) => {
    speed.value = 12;
    speed.dispatchEvent(new Event('input'));
  });
  await page.click('#play');
  await textIs(page, '#note', 'Solved with help: 4 moves, the fewest possible.');
  assert.deepEqual(await page.evaluate(() => window.steps), [3, 3, 3, 2, 3, 1]);
  await close();
});

test('the choice is in the address, and remembered where the address has none', async () => {
  const { page, context, close } = await stage.open(fragmentOf(BOARD));
  await distanceIs(page, 9);
  assert.equal(await page.inputValue('#metric'), 'stm');
  await page.getByLabel('One move is').selectOption('several tiles in a line');
  await distanceIs(page, 4);
  await textIs(page, '#announcer', 'Several tiles in a line are one move. 4 moves to go.');
  await page.waitForFunction((fragment) => location.hash === fragment, IN_LINES);
  const next = await context.newPage();
  await next.goto(stage.server.address + fragmentOf(FAR));
  await distanceIs(next, 20);
  assert.equal(await next.inputValue('#metric'), 'mtm');
  await next.evaluate((fragment) => { location.hash = fragment; }, `${fragmentOf(FAR)}&metric=stm`);
  await distanceIs(next, 31);
  assert.equal(await next.inputValue('#metric'), 'stm');
  await close();
  const visitor = await stage.open(`${IN_LINES.replace('mtm', 'nonsense')}`);
  await distanceIs(visitor.page, 9);
  await visitor.close();
});

test('boards at a distance, their place among all others and all solutions are counted in lines', async () => {
  const { page, close } = await stage.open(`${fragmentOf(FAR)}&metric=mtm`, { expectsRefusals: true });
  await distanceIs(page, 20);
  await textIs(page, '#proof', /Farther than 91 % of all boards\.$/);
  await textIs(page, '#difficulty-help', 'Leave it empty for a random board; 24 moves are the most.');
  const { solutions } = await askServer(stage.server, '/api/solve', { board: FAR, metric: 'mtm', all: true });
  await page.click('#find-all');
  await textIs(page, '#all-count', new RegExp(`^${solutions} shortest solutions? of 20 moves$`));
  await page.fill('#difficulty', '25');
  await page.click('#scramble');
  await textIs(page, '#new-trouble', /the farthest are 24 moves away/);
  await page.fill('#difficulty', '24');
  await page.click('#scramble');
  await distanceIs(page, 24);
  await textIs(page, '#proof', /Farther than 99\.999 % of all boards\.$/);
  await page.selectOption('#metric', 'stm');
  await textIs(page, '#difficulty-help', /31 moves are the most/);
  await close();
});

test('lost moves are judged in lines, and judged anew when the metric changes', async () => {
  const { page, close } = await stage.open(IN_LINES);
  await distanceIs(page, 4);
  await page.click('#review-details summary');
  await page.fill('#review-moves', 'D2LRDL2U3L');
  await page.click('#review-ask');
  const { lost, losses } = await askServer(stage.server, '/api/analyse', { board: BOARD, moves: 'D2LRDL2U3L', metric: 'mtm' });
  await textIs(page, '#review-summary', new RegExp(`^7 moves, ${lost} above the shortest 4: lost at move`));
  assert.equal(await page.locator('#review-list li').count(), losses.length);
  await textIs(page, '#review-list li:first-child', 'Move 1: D2 lost 1; D3 would have been better');
  await page.click('#review-list li:first-child button');
  await textIs(page, '#note', 'Move 1: 13 and 9 down loses 1 move. 13, 9 and 5 down is better.');
  assert.deepEqual(await hinted(page), [5, 9, 13]);
  await page.click('#play');
  await textIs(page, '#note p', /^Solved by the pasted moves: 7 moves; 4 are enough\.$/);
  await page.selectOption('#metric', 'stm');
  await textIs(page, '#review-summary', /^11 moves, 2 above the shortest 9: lost at move 3/);
  await textIs(page, '#review-list li:first-child', 'Move 3: L lost 2; D would have been better');
  await close();
});

test('after a change of metric no line leads through distances that are not known yet', async () => {
  const { page, close } = await stage.open(fragmentOf(BOARD), { expectsRefusals: true });
  await distanceIs(page, 9);
  for (const tile of [5, 2, 11]) await page.click(`[data-tile="${tile}"]`);
  await distanceIs(page, 1);
  // Of the boards in between, the server says how far the first is, and nothing of the others.
  let answered = 0;
  await page.route('**/api/solve', async (route) => {
    const { metric, time_limit: limit } = route.request().postDataJSON();
    const isBetween = metric === 'mtm' && limit === 5;
    answered += Number(isBetween);
    return isBetween && answered > 1 ? route.abort() : route.continue();
  });
  await page.selectOption('#metric', 'mtm');
  await page.waitForFunction(() => document.querySelectorAll('#timeline .lone').length === 1);
  const lengths = await page.$$eval('#timeline .past', (all) => all.map((line) => line.getAttribute('points')?.split(' ').length ?? 0));
  assert.ok(lengths.every((points) => points <= 1), `lines with ${lengths} points`);
  await page.unroute('**/api/solve');
  await page.click('#undo');
  await page.click('#redo');
  await page.waitForFunction(() => document.querySelector('#timeline .past').getAttribute('points').split(' ').length === 4);
  assert.equal(await page.locator('#timeline .lone').count(), 0);
  await close();
});

test('in lines an illegal move is counted in lines, and nothing beyond it is judged', async () => {
  const { page, close } = await stage.open(IN_LINES);
  await distanceIs(page, 4);
  await page.click('#review-details summary');
  for (const [moves, words] of [
    ['D3L2U4L', 'Move 3 (U4) cannot be made: only 3 of 4 tiles can slide up. By the 2 moves before it none was lost.'],
    ['D2L2D3', 'Move 3 (D3) cannot be made: only 1 of 3 tiles can slide down. By the 2 moves before it 3 were lost, at moves 1 and 2.'],
  ]) {
    await page.fill('#review-moves', moves);
    await page.click('#review-ask');
    await textIs(page, '#review-summary', words);
  }
  await close();
});

test('larger tables are named by the command that builds them', async () => {
  const { page, close } = await stage.open(IN_LINES);
  const { length, stronger } = await askServer(stage.server, '/api/solve', { board: BOARD, metric: 'mtm' });
  await distanceIs(page, length);
  assert.equal(await page.isVisible('#stronger'), Boolean(stronger));
  if (stronger) {
    await textIs(page, '#stronger', `Larger tables make searches faster. To build them: tilebase generate ${stronger}`);
    await textIs(page, '#stronger code', `tilebase generate ${stronger}`);
  }
  await close();
});

test('the panels show what is known of moves in lines', async () => {
  const { page, close } = await stage.open(IN_LINES);
  await distanceIs(page, 4);
  const sight = await askServer(stage.server, '/api/show', { board: BOARD, metric: 'mtm' });
  await page.click('#tab-heuristics');
  await page.waitForFunction((count) => document.querySelectorAll('#heuristics > li').length === count, Object.keys(sight.heuristics).length);
  await page.click('#tab-tables');
  await textIs(page, '#tables-used', `The server uses the tables ${sight.tables}.`);
  for (const { tiles } of sight.views) {
    const radio = page.getByRole('radio', { name: `tiles ${tiles.flat().join(' ')}` });
    await radio.check();
    const coloured = await page.$$eval('.tile[data-colour]', (all) => all.map((tile) => Number(tile.dataset.tile)).sort((a, b) => a - b));
    assert.deepEqual(coloured, tiles.flat().sort((a, b) => a - b));
  }
  await page.selectOption('#metric', 'stm');
  await page.waitForFunction(() => document.querySelector('#tables-used pre'));
  await close();
});

test('on a phone the choice is there, and a line is dragged by touch', async () => {
  const { page, context, close } = await stage.open(IN_LINES, { ...PHONE });
  await distanceIs(page, 4);
  await picture(page, 'metric-phone');
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  assert.ok(width <= 360, `the page is ${width} pixels wide`);
  const box = await page.locator('[data-tile="5"]').boundingBox();
  const at = (share) => [{ x: box.x + box.width / 2, y: box.y + box.height * (0.5 + share) }];
  const touch = await context.newCDPSession(page);
  await touch.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: at(0) });
  for (const share of [0.3, 0.6, 0.9]) await touch.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: at(share) });
  await touch.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
  await distanceIs(page, 3);
  assert.equal(await boardOn(page), AFTER_ONE);
  await textIs(page, '#made', '1');
  await close();
});
