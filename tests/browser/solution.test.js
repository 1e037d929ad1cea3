// The solution: hints, playing it, its notations, and all the others that are as short.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { askServer, boardOn, distanceIs, fragmentOf, picture, start, textIs } from './page.js';

const BOARD = '5 1 2 4 / 9 6 3 8 / 13 10 7 12 / 0 14 11 15';
const FARTHEST = '8 6 7 / 2 5 4 / 3 0 1';
let stage;
before(async () => { stage = await start(); });
after(() => stage.stop());

async function atFullSpeed(page) {
  await page.focus('#speed');
  await page.keyboard.press('End');
}

test('the first hint is one move, the second the whole way', async () => {
  const { page, close } = await stage.open(fragmentOf(BOARD));
  await distanceIs(page, 9);
  assert.equal(await page.locator('.is-hint').count(), 0);
  await page.click('#hint');
  await textIs(page, '#note', 'Slide 13 down.');
  assert.equal(await page.getAttribute('.is-hint', 'data-tile'), '13');
  assert.equal(await page.getAttribute('.is-hint', 'data-arrow'), 'down');
  assert.equal(await page.locator('.strip li').count(), 0, 'the way is not given away yet');
  await page.click('#hint');
  assert.equal(await page.locator('.strip li').count(), 9);
  assert.deepEqual(await page.locator('.strip b').allTextContents(), ['13', '9', '5', '1', '2', '3', '7', '11', '15']);
  await page.click('.is-hint');
  await distanceIs(page, 8);
  assert.equal(await page.locator('.strip li').count(), 8, 'what is left of the way');
  await page.click('#hint');
  assert.equal(await page.locator('.strip li, .is-hint').count(), 0);
  await close();
});

test('a hint is over with the move that it was for', async () => {
  const { page, close } = await stage.open(fragmentOf(BOARD));
  await distanceIs(page, 9);
  await page.click('#hint');
  await textIs(page, '#note', 'Slide 13 down.');
  await page.keyboard.press('ArrowDown');
  await distanceIs(page, 8);
  await textIs(page, '#hint', 'Hint');
  await textIs(page, '#note', /^Arrow keys/);
  assert.equal(await page.locator('.is-hint').count(), 0);
  await close();
});

test('the solution plays to the end, in the fewest moves', async () => {
  const { page, close } = await stage.open(fragmentOf(FARTHEST), { colorScheme: 'dark' });
  await distanceIs(page, 31);
  await atFullSpeed(page);
  await page.click('#play');
  await textIs(page, '#note', 'Solved with help: 31 moves, the fewest possible.');
  assert.equal(await boardOn(page), '1 2 3 / 4 5 6 / 7 8 0');
  await distanceIs(page, 0);
  await textIs(page, '#wasted', '0');
  assert.equal(await page.getAttribute('#play', 'aria-label'), 'Play the solution', 'it has stopped');
  await picture(page, 'solved-dark');
  await close();
});

test('playing can be paused, stepped forward and back, and ends when somebody moves', async () => {
  const { page, close } = await stage.open(fragmentOf(FARTHEST));
  await distanceIs(page, 31);
  await page.click('#play');
  await page.waitForFunction(() => Number(document.getElementById('made').textContent) >= 2);
  await page.click('#play');
  assert.equal(await page.getAttribute('#play', 'aria-label'), 'Play the solution');
  const made = Number(await page.textContent('#made'));
  await page.click('#step-forward');
  await textIs(page, '#made', String(made + 1));
  await distanceIs(page, 31 - made - 1);
  await page.click('#step-back');
  await textIs(page, '#made', String(made));
  await distanceIs(page, 31 - made);
  await page.click('#play');
  assert.equal(await page.getAttribute('#play', 'aria-label'), 'Pause');
  await page.click('#undo');
  assert.equal(await page.getAttribute('#play', 'aria-label'), 'Play the solution');
  await close();
});

