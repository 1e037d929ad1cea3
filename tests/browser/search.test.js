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

/** Waits for a solution and a bound, with figures; resolves to both. */
async function gapOn(page) {
  await textIs(page, '#distance-sign', '≤');
  await textIs(page, '#distance-label', /^moves now, at least \d+, searching$/);
  await textIs(page, '#proof', /nodes, .* a second, /);
  return page.evaluate(() => ({
    length: Number(document.getElementById('distance-value').textContent),
    atLeast: Number(/\d+/.exec(document.getElementById('distance-label').textContent)[0]),
  }));
}

test('length and bound of a long search are both on the screen, and come nearer to each other', async () => {
  const { page, close } = await stage.open(fragmentOf(HARD));
  const first = await gapOn(page);
  assert.ok(first.atLeast >= 60 && first.length > first.atLeast, `${first.length} and ${first.atLeast}`);
  await picture(page, 'search-5x5');
  await page.waitForFunction(({ length, atLeast }) => {
    const now = Number(document.getElementById('distance-value').textContent);
    const bound = Number(/\d+/.exec(document.getElementById('distance-label').textContent)?.[0]);
    return now < length && bound >= atLeast;
  }, first, { timeout: 20_000 });
  const later = await gapOn(page);
  assert.ok(later.length < first.length && later.atLeast >= first.atLeast, 'shorter, and no less is proved');
  await picture(page, 'search-5x5-later');
  await close();
});

test('a long search stops at once when asked to, and what is known stays', async () => {
  const { page, close } = await stage.open(fragmentOf(HARD));
  const { length, atLeast } = await gapOn(page);
  await textIs(page, '#stop', 'Stop');
  const given = page.waitForEvent('requestfailed', isSolve);
  const asked = performance.now();
  await page.click('#stop');
  await textIs(page, '#distance-label', /^moves now, at least \d+, proved$/);
  assert.ok(performance.now() - asked < 2000, 'stopped quickly');
  assert.match((await given).failure().errorText, /ABORTED/, 'and the server knows');
  const stopped = Number(await page.textContent('#distance-value'));
  assert.ok(atLeast < stopped && stopped <= length);
  await textIs(page, '#proof', /^Stopped after /);
  await page.click('#stop');
  assert.ok((await gapOn(page)).length <= stopped, 'a search begun anew has the best way from before');
  await close();
});

test('hint, whole way, notations and play follow the best way so far, and say so', async () => {
  const { page, close } = await stage.open(fragmentOf(HARD));
  await gapOn(page);
  await page.click('#stop');
  const length = Number(await page.textContent('#distance-value'));
  await page.click('#hint');
  await textIs(page, '#note', /^Slide \d+ (up|down|left|right): the best way so far\.$/);
  await page.click('#hint');
  assert.equal(await page.locator('.strip li').count(), length);
  assert.match(await page.getAttribute('.strip', 'aria-label'), /^The whole way, the best so far, \d+ moves$/);
  await page.click('#show-solution');
  await textIs(page, '#solution-unproved', `The best so far, ${length} moves: not proved to be shortest.`);
  assert.notEqual(await page.textContent('#notation-tile'), '–');
  await picture(page, 'best-so-far-5x5');
  assert.equal(await page.getAttribute('#play', 'aria-label'), 'Play the best solution so far');
  const before = await boardOn(page);
  await page.click('#step-forward');
  assert.notEqual(await boardOn(page), before);
  await page.waitForFunction((most) => Number(document.getElementById('distance-value').textContent) <= most, length - 1);
  await page.evaluate(() => {
    const speed = document.getElementById('speed');
    speed.value = speed.max;
    speed.dispatchEvent(new Event('input'));
  });
  await page.click('#play');
  await textIs(page, '#distance-label', 'solved', { timeout: 60_000 });
  assert.ok(Number(await page.textContent('#made')) <= length, 'never by a longer way than was promised');
  await close();
});

test('a move gives up the search for the board before', async () => {
  const { page, close } = await stage.open(fragmentOf(HARD));
  await gapOn(page);
  const given = page.waitForEvent('requestfailed', isSolve);
  const next = page.waitForRequest(isSolve);
  await page.keyboard.press('ArrowLeft');
  assert.match((await given).failure().errorText, /ABORTED/);
  assert.notEqual((await next).postDataJSON().board, HARD);
  await gapOn(page);
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
      await gapOn(page);
    } else {
      const { length } = await askServer(stage.server, '/api/solve', { board: await boardOn(page) });
      await distanceIs(page, length);
    }
    await close(); // Refusals are complaints in the console.
  }
});

test('a screen reader hears of a long search once, and of its end', async () => {
  const { page, close } = await stage.open(fragmentOf(HARD));
  await gapOn(page);
  await page.keyboard.press('ArrowLeft');
  await textIs(page, '#announcer', 'Moved 11 left. Searching.');
  await gapOn(page);
  await page.click('#stop');
  await textIs(page, '#announcer', /^\d+ moves now\. At least \d+ moves\.$/);
  await close();
});

test('the heuristics can be chosen while a search reports', async () => {
  const { page, close } = await stage.open(fragmentOf(HARD));
  await gapOn(page);
  await page.click('#tab-heuristics');
  const row = await page.waitForSelector('.heuristics > li');
  const seconds = await page.textContent('#proof');
  await page.waitForFunction((before) => document.getElementById('proof').textContent !== before, seconds);
  assert.ok(await row.evaluate((element) => element.isConnected), 'the rows are not made anew with every report');
  await close();
});

test('a long search does not stand in the way of the next board', async () => {
  const { page, close } = await stage.open(fragmentOf(HARD));
  await gapOn(page);
  await page.evaluate(() => { location.hash = '#1,2,3/4,5,6/7,0,8'; });
  await textIs(page, '#distance-label', 'move to go');
  assert.equal(await page.textContent('#distance-value'), '1');
  assert.equal(await page.isVisible('#stop'), false);
  await close();
});
