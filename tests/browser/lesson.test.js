// The lesson: its counts are the program's, its steps, its pictures, its broken heuristic; by keyboard, on a phone, for axe.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { after, before, test } from 'node:test';
import { boardOn, DESKTOP, distanceIs, fragmentOf, PHONE, picture, start, textIs } from './page.js';

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
/** 16 moves away. 3 × Manhattan finds 20. */
const BOARD = '3 5 6 / 7 0 2 / 1 4 8';
const NEAR = '5 1 2 4 / 9 6 3 8 / 13 10 7 12 / 0 14 11 15';
let stage;
before(async () => { stage = await start(); });
after(() => stage.stop());

const lessonOf = (board, ...heuristics) => `${fragmentOf(board)}&lesson=${heuristics.join(',')}`;

function tilebase(...given) {
  return execFileSync(process.env.TILEBASE, given, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
}

/** What the panel of a search shows. */
async function figuresOf(page, name) {
  const number = async (what) => Number((await page.textContent(`#${name}-${what}`)).replaceAll(',', ''));
  return { expanded: await number('expanded'), nodes: await number('generated') };
}

function focusedId(page) {
  return page.evaluate(() => document.activeElement.id);
}

test('the counts that the page shows are those of solve --json, on twenty boards', async () => {
  const { page, close } = await stage.open(lessonOf(BOARD, 'manhattan', 'hamming'));
  for (let seed = 1; seed <= 20; seed += 1) {
    const board = tilebase('scramble', '--size', '3x3', '--distance', String(6 + seed), '--seed', String(seed));
    // With weak heuristics IDA* would be given up on boards that are far away.
    const heuristic = seed % 3 === 0 && seed < 12 ? 'hamming' : ['manhattan', 'linear-conflict'][seed % 2];
    await page.evaluate((hash) => { location.hash = hash; }, lessonOf(board, heuristic, 'manhattan'));
    await page.waitForFunction((text) => document.getElementById('lesson-commands').textContent.includes(text), board);
    await page.click('#lesson-end');
    for (const [name, algorithm] of [['astar', 'astar'], ['ida', 'ida-plain']]) {
      const answer = tilebase('solve', board, '--json', '--algorithm', algorithm, '--heuristic', heuristic);
      const { expanded, nodes, length } = JSON.parse(answer);
      assert.deepEqual(await figuresOf(page, name), { expanded, nodes }, `${algorithm}, ${heuristic}, ${board}`);
      assert.match(await page.textContent(`#${name}-says`), new RegExp(`^Found the shortest way: ${length} moves\\.`));
    }
  }
  await close();
});

test('the commands that the page names print what it shows, also for those that are broken', async () => {
  for (const heuristic of ['none', 'tables', 'manhattan-2', 'manhattan-3']) {
    const { page, close } = await stage.open(lessonOf(BOARD, heuristic, 'manhattan'));
    await page.click('#lesson-end');
    const commands = (await page.textContent('#lesson-commands')).split('\n');
    assert.equal(commands.length, 2);
    for (const [index, name] of ['astar', 'ida'].entries()) {
      const [, board, options] = commands[index].match(/^tilebase solve "(.+)" (.+)$/);
      const { expanded, nodes } = JSON.parse(tilebase('solve', board, ...options.split(' ')));
      assert.deepEqual(await figuresOf(page, name), { expanded, nodes }, commands[index]);
    }
    await close();
  }
});

test('a heuristic broken on purpose misses the shortest way, and the page shows by how much and where', async () => {
  const { page, close } = await stage.open(lessonOf(BOARD, 'manhattan', 'hamming'));
  await page.locator('#astar-canvas').waitFor();
  assert.equal(await page.isVisible('#lesson-mistake'), false);
  await page.selectOption('#lesson-main', 'manhattan-3');
  assert.deepEqual(await page.locator('.lesson-lengths dd').allTextContents(), ['16', '20', '24']);
  await textIs(page, '#lesson-mistake p', /^A\* found 20 moves where 16 are enough\./);
  await page.click('#lesson-end');
  await textIs(page, '#astar-says', 'Found a way of 20 moves. The shortest has 16: it was missed by 4.');
  await page.locator('[data-heuristic="manhattan-3"] .is-longer').waitFor();
  await picture(page, 'lesson-broken');
  await close();
});

test('steps go forward and back, and both searches play to their ends', async () => {
  const { page, close } = await stage.open(lessonOf(BOARD, 'manhattan', 'hamming'));
  await textIs(page, '#lesson-count', '0 of 147');
  await textIs(page, '#astar-says', 'The start is the only open board. Estimate: 12 to go.');
  await page.click('#lesson-forward');
  await textIs(page, '#lesson-count', '1 of 147');
  assert.deepEqual(await figuresOf(page, 'astar'), { expanded: 1, nodes: 5 });
  await textIs(page, '#announcer', /^Step 1\. A\*: .*0 moves made \+ 12 estimated = 12\. .*IDA\*: Bound 12: /);
  await page.click('#lesson-back');
  assert.deepEqual(await figuresOf(page, 'astar'), { expanded: 0, nodes: 1 });
  assert.equal(await page.getAttribute('#lesson-back', 'aria-disabled'), 'true');
  await page.click('#lesson-play');
  await page.waitForFunction(() => Number(document.getElementById('lesson-step').value) >= 3);
  await page.click('#lesson-play');
  assert.equal(await page.getAttribute('#lesson-play', 'aria-label'), 'Play');
  await page.focus('#lesson-speed');
  await page.keyboard.press('End');
  await page.click('#lesson-play');
  await textIs(page, '#lesson-count', '147 of 147');
  assert.equal(await page.getAttribute('#lesson-play', 'aria-label'), 'Play', 'it stops by itself');
  await textIs(page, '#announcer', /^Step 147\. A\*: Found the shortest way: 16 moves\..*IDA\*: Found the shortest way: 16 moves\./);
  await close();
});

test('two heuristics are compared, all are listed, and what one saves is told', async () => {
  const { page, close } = await stage.open(lessonOf(BOARD, 'manhattan', 'hamming'));
  const expanded = (heuristic) =>
    JSON.parse(tilebase('solve', BOARD, '--json', '--algorithm', 'astar', '--heuristic', heuristic)).expanded;
  const [few, many] = [expanded('manhattan'), expanded('hamming')];
  await textIs(page, '#lesson-verdict', `With Manhattan A* expands ${few} boards instead of ${many} with Hamming: ${many - few} saved.`);
  await page.locator('[data-heuristic="manhattan-3"] td').first().waitFor();
  for (const heuristic of ['hamming', 'manhattan', 'linear-conflict']) {
    const [, cell] = await page.locator(`[data-heuristic="${heuristic}"] > *`).allTextContents();
    assert.equal(cell, String(expanded(heuristic)), heuristic);
  }
  await page.selectOption('#lesson-other', 'linear-conflict');
  await textIs(page, '#lesson-verdict', /^With Linear conflict A\* expands /);
  await page.waitForFunction(() => location.hash.endsWith('&lesson=manhattan,linear-conflict'));
  await close();
});

test('dots are looked at with the pointer and with the arrow keys, and no tile moves meanwhile', async () => {
  const { page, close } = await stage.open(lessonOf(BOARD, 'manhattan', 'manhattan'));
  await page.click('#lesson-end');
  await page.focus('#astar-canvas');
  await page.keyboard.press('Home');
  await textIs(page, '#announcer', '0 made + 12 estimated = 12. 3 5 6, 7 blank 2, 1 4 8.');
  await page.keyboard.press('ArrowRight');
  await textIs(page, '#astar-peek p', /^1 made \+ 1[13] estimated = 1[24]$/);
  const first = await page.textContent('#announcer');
  await page.keyboard.press('ArrowDown');
  assert.notEqual(await page.textContent('#announcer'), first);
  await page.keyboard.press('ArrowLeft');
  await textIs(page, '#announcer', /^0 made/);
  await page.keyboard.press('Escape');
  assert.equal(await page.isVisible('#astar-peek'), false);
  const box = await page.locator('#ida-canvas').boundingBox();
  await page.mouse.move(box.x + 30, box.y + (box.height - 14) / 2);
  await page.locator('#ida-peek').waitFor();
  await textIs(page, '#ida-peek p', /^0 made/);
  await page.mouse.move(0, 0);
  await page.locator('#ida-peek').waitFor({ state: 'hidden' });
  await page.click('#view-play');
  assert.equal(await boardOn(page), BOARD);
  await textIs(page, '#made', '0');
  await close();
});

test('the pictures are drawn: more of them with every step, and in the colours of the theme', async () => {
  const { page, close } = await stage.open(lessonOf(BOARD, 'manhattan', 'manhattan'), { colorScheme: 'light' });
  const drawn = (id) => page.$eval(`#${id}`, async (canvas) => {
    await new Promise((done) => { requestAnimationFrame(() => requestAnimationFrame(done)); });
    // A copy is read: the browser complains of pictures that are read often.
    const copy = Object.assign(document.createElement('canvas'), { width: canvas.width, height: canvas.height });
    const context = copy.getContext('2d', { willReadFrequently: true });
    context.drawImage(canvas, 0, 0);
    const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
    let [count, sum] = [0, 0];
    for (let at = 0; at < data.length; at += 4) {
      // Dots have colours; axes and lines are grey.
      if (data[at + 3] < 255 || Math.abs(data[at] - data[at + 2]) < 40) continue;
      count += 1;
      sum += data[at + 1];
    }
    return { count, green: sum / count };
  });
  for (const id of ['astar-canvas', 'ida-canvas']) {
    await page.fill('#lesson-step', '0');
    const before = await drawn(id);
    await page.fill('#lesson-step', '147');
    const end = await drawn(id);
    assert.ok(end.count > 2 * before.count, `${id}: ${before.count}, then ${end.count}`);
    await page.click('#theme');
    const dark = await drawn(id);
    assert.ok(Math.abs(dark.green - end.green) > 5, `${id}: ${end.green}, then ${dark.green}`);
    await page.click('#theme');
  }
  await close();
});

test('a board of another size leaves the lesson an example, and the game as it is', async () => {
  const { page, close } = await stage.open(fragmentOf(NEAR));
  await distanceIs(page, 9);
  await page.keyboard.press('ArrowDown');
  await distanceIs(page, 8);
  await page.click('#view-lesson');
  await textIs(page, '#lesson-example', 'The lesson is about 3×3, and your board is 4×4, so this is an example.');
  assert.equal(await page.isVisible('#board'), false);
  await page.keyboard.press('ArrowDown');
  await page.selectOption('#lesson-distance', '12');
  await page.click('#lesson-scramble');
  await textIs(page, '.lesson-arrow', /^12 moves/);
  const [, written] = (await page.textContent('#lesson-commands')).match(/"(.+?)"/);
  assert.equal(JSON.parse(tilebase('solve', written, '--json')).length, 12);
  await page.click('#view-play');
  await distanceIs(page, 8);
  await textIs(page, '#made', '1');
  assert.match(page.url(), /#5,1,2,4\/9,6,3,8\/0,10,7,12\/13,14,11,15$/);
  await close();
});

test('the link is that of the lesson, with board, goal and heuristics', async () => {
  const hash = '#1,2,3/8,4,0/7,6,5&goal=snail&lesson=linear-conflict,none';
  const { page, context, close } = await stage.open(hash);
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await textIs(page, '.lesson-arrow', /^1 move /);
  assert.equal(await page.inputValue('#lesson-main'), 'linear-conflict');
  assert.equal(await page.inputValue('#lesson-other'), 'none');
  await page.click('#copy-link');
  await textIs(page, '#copy-link', 'Copied');
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), stage.server.address + hash);
  await page.selectOption('#lesson-other', 'hamming');
  await page.reload();
  await textIs(page, '.lesson-arrow', /^1 move /);
  assert.equal(await page.inputValue('#lesson-other'), 'hamming');
  await close();
});

