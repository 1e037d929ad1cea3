// The page and its server: before it answers, when it goes away, when it is back; and how soon the page is there.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { DESKTOP, PHONE, boardOn, distanceIs, fragmentOf, isUp, open, start, startServer, textIs } from './page.js';

const NEAR = '5 1 2 4 / 9 6 3 8 / 13 10 7 12 / 0 14 11 15';
let stage;
before(async () => { stage = await start(); });
after(() => stage.stop());

test('the board is there and can be played before the server answers anything', async () => {
  const { page, close } = await stage.open();
  await page.route('**/api/**', () => {}); // Neither answered nor refused.
  await page.goto('about:blank');
  await page.goto(stage.server.address + fragmentOf(NEAR));
  assert.equal(await boardOn(page), NEAR);
  await page.keyboard.press('ArrowDown');
  await textIs(page, '#made', '1');
  assert.equal(await boardOn(page), '5 1 2 4 / 9 6 3 8 / 0 10 7 12 / 13 14 11 15');
  await textIs(page, '#proof', 'Searching…');
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await close();
});

test('a server that goes away is said to, and its return is noticed', async () => {
  const server = await startServer();
  const address = server.address + fragmentOf('8 6 7 / 2 5 4 / 3 0 1');
  const { page, close } = await open(stage.browser, address, { expectsRefusals: true });
  await distanceIs(page, 31);
  await page.click('#show-solution');
  const way = await page.textContent('#notation-tile');
  await server.stop();
  // Off the way that is known.
  await page.keyboard.press(way.startsWith('D') ? 'ArrowRight' : 'ArrowDown');
  await textIs(page, '#proof', 'The server does not answer. Trying again…');
  assert.ok(await page.isVisible('#proof'));
  await page.click('#scramble');
  await textIs(page, '#new-trouble', /does not answer/);
  const again = await startServer(server.port);
  await distanceIs(page, 30);
  await textIs(page, '#proof', /^Proved in/);
  await page.click('#scramble');
  await page.locator('#new-trouble').waitFor({ state: 'hidden' });
  await close();
  await again.stop();
});

test('what the server sends forbids all that the page does not need, and the page lives with it', async () => {
  const response = await fetch(stage.server.address);
  const policy = response.headers.get('content-security-policy');
  assert.match(policy, /default-src 'none'; script-src 'self' 'sha256-[^' ]+'; style-src 'sha256-[^' ]+';/);
  assert.doesNotMatch(policy, /unsafe/);
  const text = await response.text();
  // Only what the policy names by its hash stands within the page.
  assert.equal(text.match(/<style>/g).length, 1);
  assert.equal(text.match(/<script>/g).length, 1);
  assert.doesNotMatch(text, /\sstyle=|\son\w+=/);
});

test('nothing is asked from anywhere but the server', async () => {
  const { page, close } = await stage.open();
  const hosts = new Set();
  page.on('request', (request) => hosts.add(new URL(request.url()).origin));
  await page.reload();
  await textIs(page, '#distance-label', 'moves to go');
  assert.deepEqual([...hosts], [new URL(stage.server.address).origin]);
  await close();
});

for (const [device, options] of [['desktop', DESKTOP], ['phone', PHONE]]) {
  test(`nothing jumps while the page comes up and answers arrive, on a ${device}`, async (context) => {
    const { page, close } = await stage.open('', options);
    await page.addInitScript(() => {
      globalThis.shifts = [];
      const observer = new PerformanceObserver((list) => globalThis.shifts.push(...list.getEntries()));
      observer.observe({ type: 'layout-shift', buffered: true });
    });
    await page.goto('about:blank');
    await page.goto(stage.server.address + fragmentOf(NEAR));
    await isUp(page);
    await distanceIs(page, 9);
    await page.evaluate(() => { location.hash = '#8,6,7/2,5,4/3,0,1'; });
    await distanceIs(page, 31);
    await page.evaluate(() => { location.hash = '#8,6,7/2,5,4/3,1,0'; });
    await distanceIs(page, 30);
    const shifts = await page.evaluate(() => globalThis.shifts.map((shift) => ({
      value: shift.value,
      what: shift.sources.map(({ node }) => node?.id || node?.className || node?.nodeName),
    })));
    const sum = shifts.reduce((sum, { value }) => sum + value, 0);
    context.diagnostic(`layout shift ${sum.toFixed(4)}`);
    assert.ok(sum < 0.05, JSON.stringify(shifts));
    await close();
  });
}

test('all modules are asked for at once, so that none waits for another', async () => {
  const { page, close } = await stage.open();
  const asked = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await page.reload();
  await isUp(page);
  const named = await page.$$eval('script[src], link[rel="modulepreload"]', (elements) =>
    elements.map((element) => element.getAttribute('src') ?? element.getAttribute('href')));
  assert.ok(named.length > 10);
  assert.deepEqual(asked.filter((path) => path.endsWith('.js')).sort(), named.sort());
  await close();
});

test('no module is asked for before the first paint', async () => {
  const { page, close } = await stage.open();
  const [paint, asked] = await page.evaluate(() => [
    performance.getEntriesByType('paint')[0].startTime,
    performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('.js')).map(({ startTime }) => startTime),
  ]);
  assert.ok(asked.length > 10);
  assert.ok(paint < Math.min(...asked), `painted after ${paint} ms, asked after ${Math.min(...asked)} ms`);
  await close();
});

test('the first paint comes soon', async (context) => {
  const { page, close } = await stage.open();
  await page.waitForFunction(() => performance.getEntriesByName('first-contentful-paint').length > 0);
  const paint = await page.evaluate(() => performance.getEntriesByName('first-contentful-paint')[0].startTime);
  context.diagnostic(`first contentful paint after ${Math.round(paint)} ms`);
  assert.ok(paint < 5000, `${paint} ms`);
  await close();
});
