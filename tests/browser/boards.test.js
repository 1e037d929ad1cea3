// New boards: scrambled, pasted, shared by address, of every size and goal, and those without a solution.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { askServer, boardOn, distanceIs, fragmentOf, picture, start, textIs } from './page.js';

let stage;
before(async () => { stage = await start(); });
after(() => stage.stop());

/** Waits until the distance is a number that is proved. */
async function isKnown(page) {
  await textIs(page, '#distance-sign', '');
  await textIs(page, '#distance-value', /^\d+$/);
}

test('a scramble of a chosen difficulty is exactly that far from the goal', async () => {
  const { page, close } = await stage.open();
  for (const [size, distance] of [['4x4', 24], ['3x3', 31], ['2x2', 6]]) {
    const [width, height] = size.split('x');
    await page.selectOption('#width', width);
    await page.selectOption('#height', height);
    await page.waitForFunction((count) => document.querySelectorAll('.tile').length === count, width * height - 1);
    await page.fill('#difficulty', String(distance));
    await page.click('#scramble');
    await distanceIs(page, distance);
    const { length } = await askServer(stage.server, '/api/solve', { board: await boardOn(page) });
    assert.equal(length, distance);
  }
  await close();
});

test('the page says how far a board is among all, in the words of the server', async () => {
  for (const [board, words] of [
    ['8 6 7 / 2 5 4 / 3 0 1', 'Farther than 99.998 % of all boards.'],
    ['1 2 3 / 4 0 6 / 7 5 8', 'Nearer than 99.996 % of all boards.'],
    ['5 1 2 4 / 9 6 3 8 / 13 10 7 12 / 0 14 11 15', 'Nearer than 99.999 % of all boards.'],
  ]) {
    const { page, close } = await stage.open(fragmentOf(board));
    await textIs(page, '#proof', new RegExp(`\\. ${words.replaceAll('.', '\\.')}$`));
    await close();
  }
});

test('a difficulty that does not exist is refused in the words of the server', async () => {
  const { page, close } = await stage.open(fragmentOf('1 2 3 / 4 5 6 / 7 0 8'), { expectsRefusals: true });
  await distanceIs(page, 1);
  await page.fill('#difficulty', '32');
  await page.click('#scramble');
  const { error } = await askServer(stage.server, '/api/scramble', { size: '3x3', goal: 'blank-last', distance: 32 });
  assert.ok(error.length > 10);
  await textIs(page, '#new-trouble', error);
  await page.fill('#difficulty', '5');
  await page.press('#difficulty', 'Enter');
  await distanceIs(page, 5);
  assert.equal(await page.evaluate(() => document.activeElement.id), 'board', 'ready to be played with the keys');
  assert.equal(await page.isVisible('#new-trouble'), false, 'what was wrong is right now');
  await close();
});

test('sizes from 2x2 to 5x5, rectangles too, and every goal give boards that can be played', async () => {
  const { page, close } = await stage.open();
  const choose = async (field, value) => {
    const answer = page.waitForResponse((response) => response.url().endsWith('/api/scramble'));
    await page.selectOption(field, value);
    return (await answer).json();
  };
  for (const [width, height, goal] of [
    [2, 2, 'blank-first'], [3, 2, 'snail'], [2, 4, 'blank-last'], [4, 3, 'blank-first'], [3, 3, 'snail'],
  ]) {
    await choose('#width', String(width));
    await choose('#height', String(height));
    const { board } = await choose('#goal', goal);
    assert.equal(board.split('/').length, height);
    assert.equal(board.split(' ').length, (width + 1) * height - 1);
    await page.waitForFunction((fragment) => location.hash.startsWith(fragment), fragmentOf(board));
    assert.equal(await boardOn(page), board);
    const { length } = await askServer(stage.server, '/api/solve', { board, goal });
    await distanceIs(page, length);
  }
  await close();
});