test('the lesson can be used with the keyboard alone', async () => {
  const { page, close } = await stage.open(fragmentOf(BOARD));
  await distanceIs(page, 16);
  const tabTo = async (id) => {
    for (let presses = 0; presses < 40 && (await focusedId(page)) !== id; presses += 1) await page.keyboard.press('Tab');
    assert.equal(await focusedId(page), id, `Tab reaches ${id}`);
    const outline = await page.evaluate(() => getComputedStyle(document.activeElement).outlineStyle);
    assert.notEqual(outline, 'none', `the focus on ${id} can be seen`);
  };
  await tabTo('view-lesson');
  await page.keyboard.press('Enter');
  await page.locator('#astar-canvas').waitFor();
  for (const id of ['lesson-distance', 'lesson-main', 'lesson-other', 'lesson-forward']) await tabTo(id);
  await page.keyboard.press('Enter');
  await page.keyboard.press('Enter');
  await textIs(page, '#lesson-count', '2 of 147');
  assert.equal(await focusedId(page), 'lesson-forward');
  await tabTo('lesson-step');
  await page.keyboard.press('End');
  await textIs(page, '#lesson-count', '147 of 147');
  await tabTo('astar-canvas');
  await tabTo('ida-canvas');
  await page.keyboard.press('End');
  await page.locator('#ida-peek').waitFor();
  await close();
});

