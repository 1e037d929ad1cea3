// What the tests share: the server, the browser, a page that remembers its complaints, and the questions put to it.

import { spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { chromium } from 'playwright-core';

const FLAGS = [
  '--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
  '--disable-component-update', '--disable-sync',
];

export const DESKTOP = { viewport: { width: 1280, height: 860 } };
export const PHONE = { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true };

/** Starts `tilebase serve`; resolves to its address and a way to stop it. */
export async function startServer(port = 0) {
  const program = process.env.TILEBASE;
  if (!program) throw new Error('TILEBASE has to name the program to test, for example target/release/tilebase');
  const child = spawn(program, ['serve', '--port', String(port)], { stdio: ['ignore', 'pipe', 'inherit'] });
  const stop = () => new Promise((done) => {
    if (child.exitCode !== null || child.signalCode !== null) return done();
    child.once('exit', () => done());
    child.kill();
  });
  const address = await new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`the server ended with ${code} before it said its address`)));
    createInterface({ input: child.stdout }).on('line', (line) => {
      const found = line.match(/http:\/\/127\.0\.0\.1:\d+\//);
      if (found) resolve(found[0]);
    });
  });
  return { address, port: Number(new URL(address).port), stop };
}

export function startBrowser() {
  return chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: FLAGS });
}

/** A server and a browser for the tests of a file. */
export async function start() {
  const server = await startServer();
  const browser = await startBrowser();
  return {
    server,
    browser,
    open: (fragment = '', options = {}) => open(browser, server.address + fragment, options),
    stop: async () => {
      await browser.close();
      await server.stop();
    },
  };
}

/**
 * Opens the page in a context of its own. `close` fails on everything that the console complained of; what the browser
 * itself says about an answer with an error status is expected only where a test `expectsRefusals`.
 */
export async function open(browser, address, { expectsRefusals = false, ...options } = {}) {
  const context = await browser.newContext({ ...DESKTOP, ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(15_000);
  const complaints = [];
  page.on('pageerror', (error) => complaints.push(error.stack));
  page.on('console', (message) => {
    const isRefusal = message.text().startsWith('Failed to load resource');
    const isComplaint = ['error', 'warning'].includes(message.type());
    if (isComplaint && !(isRefusal && expectsRefusals)) complaints.push(message.text());
  });
  await page.goto(address);
  await isUp(page);
  const close = async () => {
    await context.close();
    if (complaints.length > 0) throw new Error(`the console complained:\n${complaints.join('\n')}`);
  };
  return { page, context, close };
}

/** Waits until the page's scripts have come, which is after its first paint. In the lesson the board is there, but not seen. */
export async function isUp(page) {
  await page.waitForSelector('#board .tile', { state: 'attached' });
}

/** Waits until the large number is this one, proved and not only a bound. */
export async function distanceIs(page, distance) {
  await page.waitForFunction((expected) => {
    const text = (id) => document.getElementById(id).textContent;
    return text('distance-value') === expected && text('distance-sign') === '' && !document.querySelector('.is-stale');
  }, String(distance));
}

/** Waits until an element's text is this one, or matches. */
export async function textIs(page, selector, expected, options) {
  const isPattern = expected instanceof RegExp;
  await page.waitForFunction(([selector, text, pattern]) => {
    const found = document.querySelector(selector)?.textContent.trim();
    return pattern === null ? found === text : new RegExp(pattern).test(found ?? '');
  }, [selector, isPattern ? null : expected, isPattern ? expected.source : null], options);
}

/** The board as it can be seen: the places of the tiles, read from the screen and put into the server's notation. */
export async function boardOn(page) {
  await isUp(page);
  return page.evaluate(async () => {
    const tray = document.getElementById('board');
    await Promise.all(tray.getAnimations({ subtree: true }).map((animation) => animation.finished.catch(() => {})));
    const tiles = [...tray.querySelectorAll('.tile')].map((tile) => {
      const { left, top, width, height } = tile.getBoundingClientRect();
      return { tile: tile.dataset.tile, left, top, width, height };
    });
    const { width, height } = tiles[0];
    const inside = tray.getBoundingClientRect();
    const [columns, rows] = [Math.round(tray.clientWidth / width), Math.round(tray.clientHeight / height)];
    const board = Array.from({ length: rows }, () => Array(columns).fill('0'));
    for (const { tile, left, top } of tiles) {
      const x = (left - inside.left - tray.clientLeft) / width;
      const y = (top - inside.top - tray.clientTop) / height;
      board[Math.round(y)][Math.round(x)] = tile;
    }
    return board.map((row) => row.join(' ')).join(' / ');
  });
}

/** Asks the server directly, to compare what the page shows. */
export async function askServer(server, path, question) {
  const response = await fetch(new URL(path, server.address), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(question),
  });
  return response.json();
}

/** The address of a board. */
export function fragmentOf(board) {
  return `#${board.replaceAll(' / ', '/').replaceAll(' ', ',')}`;
}

/** Keeps a picture where somebody asked for pictures. */
export async function picture(page, name) {
  const directory = process.env.SCREENSHOTS;
  if (!directory) return;
  mkdirSync(directory, { recursive: true });
  await page.screenshot({ path: join(directory, `${name}.png`) });
}