test('a solved board of the snail is recognised', async () => {
  const { page, close } = await stage.open('#1,2,3/8,4,0/7,6,5&goal=snail');
  await distanceIs(page, 1);
  await page.keyboard.press('ArrowRight');
  await textIs(page, '#distance-label', 'solved');
  assert.equal(await boardOn(page), '1 2 3 / 8 0 4 / 7 6 5');
  await close();
});

test('a board can be pasted in any notation', async () => {
  const { page, close } = await stage.open();
  for (const [text, board] of [
    ['1,2,3,4,5,6,7,_,8', '1 2 3 / 4 5 6 / 7 0 8'],
    ['5 1 2 4\n9 6 3 8\n13 10 7 12\nx 14 11 15\n', '5 1 2 4 / 9 6 3 8 / 13 10 7 12 / 0 14 11 15'],
    ['1 2 3 / 4 0 5', '1 2 3 / 4 0 5'],
  ]) {
    if (!(await page.isVisible('#paste'))) await page.click('summary');
    await page.fill('#paste', text);
    await page.click('#paste-use');
    const fragment = fragmentOf(board);
    await page.waitForFunction((fragment) => location.hash === fragment, fragment);
    assert.equal(await boardOn(page), board);
    const { length } = await askServer(stage.server, '/api/solve', { board });
    await distanceIs(page, length);
  }
  await close();
});

test('a flat list is read in the size that is chosen', async () => {
  const { page, close } = await stage.open(fragmentOf('1 2 3 / 4 0 5'));
  await distanceIs(page, 1);
  await page.click('summary');
  await page.fill('#paste', '0 1 2 4 5 3');
  await page.click('#paste-use');
  await distanceIs(page, 3);
  assert.equal(await boardOn(page), '0 1 2 / 4 5 3');
  // A character for each square: without the size, this could be 3x2 or 2x3.
  await page.click('summary');
  await page.fill('#paste', '123405');
  await page.click('#paste-use');
  await distanceIs(page, 1);
  assert.equal(await boardOn(page), '1 2 3 / 4 0 5');
  await close();
});

test('a board that cannot be read is refused in the words of the server, and the board stays', async () => {
  const board = '1 2 3 / 4 5 6 / 7 0 8';
  const { page, close } = await stage.open(fragmentOf(board), { expectsRefusals: true });
  await distanceIs(page, 1);
  await page.click('summary');
  for (const text of ['1 2 3 / 4 5 / 6 7 0', '1 2 3 / 4 5 6 / 7 7 0', 'a board', '']) {
    await page.fill('#paste', text);
    await page.click('#paste-use');
    const { error } = await askServer(stage.server, '/api/show', { board: text, goal: 'blank-last' });
    await textIs(page, '#new-trouble', error);
    assert.equal(await boardOn(page), board);
  }
  await close();
});

test('the address is the board: it is kept current, and opens the same board elsewhere', async () => {
  const first = await stage.open('#1,2,3/8,4,0/7,6,5&goal=snail');
  await isKnown(first.page);
  await first.page.keyboard.press('ArrowDown');
  await first.page.keyboard.press('ArrowRight');
  await distanceIs(first.page, 3);
  const board = '1 0 2 / 8 4 3 / 7 6 5';
  assert.equal(await boardOn(first.page), board);
  await first.page.waitForFunction((fragment) => location.hash === fragment, `${fragmentOf(board)}&goal=snail`);
  const address = first.page.url();
  await first.close();

  const second = await stage.open(new URL(address).hash);
  await distanceIs(second.page, 3);
  assert.equal(await boardOn(second.page), board);
  assert.equal(await second.page.inputValue('#goal'), 'snail');
  await second.page.evaluate(() => { location.hash = '#1,2,3/4,5,6/7,0,8'; });
  await distanceIs(second.page, 1);
  assert.equal(await boardOn(second.page), '1 2 3 / 4 5 6 / 7 0 8');
  assert.equal(await second.page.inputValue('#goal'), 'blank-last');
  await second.close();
});

