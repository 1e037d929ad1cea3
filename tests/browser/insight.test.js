// The panels behind the number: heuristics, what they find on the board, and the tables' patterns.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { askServer, distanceIs, fragmentOf, picture, start } from './page.js';

const BOARD = '4 3 2 1 / 5 6 7 8 / 9 10 11 12 / 13 14 0 15';
let stage;
before(async () => { stage = await start(); });
after(() => stage.stop());

/** The colour that is really seen on a tile, and its letter. */
function lookOf(page, tile) {
  return page.$eval(`[data-tile="${tile}"]`, async (button) => {
    const face = button.querySelector('.tile-face');
    await Promise.all(face.getAnimations().map((animation) => animation.finished.catch(() => {})));
    return { colour: getComputedStyle(face).backgroundColor, letter: button.querySelector('.tile-mark').textContent };
  });
}

async function distanceOf(board) {
  return (await askServer(stage.server, '/api/solve', { board })).length;
}

test('every heuristic has its value, its description and its bar against the distance', async () => {
  const { page, close } = await stage.open(fragmentOf(BOARD));
  const distance = await distanceOf(BOARD);
  await distanceIs(page, distance);
  await page.click('#tab-heuristics');
  const shown = await askServer(stage.server, '/api/show', { board: BOARD });
  const { heuristics, summaries, not_admissible: mayExceed } = shown;
  await page.locator('.heuristics > li').nth(Object.keys(heuristics).length - 1).waitFor();
  for (const [name, value] of Object.entries(heuristics)) {
    const row = page.locator('.heuristics > li').filter({ has: page.getByText(name, { exact: true }) });
    assert.equal(await row.locator('.heuristic-value').textContent(), String(value), name);
    const summary = summaries[name] ?? `the tables ${shown.tables}`;
    assert.ok((await row.textContent()).includes(summary), `the description of ${name}`);
    assert.equal(await row.getByText('may exceed the distance').count(), Number(mayExceed.includes(name)), name);
    const share = await row.locator('.bar').evaluate((bar) => bar.firstChild.offsetWidth / bar.offsetWidth);
    assert.ok(Math.abs(share - Math.min(1, value / distance)) < 0.01, `the bar of ${name}: ${share}`);
  }
  await close();
});

test('a heuristic with findings colours them on the board and says them in words', async () => {
  const { page, close } = await stage.open(fragmentOf(BOARD));
  await distanceIs(page, await distanceOf(BOARD));
  await page.click('#tab-heuristics');
  const { findings } = await askServer(stage.server, '/api/show', { board: BOARD });
  const [{ tiles }] = findings['linear-conflict'];
  const found = findings['linear-conflict'].flatMap((finding) => finding.tiles);
  const outside = Array.from({ length: 15 }, (_, index) => index + 1).find((tile) => !found.includes(tile));
  const before = await lookOf(page, tiles[0]);
  const button = page.locator('[data-heuristic="linear-conflict"]');
  await button.click();
  assert.equal(await button.getAttribute('aria-pressed'), 'true');
  assert.ok(await button.evaluate((element) => element === document.activeElement), 'the keyboard stays where it is');
  const colours = new Set();
  for (const tile of tiles) {
    const look = await lookOf(page, tile);
    assert.ok(look.letter.includes('a'), `tile ${tile} has its letter`);
    colours.add(look.colour);
  }
  assert.equal(colours.size, 1, 'one conflict, one colour');
  assert.ok(!colours.has(before.colour));
  assert.equal((await lookOf(page, outside)).letter, '');
  const words = await page.locator('.legend li').first().textContent();
  for (const tile of tiles) assert.match(words, new RegExp(`\\b${tile}\\b`));
  await picture(page, 'heuristics');
  await page.click('#tab-solution');
  assert.equal((await lookOf(page, tiles[0])).letter, '', 'the colours belong to their panel');
  await page.click('#tab-heuristics');
  assert.ok((await lookOf(page, tiles[0])).letter.includes('a'), 'and come back with it');
  await button.click();
  assert.deepEqual(await lookOf(page, tiles[0]), before, 'and the colours are gone again');
  await close();
});