test('the solution is hidden until somebody asks for it, and again with the next board', async () => {
  const { page, close } = await stage.open(fragmentOf(BOARD));
  const isGivenAway = () => page.evaluate(() => /D3|13 9 5|↓/.test(document.body.textContent));
  await distanceIs(page, 9);
  assert.equal(await page.isVisible('#notations'), false);
  assert.equal(await isGivenAway(), false, 'not in the page at all');
  await page.keyboard.press('ArrowDown');
  await distanceIs(page, 8);
  assert.equal(await page.isVisible('#notations'), false);
  await page.click('#undo');
  await distanceIs(page, 9);
  await page.click('#show-solution');
  await textIs(page, '#notation-tile', 'D3L2U3L');
  assert.equal(await page.isVisible('#show-solution'), false);
  assert.ok(await page.evaluate(() => document.activeElement.closest('#notations') !== null), 'the keyboard is not lost');
  await page.keyboard.press('ArrowDown');
  await textIs(page, '#notation-tile', 'D2L2U3L');
  await page.fill('#difficulty', '9');
  await page.click('#scramble');
  await page.locator('#show-solution').waitFor();
  assert.equal(await page.isVisible('#notations'), false);
  await close();
});

test('the notations are those of the server, and what is left of them after a move', async () => {
  const { page, context, close } = await stage.open(fragmentOf(BOARD));
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await distanceIs(page, 9);
  await page.click('#show-solution');
  const { notations } = await askServer(stage.server, '/api/solve', { board: BOARD });
  assert.deepEqual(Object.keys(notations).sort(), ['arrows', 'blank', 'tile', 'tiles']);
  for (const [name, text] of Object.entries(notations)) {
    assert.equal(await page.textContent(`#notation-${name}`), text);
    const copy = page.getByRole('button', { name: `Copy ${name} notation` });
    await copy.click();
    await copy.getByText('Copied').waitFor();
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), text);
  }
  await page.click('[data-tile="5"]');
  await textIs(page, '#notation-tile', 'L2U3L');
  await textIs(page, '#notation-tiles', '1 2 3 7 11 15');
  await close();
});

test('all shortest solutions are listed, and the chosen one is played', async () => {
  const { page, close } = await stage.open(fragmentOf(FARTHEST));
  await distanceIs(page, 31);
  const { solutions, all_moves: ways } = await askServer(stage.server, '/api/solve', { board: FARTHEST, all: true });
  assert.equal(solutions, 40);
  await page.click('#show-solution');
  await page.click('#find-all');
  await textIs(page, '#all-count', '40 shortest solutions of 31 moves');
  assert.deepEqual((await page.locator('.all-list code').allTextContents()).sort(), [...ways].sort());
  await page.locator('.all-list input').first().check();
  const first = await page.textContent('#notation-tile');
  assert.equal(await page.locator('.all-list code').first().textContent(), first);
  await page.click('#all-next');
  const second = await page.locator('.all-list code').nth(1).textContent();
  await textIs(page, '#notation-tile', second);
  assert.ok(await page.locator('.all-list input').nth(1).isChecked());
  assert.equal(await page.locator('.strip li').count(), 31, 'the way is shown before it is played');
  await picture(page, 'all-solutions');
  await page.click('#all-previous');
  await page.click('#all-previous');
  const last = await page.locator('.all-list code').last().textContent();
  await textIs(page, '#notation-tile', last);

  const { notations } = await askServer(stage.server, '/api/solve', { board: FARTHEST });
  assert.notEqual(last, notations.tile, 'otherwise this test shows nothing');
  await atFullSpeed(page);
  await page.click('#play');
  await textIs(page, '#note', /31 moves, the fewest possible/);
  await page.click('#restart');
  await distanceIs(page, 31);
  assert.equal(await page.locator('.all-list label').count(), 40, 'the others are there again');
  await textIs(page, '#notation-tile', last);
  await close();
});