test('an address may have a goal of its own, and a notation of its own', async () => {
  const { page, close } = await stage.open('#1%202%203%20/%204%205%206%20/%207%20_%208&goal=1,2,3/4,0,6/7,5,8');
  await distanceIs(page, 1);
  await page.keyboard.press('ArrowDown');
  await textIs(page, '#distance-label', 'solved');
  await close();
});

test('an address that is no board is said to be none, and the page goes on with one that is', async () => {
  const { page, close } = await stage.open('#garbage', { expectsRefusals: true });
  await textIs(page, '#address-trouble', /^The address names no board \(#garbage\): .*\. The board below is another one\.$/);
  assert.equal(await page.getAttribute('#address-trouble', 'role'), 'alert');
  await distanceIs(page, 9);
  await picture(page, 'garbage');
  await page.evaluate(() => { location.hash = '#1,2,3/4,5,6/7,0,8'; });
  await distanceIs(page, 1);
  assert.equal(await page.isVisible('#address-trouble'), false);
  for (const hash of ['#1,2,3/4,5,6/7,7,8', '#&goal=snail', '#1,2,3/4,5,6/7,0,8&goal=nonsense']) {
    await page.evaluate((hash) => { location.hash = hash; }, hash);
    await page.locator('#address-trouble').waitFor();
    assert.equal(await boardOn(page), '1 2 3 / 4 5 6 / 7 0 8', hash);
    await page.evaluate(() => { location.hash = '#1,2,3/4,5,6/7,0,8'; });
    await page.locator('#address-trouble').waitFor({ state: 'hidden' });
  }
  await close();
});

test('another size asks before it throws a board away, but only when there is something to lose', async () => {
  const { page, close } = await stage.open();
  const isAsked = () => page.evaluate(() => document.getElementById('question').open);
  const tiles = (count) => page.waitForFunction((count) => document.querySelectorAll('.tile').length === count, count);
  await page.selectOption('#width', '3');
  await tiles(11);
  assert.equal(await isAsked(), false, 'nobody has done anything to the first board');
  await page.focus('#board');
  for (const key of ['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight']) await page.keyboard.press(key);
  const made = await page.textContent('#made');
  assert.notEqual(made, '0');
  const board = await boardOn(page);

  await page.selectOption('#width', '2');
  await textIs(page, '#question-text', new RegExp(`: the ${made} moves? that you have made would be lost\\.$`));
  await page.keyboard.press('Escape');
  // The form says what is on the board, once the question is closed.
  await page.waitForFunction(() => document.getElementById('width').value === '3');
  assert.equal(await boardOn(page), board);
  assert.equal(await page.textContent('#made'), made);

  await page.selectOption('#goal', 'snail');
  await page.click('#question [value="keep"]');
  await page.waitForFunction(() => document.getElementById('goal').value === 'blank-last');
  assert.equal(await boardOn(page), board);

  await page.selectOption('#width', '2');
  await picture(page, 'question');
  await page.click('#question [value="go"]');
  await tiles(7);
  await textIs(page, '#made', '0');

  await page.evaluate(() => { location.hash = '#1,2,3/4,5,6/0,7,8'; });
  await distanceIs(page, 2);
  await page.selectOption('#height', '4');
  await textIs(page, '#question-text', /the board that you have entered would be lost\.$/);
  await page.click('#question [value="keep"]');
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowLeft');
  await distanceIs(page, 0);
  await page.selectOption('#height', '4');
  await tiles(11);
  assert.equal(await isAsked(), false, 'it is solved, and there is nothing to lose');
  await close();
});

test('the link is copied with one click', async () => {
  const { page, context, close } = await stage.open(fragmentOf('1 2 3 / 4 5 6 / 7 0 8'));
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await distanceIs(page, 1);
  await page.click('#copy-link');
  await textIs(page, '#copy-link', 'Copied');
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), page.url());
  await textIs(page, '#copy-link', 'Copy link');
  await close();
});

