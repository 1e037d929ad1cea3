// For everybody: no violations that axe can find, keyboard only, by touch on a phone, without motion.

import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { after, before, test } from 'node:test';
import { boardOn, DESKTOP, distanceIs, fragmentOf, PHONE, picture, start, textIs } from './page.js';

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
const BOARD = '4 3 2 1 / 5 6 7 8 / 9 10 11 12 / 13 14 0 15';
const NEAR = '5 1 2 4 / 9 6 3 8 / 13 10 7 12 / 0 14 11 15';
let stage;
before(async () => { stage = await start(); });
after(() => stage.stop());

/** Axe comes through the test's own door (`bypassCSP`): the page allows no scripts but its own. */
async function scan(page, where) {
  await page.evaluate(async () => {
    for (const animation of document.getAnimations()) await animation.finished.catch(() => {});
  });
  const violations = await page.evaluate(async () => {
    const result = await globalThis.axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa'] });
    const explain = ({ target, failureSummary }) => `${target} ${failureSummary}`;
    return result.violations.map(({ id, nodes }) => `${id}: ${nodes.map(explain).join('; ')}`);
  });
  assert.deepEqual(violations, [], where);
}

for (const colorScheme of ['light', 'dark']) {
  for (const [device, options] of [['desktop', DESKTOP], ['phone', PHONE]]) {
    test(`axe finds nothing, ${colorScheme} on a ${device}, with every panel open`, async () => {
      const allowances = { bypassCSP: true, expectsRefusals: true };
      const { page, close } = await stage.open(fragmentOf(BOARD), { ...options, colorScheme, ...allowances });
      await page.addScriptTag({ path: AXE });
      await distanceIs(page, 29);
      await scan(page, 'at first');
      await page.click('#show-solution');
      await scan(page, 'with the solution');
      await picture(page, `${device}-${colorScheme}`);
      await page.click('#hint');
      await page.locator('.is-hint').waitFor();
      await scan(page, 'with a hint');
      await page.click('#hint');
      await page.locator('.strip').waitFor();
      await page.click('#find-all');
      await page.locator('.all-list label').first().waitFor();
      await scan(page, 'with the whole way and all solutions');
      await page.click('#review-details summary');
      await page.fill('#review-moves', 'LRLR');
      await page.click('#review-ask');
      await page.click('#review-list button');
      await page.locator('#timeline .loss').first().waitFor();
      await scan(page, 'with lost moves');
      await page.click('#tab-heuristics');
      await page.click('[data-heuristic="linear-conflict"]');
      await scan(page, 'with a heuristic on the board');
      await picture(page, `${device}-${colorScheme}-heuristic`);
      await page.click('#tab-tables');
      await page.locator('#views input').nth(1).check();
      await page.locator('.catalogues').waitFor();
      await scan(page, 'with the patterns on the board');
      await page.click('summary');
      await page.fill('#paste', 'nonsense');
      await page.click('#paste-use');
      await page.locator('#new-trouble').waitFor();
      await scan(page, 'with a refusal');
      await page.evaluate(() => { location.hash = '#2,1,3/4,5,6/7,8,0'; });
      await textIs(page, '#distance-label', 'no way to the goal');
      await scan(page, 'without a solution');
      await page.selectOption('#width', '4');
      await page.locator('#question').waitFor();
      await scan(page, 'with a question');
      await page.keyboard.press('Escape');
      await page.evaluate(() => { location.hash = '#garbage'; });
      await page.locator('#address-trouble').waitFor();
      await scan(page, 'with an address that is no board');
      await close();
    });
  }
}

for (const width of [320, 360, 768]) {
  test(`nothing is wider than ${width} pixels, in any panel`, async () => {
    for (const board of [BOARD, '2 1 3 5 4 / 0 6 7 8 9', '1 2 / 3 4 / 5 6 / 7 8 / 0 9', '1 2 / 0 3']) {
      const { page, close } = await stage.open(fragmentOf(board), { ...PHONE, viewport: { width, height: 640 } });
      const fits = async (what) => {
        const found = await page.evaluate(() => document.documentElement.scrollWidth);
        assert.ok(found <= width, `${board}, ${what}: ${found} pixels`);
      };
      await page.waitForFunction(() => document.getElementById('find-all').hasAttribute('aria-disabled'));
      await fits('at first');
      await page.click('#paste-details summary');
      await page.click('#review-details summary');
      for (const tab of ['heuristics', 'tables', 'solution']) {
        await page.click(`#tab-${tab}`);
        if (tab === 'tables') await page.locator('.catalogues').waitFor();
        await fits(tab);
      }
      if (await page.getAttribute('#find-all', 'aria-disabled') === 'false') {
        await page.click('#show-solution');
        await page.click('#hint');
        await page.click('#hint');
        await page.click('#find-all');
        await page.locator('.all-list label').first().waitFor();
        await fits('with all solutions and the whole way');
      }
      await page.selectOption('#metric', 'mtm');
      await fits('in mtm');
      await page.click('#view-lesson');
      await page.locator('#lesson canvas').first().waitFor();
      await fits('in the lesson');
      await close();
    }
  });
}

