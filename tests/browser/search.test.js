// Long searches: what they have proved so far, and how they end early.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { askServer, boardOn, distanceIs, fragmentOf, picture, start, textIs } from './page.js';

/** Far from its goal: no tables that a server could have find its distance within this test. */
const HARD = '21 24 8 14 15 / 3 5 7 2 12 / 23 9 0 11 22 / 17 16 10 18 4 / 6 19 13 1 20';
let stage;
before(async () => { stage = await start(); });
after(() => stage.stop());

const isSolve = (request) => request.url().endsWith('/api/solve');

/** Waits for a bound with its figures; resolves to it. */
async function boundOn(page) {
  await textIs(page, '#distance-sign', '≥');
  await textIs(page, '#proof', /nodes, .* a second, /);
  return Number(await page.textContent('#distance-value'));
}

test('a long search says what it has proved, and stops at once when asked to', async () => {
  const { page, close } = await stage.open(fragmentOf(HARD));
  const bound = await boundOn(page);
  assert.ok(bound >= 60, `${bound} is more than nothing`);
  await textIs(page, '#stop', 'Stop');
  await picture(page, 'search-5x5');
  const given = page.waitForEvent('requestfailed', isSolve);
  const asked = performance.now();
  await page.click('#stop');
  await textIs(page, '#distance-label', 'moves at least, proved');
  assert.ok(performance.now() - asked < 2000, 'stopped quickly');
  assert.match((await given).failure().errorText, /ABORTED/, 'and the server knows');
  assert.ok(Number(await page.textContent('#distance-value')) >= bound);
  await textIs(page, '#proof', /^Stopped after /);
  await page.click('#stop');
  await boundOn(page);
  await close();
});

test('a move gives up the search for the board before', async () => {
  const { page, close } = await stage.open(fragmentOf(HARD));
  await boundOn(page);
  const given = page.waitForEvent('requestfailed', isSolve);
  const next = page.waitForRequest(isSolve);
  await page.keyboard.press('ArrowLeft');
  assert.match((await given).failure().errorText, /ABORTED/);
  assert.notEqual((await next).postDataJSON().board, HARD);
  await boundOn(page);
  await close();
});

test('fast players are not refused: searches that are given up take no place', async () => {
  for (const board of [HARD, '5 1 2 4 / 9 6 3 8 / 13 10 7 12 / 0 14 11 15']) {
    const { page, close } = await stage.open(fragmentOf(board));
    await page.waitForFunction(() => /^\d+$/.test(document.getElementById('distance-value').textContent));
    for (const key of 'LURDRULDDLURLURDRULDDLUR'.repeat(2)) {
      await page.keyboard.press({ U: 'ArrowUp', D: 'ArrowDown', L: 'ArrowLeft', R: 'ArrowRight' }[key]);
    }
    if (board === HARD) {
      await boundOn(page);
    } else {
      const { length } = await askServer(stage.server, '/api/solve', { board: await boardOn(page) });
      await distanceIs(page, length);
    }
    await close(); // Refusals are complaints in the console.
  }
});

test('a screen reader hears of a long search once, and of its end', async () => {
  const { page, close } = await stage.open(fragmentOf(HARD));
  await boundOn(page);
  await page.keyboard.press('ArrowLeft');
  await textIs(page, '#announcer', 'Moved 11 left. Searching.');
  await boundOn(page);
  await page.click('#stop');
  await textIs(page, '#announcer', /^At least \d+ moves\.$/);
  await close();
});

test('the heuristics can be chosen while a search reports', async () => {
  const { page, close } = await stage.open(fragmentOf(HARD));
  await boundOn(page);
  await page.click('#tab-heuristics');
  const row = await page.waitForSelector('.heuristics > li');
  const seconds = await page.textContent('#proof');
  await page.waitForFunction((before) => document.getElementById('proof').textContent !== before, seconds);
  assert.ok(await row.evaluate((element) => element.isConnected), 'the rows are not made anew with every report');
  await close();
});

test('a long search does not stand in the way of the next board', async () => {
  const { page, close } = await stage.open(fragmentOf(HARD));
  await boundOn(page);
  await page.evaluate(() => { location.hash = '#1,2,3/4,5,6/7,0,8'; });
  await textIs(page, '#distance-label', 'move to go');
  assert.equal(await page.textContent('#distance-value'), '1');
  assert.equal(await page.isVisible('#stop'), false);
  await close();
});