/** Opens a board that cannot be solved, with the names of other goals in the server's answer. */
async function openUnsolvable(board, otherGoals) {
  const stub = await stage.open('', { expectsRefusals: true });
  await stub.page.route('**/api/solve', async (route) => {
    const response = await route.fetch();
    const answer = await response.json().catch(() => null);
    if (answer?.solvable !== false) return route.fulfill({ response });
    return route.fulfill({ response, json: { ...answer, solvable_with: otherGoals } });
  });
  await stub.page.evaluate((fragment) => { location.hash = fragment; }, fragmentOf(board));
  await textIs(stub.page, '#distance-label', 'no way to the goal');
  return stub;
}

test('a board that cannot reach its goal is taken to another one with a click', async () => {
  const board = '2 1 3 / 4 5 6 / 7 8 0';
  const goals = ['blank-first', 'snail'];
  const answers = await Promise.all(goals.map((goal) => askServer(stage.server, '/api/solve', { board, goal })));
  const reachable = goals.filter((_, index) => answers[index].solvable);
  assert.ok(reachable.length > 0);
  const { page, close } = await openUnsolvable(board, [...reachable, 'a goal that this page has not']);
  const names = { 'blank-first': 'blank first', snail: 'spiral' };
  await textIs(page, '#note', `This board cannot reach this goal. It can reach: ${reachable.map((goal) => names[goal]).join('')}`);
  await page.getByRole('button', { name: names[reachable[0]], exact: true }).click();
  await distanceIs(page, answers[goals.indexOf(reachable[0])].length);
  assert.equal(await boardOn(page), board, 'the board stays');
  assert.equal(await page.inputValue('#goal'), reachable[0]);
  assert.equal(await page.evaluate(() => document.activeElement.id), 'board');
  assert.equal(await page.isVisible('.timeline'), true);
  await close();
});

test('the first of Korf\'s boards reaches the goal with the blank first with one click', async () => {
  const { page, close } = await stage.open(fragmentOf('14 13 15 7 / 11 12 9 5 / 6 0 2 1 / 4 8 10 3'));
  await textIs(page, '#distance-label', 'no way to the goal');
  await page.getByRole('button', { name: 'blank first', exact: true }).click();
  await distanceIs(page, 57);
  await close();
});

test('of a board without a solution nothing is offered that needs one', async () => {
  const { page, close } = await openUnsolvable('2 1 3 / 4 5 6 / 7 8 0', []);
  let asked = 0;
  page.on('request', (request) => { asked += Number(request.url().endsWith('/api/solve')); });
  for (const id of ['find-all', 'show-solution', 'hint']) {
    assert.equal(await page.getAttribute(`#${id}`, 'aria-disabled'), 'true', id);
    await page.click(`#${id}`, { force: true });
  }
  assert.equal(asked, 0);
  await textIs(page, '#all-count', '');
  assert.equal(await page.isVisible('.timeline'), false, 'there is nothing to plot');
  await close();
});

test('of a board that is its goal no empty axes are drawn', async () => {
  const { page, close } = await stage.open(fragmentOf('1 2 3 / 4 5 6 / 7 8 0'));
  await distanceIs(page, 0);
  await page.waitForFunction(() => document.querySelector('.timeline').classList.contains('is-empty'));
  assert.equal(await page.locator('#timeline *').count(), 0);
  await page.keyboard.press('ArrowDown');
  await distanceIs(page, 1);
  await page.locator('#timeline .past').waitFor();
  await close();
});

test('a board without a solution is explained', async () => {
  const { page, close } = await openUnsolvable('2 1 3 / 4 5 6 / 7 8 0', []);
  await textIs(page, '#note', /1 exchange \(odd\).*no sequence of moves can solve it\.$/);
  await picture(page, 'unsolvable');
  await page.click('#scramble');
  await isKnown(page);
  await textIs(page, '#distance-label', /to go|solved/);
  await close();
});
