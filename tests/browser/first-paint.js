// When the first paint comes, in a context of its own each time, beside that of a page with one line of text: what the browser
// itself takes. Prints one line for each. Run by scripts/check-page --measure.

import { createServer } from 'node:http';
import { DESKTOP, PHONE, startBrowser, startServer } from './page.js';

const ROUNDS = 11;
const AT_REST = 1500;

/** Milliseconds from the start of a visit until something is drawn. */
async function firstPaint(browser, address, device) {
  const context = await browser.newContext(device);
  const page = await context.newPage();
  // A new window of Chromium loads pages of its own, which take both cores for a while.
  await page.waitForTimeout(AT_REST);
  await page.goto(address);
  await page.waitForFunction(() => performance.getEntriesByName('first-contentful-paint').length > 0);
  const time = await page.evaluate(() => performance.getEntriesByName('first-contentful-paint')[0].startTime);
  await context.close();
  return time;
}

const plain = createServer((_, answer) => {
  answer.setHeader('content-type', 'text/html; charset=utf-8').end('<!doctype html><title>one line</title><p>One line.');
});
await new Promise((listening) => plain.listen(0, '127.0.0.1', listening));
const server = await startServer();
const browser = await startBrowser();
const visits = [
  ['one line of text', `http://127.0.0.1:${plain.address().port}/`, DESKTOP],
  ['the page', server.address, DESKTOP],
  ['the page on a phone', server.address, PHONE],
].map(([name, address, device]) => ({ name, address, device, times: [] }));
try {
  // In turns, because a machine's speed changes; the first visit of all pays for the browser's start.
  await firstPaint(browser, visits[0].address, DESKTOP);
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const visit of visits) visit.times.push(await firstPaint(browser, visit.address, visit.device));
  }
  for (const { name, times } of visits) {
    times.sort((a, b) => a - b);
    const [least, median, most] = [times[0], times[ROUNDS >> 1], times[ROUNDS - 1]].map(Math.round);
    console.log(`${name}: ${least} to ${most} ms, ${median} ms in the median of ${ROUNDS}`);
  }
} finally {
  await browser.close();
  await server.stop();
  plain.close();
}
