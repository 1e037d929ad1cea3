// Playing: keys, clicks, lines of tiles, taking back, and the figures that follow.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { askServer, boardOn, distanceIs, fragmentOf, picture, start, textIs } from './page.js';

const BOARD = '5 1 2 4 / 9 6 3 8 / 13 10 7 12 / 0 14 11 15';
let stage;
before(async () => { stage = await start(); });
after(() => stage.stop());

test('an arrow key slides the tile in its direction, and the distance follows', async () => {
  const { page, close } = await stage.open(fragmentOf(BOARD));
  await distanceIs(page, 9);
  await picture(page, 'desktop-light');
  await page.keyboard.press('ArrowDown');
  await distanceIs(page, 8);
  assert.equal(await boardOn(page), '5 1 2 4 / 9 6 3 8 / 0 10 7 12 / 13 14 11 15');
  await page.keyboard.press('ArrowLeft');
  await distanceIs(page, 9);
  assert.equal(await boardOn(page), '5 1 2 4 / 9 6 3 8 / 10 0 7 12 / 13 14 11 15');
  await textIs(page, '#made', '2');
  await textIs(page, '#wasted', '2');
  await close();
});

test('a key towards the edge does nothing', async () => {
  const { page, close } = await stage.open(fragmentOf(BOARD));
  await distanceIs(page, 9);
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowDown');
  await distanceIs(page, 8);
  await textIs(page, '#made', '1');
  await close();
});

test('a click slides a tile, a click further away the whole line, and every tile counts', async () => {
  const { page, close } = await stage.open(fragmentOf(BOARD));
  await distanceIs(page, 9);
  await page.click('[data-tile="14"]');
  await textIs(page, '#made', '1');
  await page.click('#undo');
  await textIs(page, '#made', '0');
  await page.click('[data-tile="5"]');
  await distanceIs(page, 6);
  assert.equal(await boardOn(page), '0 1 2 4 / 5 6 3 8 / 9 10 7 12 / 13 14 11 15');
  await textIs(page, '#made', '3');
  await textIs(page, '#wasted', '0');
  await page.click('[data-tile="10"]');
  await page.click('[data-tile="4"]');
  await textIs(page, '#made', '6');
  assert.equal(await boardOn(page), '1 2 4 0 / 5 6 3 8 / 9 10 7 12 / 13 14 11 15');
  await close();
});

test('a tile can be dragged, and goes back when it is let go too early', async () => {
  const { page, close } = await stage.open(fragmentOf(BOARD));
  await distanceIs(page, 9);
  const box = await page.locator('[data-tile="13"]').boundingBox();
  const drag = async (share) => {
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width / 2, box.y + box.height * (0.5 + share), { steps: 4 });
    await page.mouse.up();
  };
  await drag(0.15);
  assert.equal(await boardOn(page), BOARD);
  await drag(0.6);
  await distanceIs(page, 8);
  assert.equal(await boardOn(page), '5 1 2 4 / 9 6 3 8 / 0 10 7 12 / 13 14 11 15');
  await textIs(page, '#made', '1');
  await close();
});

test('undo, redo and restart go through the game', async () => {
  const { page, close } = await stage.open(fragmentOf(BOARD));
  await distanceIs(page, 9);
  await page.click('[data-tile="5"]');
  await distanceIs(page, 6);
  await page.click('#undo');
  await distanceIs(page, 7);
  await page.keyboard.press('Control+z');
  await distanceIs(page, 8);
  await page.click('#redo');
  await distanceIs(page, 7);
  await page.keyboard.press('Control+Shift+Z');
  await distanceIs(page, 6);
  await page.click('#restart');
  await distanceIs(page, 9);
  assert.equal(await boardOn(page), BOARD);
  await textIs(page, '#made', '0');
  await close();
});

test('the clock runs from the first move to the last, and the end says whether it was the fewest', async () => {
  const { page, close } = await stage.open(fragmentOf('1 2 3 / 4 5 6 / 0 7 8'));
  await distanceIs(page, 2);
  await textIs(page, '#clock', '0:00.00');
  await page.keyboard.press('ArrowLeft');
  await textIs(page, '#clock', /^0:00\.[1-9]$/);
  await page.keyboard.press('ArrowLeft');
  await textIs(page, '#note', /^Solved in 0:0\d\.\d\d: 2 moves, the fewest possible\.$/);
  await distanceIs(page, 0);
  await textIs(page, '#distance-label', 'solved');
  const stopped = await page.textContent('#clock');
  // The clock's next tenths would have come while the page answered these.
  await page.waitForFunction((then) => performance.now() > then + 300, await page.evaluate(() => performance.now()));
  assert.equal(await page.textContent('#clock'), stopped);

  await page.click('#restart');
  for (const key of ['ArrowDown', 'ArrowUp', 'ArrowLeft', 'ArrowLeft']) await page.keyboard.press(key);
  await textIs(page, '#note p', /^Solved in 0:0\d\.\d\d: 4 moves; 2 are enough\.$/);
  await textIs(page, '#wasted', '2');
  await close();
});

test('the distance is exact after every one of many moves', async () => {
  const { page, close } = await stage.open(fragmentOf('8 6 7 / 2 5 4 / 3 0 1'));
  await distanceIs(page, 31);
  for (const key of 'DRUULLDDRURDLULURDDRULU') {
    await page.keyboard.press({ U: 'ArrowUp', D: 'ArrowDown', L: 'ArrowLeft', R: 'ArrowRight' }[key]);
    const { length } = await askServer(stage.server, '/api/solve', { board: await boardOn(page) });
    await distanceIs(page, length);
  }
  await picture(page, 'timeline');
  await close();
});

test('the timeline is drawn to the last move and says the same in words', async () => {
  const { page, close } = await stage.open(fragmentOf(BOARD));
  await distanceIs(page, 9);
  await page.click('[data-tile="5"]');
  await page.keyboard.press('ArrowUp');
  await distanceIs(page, 7);
  const words = 'Distance over 4 moves: 9 at the start, 9 at most, 7 now, after 4 moves.';
  await page.waitForFunction((words) => document.getElementById('timeline').getAttribute('aria-label') === words, words);
  const points = () => page.$eval('#timeline .past', (line) => line.getAttribute('points').trim().split(/\s+/).length);
  assert.equal(await points(), 5, 'the boards in between are on it, too');
  await page.click('#undo');
  await page.waitForFunction(() => {
    const ahead = document.querySelector('#timeline .ahead').getAttribute('points');
    return ahead.trim().split(/\s+/).length === 2;
  });
  assert.equal(await points(), 4);
  await close();
});