test('the page can be used with the keyboard alone', async () => {
  const { page, close } = await stage.open(fragmentOf(NEAR));
  await distanceIs(page, 9);
  const focused = () => page.evaluate(() => document.activeElement.id);
  const tabTo = async (id) => {
    for (let presses = 0; presses < 40 && (await focused()) !== id; presses += 1) await page.keyboard.press('Tab');
    assert.equal(await focused(), id, `Tab reaches ${id}`);
    const outline = await page.evaluate(() => getComputedStyle(document.activeElement).outlineStyle);
    assert.notEqual(outline, 'none', `the focus on ${id} can be seen`);
  };
  await tabTo('board');
  await page.keyboard.press('ArrowDown');
  await distanceIs(page, 8);
  await tabTo('undo');
  await page.keyboard.press('Enter');
  await distanceIs(page, 9);
  assert.equal(await focused(), 'undo', 'the focus stays, though there is nothing left to undo');
  await tabTo('hint');
  await page.keyboard.press('Enter');
  await textIs(page, '#note', 'Slide 13 down.');
  await tabTo('difficulty');
  await page.keyboard.type('7');
  await page.keyboard.press('Enter');
  await distanceIs(page, 7);
  await tabTo('tab-solution');
  await page.keyboard.press('ArrowRight');
  assert.equal(await focused(), 'tab-heuristics');
  assert.ok(await page.isVisible('#panel-heuristics'));
  await textIs(page, '#made', '0');
  await close();
});

test('a screen reader hears the move and the distance after it', async () => {
  const { page, close } = await stage.open(fragmentOf(NEAR));
  await distanceIs(page, 9);
  assert.equal(await page.getAttribute('#announcer', 'aria-live'), 'polite');
  await page.keyboard.press('ArrowDown');
  await textIs(page, '#announcer', 'Moved 13 down. 8 moves to go.');
  await page.click('[data-tile="5"]');
  await textIs(page, '#announcer', 'Moved 9 and 5 down. 6 moves to go.');
  await page.click('#undo');
  await textIs(page, '#announcer', 'Took back 5. 7 moves to go.');
  assert.match(await page.textContent('#board-rows'), /^Row 1: 5, 1, 2, 4\. Row 2: blank, 6, 3, 8\./);
  await close();
});

test('tiles are tapped and swiped on a phone', async () => {
  const { page, context, close } = await stage.open(fragmentOf(NEAR), { ...PHONE });
  await distanceIs(page, 9);
  await page.tap('[data-tile="13"]');
  await distanceIs(page, 8);
  await textIs(page, '#made', '1');

  const session = await context.newCDPSession(page);
  const box = await page.locator('[data-tile="7"]').boundingBox();
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  const touch = (type, ...touchPoints) => session.send('Input.dispatchTouchEvent', { type, touchPoints });
  await touch('touchStart', { x, y });
  for (const way of [10, 25, 40]) await touch('touchMove', { x, y: y + way });
  await touch('touchEnd');
  await distanceIs(page, 7);
  assert.equal(await boardOn(page), '5 1 2 4 / 0 6 3 8 / 9 10 7 12 / 13 14 11 15', 'a swipe anywhere is an arrow key');
  assert.equal(await page.evaluate(() => scrollY), 0, 'the page does not scroll under a swipe');
  await picture(page, 'phone-after-swipe');
  await close();
});

test('a coloured board stays in sight on a phone', async () => {
  const { page, close } = await stage.open(fragmentOf(BOARD), { ...PHONE });
  await distanceIs(page, 29);
  await page.click('#tab-heuristics');
  await page.click('[data-heuristic="linear-conflict"]');
  const within = (selector) => page.$eval(selector, (element) => {
    const { top, bottom } = element.getBoundingClientRect();
    return top >= -1 && bottom <= innerHeight + 1;
  });
  assert.ok(await within('#board'), 'the board');
  assert.ok(await within('.legend'), 'what its colours mean');
  await close();
});

test('tiles slide, but not for those who asked for less motion', async () => {
  for (const [reducedMotion, slides] of [['no-preference', true], ['reduce', false]]) {
    const { page, close } = await stage.open(fragmentOf(NEAR), { reducedMotion });
    await distanceIs(page, 9);
    await page.evaluate(() => {
      globalThis.slides = 0;
      document.addEventListener('transitionrun', ({ propertyName }) => {
        globalThis.slides += Number(propertyName === 'transform');
      });
    });
    await page.keyboard.press('ArrowDown');
    await distanceIs(page, 8);
    assert.equal(await boardOn(page), '5 1 2 4 / 9 6 3 8 / 0 10 7 12 / 13 14 11 15');
    // Events of transitions come with the frames.
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
    assert.equal((await page.evaluate(() => globalThis.slides)) > 0, slides, reducedMotion);
    await close();
  }
});

test('light and dark can be chosen, and the choice is remembered', async () => {
  const { page, close } = await stage.open('', { colorScheme: 'light' });
  const paper = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const light = await paper();
  await page.click('#theme');
  const dark = await paper();
  assert.notEqual(dark, light);
  await page.reload();
  assert.equal(await paper(), dark);
  await page.click('#theme');
  assert.equal(await paper(), light);
  await close();
});