test('a view of the tables colours the board by pattern and adds up the costs', async () => {
  const { page, close } = await stage.open(fragmentOf(BOARD));
  await distanceIs(page, await distanceOf(BOARD));
  await page.click('#tab-tables');
  const { views } = await askServer(stage.server, '/api/show', { board: BOARD });
  for (const { view, costs, tiles } of views) {
    await page.getByRole('radio', { name: view }).check();
    const seen = [];
    for (const [index, labels] of tiles.entries()) {
      const looks = await Promise.all(labels.map((tile) => lookOf(page, tile)));
      assert.equal(new Set(looks.map(({ colour }) => colour)).size, 1, `pattern ${index} of ${view}`);
      seen.push(looks[0].colour);
      const line = await page.locator('.legend li').nth(index).textContent();
      assert.ok(line.includes(`tiles ${labels.join(' ')}: at least ${costs[index]} move`), line);
    }
    assert.equal(new Set(seen).size, tiles.length, 'a colour for each pattern');
    const sum = costs.reduce((a, b) => a + b, 0);
    assert.match(await page.locator('.legend .total').textContent(), new RegExp(`at least ${sum} moves`));
  }
  await picture(page, 'tables');
  await page.click('#tab-solution');
  assert.equal((await lookOf(page, 1)).letter, '', 'the colours belong to their panel');
  await close();
});

test('the values follow the moves', async () => {
  const { page, close } = await stage.open(fragmentOf('1 2 3 / 4 5 6 / 0 7 8'));
  await distanceIs(page, 2);
  await page.click('#tab-heuristics');
  const row = page.locator('.heuristics > li').filter({ has: page.getByText('manhattan', { exact: true }) });
  assert.equal(await row.locator('.heuristic-value').textContent(), '2');
  await page.focus('#board');
  await page.keyboard.press('ArrowLeft');
  await page.waitForFunction(() => [...document.querySelectorAll('.heuristics > li')].some((row) =>
    row.querySelector('b').textContent === 'manhattan' && row.querySelector('.heuristic-value').textContent === '1'));
  await close();
});

test('a board that cannot be solved takes the colours off', async () => {
  const { page, close } = await stage.open(fragmentOf(BOARD));
  await page.click('#tab-heuristics');
  await page.click('[data-heuristic="linear-conflict"]');
  assert.equal((await lookOf(page, 1)).letter, 'a');
  const other = '4 3 2 1 / 5 6 7 8 / 9 10 11 12 / 14 13 0 15';
  await page.evaluate((fragment) => { location.hash = fragment; }, fragmentOf(other));
  await page.getByText('there is nothing to estimate').waitFor();
  assert.equal((await lookOf(page, 1)).letter, '');
  await close();
});

test('stronger tables are mentioned if there are any', async () => {
  const { page, close } = await stage.open(fragmentOf(BOARD));
  const { length, stronger } = await askServer(stage.server, '/api/solve', { board: BOARD });
  await distanceIs(page, length);
  assert.equal(await page.isVisible('#stronger'), Boolean(stronger));
  if (stronger) assert.match(await page.textContent('#stronger'), new RegExp(`tilebase generate ${stronger}$`));
  await close();
});

test('the catalogues say which are ready and how to build the others', async () => {
  const { page, close } = await stage.open();
  await page.click('#tab-tables');
  const { catalogues } = await (await fetch(new URL('/api/tables', stage.server.address))).json();
  assert.ok(catalogues.length > 0);
  await page.locator('.catalogues li').nth(catalogues.length - 1).waitFor();
  const lines = await page.locator('.catalogues li').allTextContents();
  catalogues.forEach(({ name, ready, hint }, index) => {
    assert.ok(lines[index].startsWith(name));
    assert.ok(lines[index].endsWith(hint ?? (ready ? 'ready' : 'not built')), lines[index]);
  });
  await close();
});