test('what takes a search too long is given up and said to be', async () => {
  const { page, close } = await stage.open(lessonOf('8 6 7 / 2 5 4 / 3 0 1', 'none', 'manhattan'));
  await page.click('#lesson-end');
  await textIs(page, '#astar-says', /^Found the shortest way: 31 moves\./);
  await textIs(page, '#ida-says', /^Given up after 1,000,000 nodes/);
  await picture(page, 'lesson-far');
  await close();
});

for (const colorScheme of ['light', 'dark']) {
  for (const [device, options] of [['desktop', DESKTOP], ['phone', PHONE]]) {
    test(`axe finds nothing in the lesson, ${colorScheme} on a ${device}, and nothing is too wide`, async () => {
      const { page, close } = await stage.open(lessonOf(BOARD, 'manhattan', 'hamming'), { ...options, colorScheme, bypassCSP: true });
      await page.addScriptTag({ path: AXE });
      const scan = async (where) => {
        const violations = await page.evaluate(async () => {
          const result = await globalThis.axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa'] });
          return result.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target).join('; ')}`);
        });
        assert.deepEqual(violations, [], where);
        assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `${where}: too wide`);
      };
      await page.locator('[data-heuristic="manhattan-3"] td').first().waitFor();
      await scan('at first');
      await page.click('#lesson-end');
      await page.click('.lesson-check summary');
      await page.focus('#astar-canvas');
      await page.keyboard.press('Home');
      await scan('at the end');
      await page.evaluate(() => scrollTo(0, 0));
      await picture(page, `lesson-${device}-${colorScheme}`);
      await page.selectOption('#lesson-main', 'manhattan-3');
      await scan('with a broken heuristic');
      await close();
    });
  }
}
