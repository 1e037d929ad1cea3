// A board: which tile lies on which square, and what can be done with it. Boards never change; a move makes a new one.

/** The four directions in which a tile can slide, by their letters. */
export const DIRECTIONS = {
  U: { x: 0, y: -1, word: 'up', arrow: '↑', opposite: 'D' },
  D: { x: 0, y: 1, word: 'down', arrow: '↓', opposite: 'U' },
  L: { x: -1, y: 0, word: 'left', arrow: '←', opposite: 'R' },
  R: { x: 1, y: 0, word: 'right', arrow: '→', opposite: 'L' },
};

export class Board {
  /** `tiles` row by row, 0 for the blank; every label from 0 to width × height − 1 once. */
  constructor(width, height, tiles) {
    this.width = width;
    this.height = height;
    this.tiles = tiles;
    this.blank = tiles.indexOf(0);
  }

  /** Reads `1 2 3 / 4 5 6 / 7 8 0`, spaces or commas; null for anything else, which is the server's to read. */
  static read(text) {
    const rows = text.split('/').map((row) => row.trim().split(/[\s,]+/));
    const [height, width] = [rows.length, rows[0].length];
    if (width < 2 || height < 2 || width * height > 25 || rows.some((row) => row.length !== width)) return null;
    const words = rows.flat();
    if (!words.every((word) => /^\d{1,2}$/.test(word))) return null;
    const tiles = words.map(Number);
    if (new Set(tiles).size !== tiles.length || Math.max(...tiles) !== tiles.length - 1) return null;
    return new Board(width, height, tiles);
  }

  /** The text that the server speaks; also what boards are compared by. */
  get text() {
    return this.rows().map((row) => row.join(' ')).join(' / ');
  }

  get size() {
    return `${this.width}x${this.height}`;
  }

  rows() {
    return Array.from({ length: this.height }, (_, y) => this.tiles.slice(y * this.width, (y + 1) * this.width));
  }

  /** Column and row of a square. */
  place(square) {
    return { x: square % this.width, y: Math.floor(square / this.width) };
  }

  squareOf(tile) {
    return this.tiles.indexOf(tile);
  }

  /** The square of the tile that slides in a direction, which lies on the other side of the blank; −1 at the edge. */
  squareThatSlides(direction) {
    const { x, y } = this.place(this.blank);
    const from = { x: x - DIRECTIONS[direction].x, y: y - DIRECTIONS[direction].y };
    const inside = from.x >= 0 && from.x < this.width && from.y >= 0 && from.y < this.height;
    return inside ? from.y * this.width + from.x : -1;
  }

  /** The number of the tile that slides in a direction, or 0. */
  tileThatSlides(direction) {
    const square = this.squareThatSlides(direction);
    return square < 0 ? 0 : this.tiles[square];
  }

  /** The board after a tile slid in a direction; null at the edge. */
  after(direction) {
    const square = this.squareThatSlides(direction);
    if (square < 0) return null;
    const tiles = this.tiles.slice();
    tiles[this.blank] = tiles[square];
    tiles[square] = 0;
    return new Board(this.width, this.height, tiles);
  }

  /** The moves that bring the blank to a square of its row or column: a letter for each tile in between; else none. */
  lineTo(square) {
    const [from, blank] = [this.place(square), this.place(this.blank)];
    if (square === this.blank) return [];
    if (from.y === blank.y) return Array(Math.abs(from.x - blank.x)).fill(from.x < blank.x ? 'R' : 'L');
    if (from.x === blank.x) return Array(Math.abs(from.y - blank.y)).fill(from.y < blank.y ? 'D' : 'U');
    return [];
  }

  /** All boards on a way, this one first. */
  along(way) {
    const boards = [this];
    for (const direction of way) boards.push(boards.at(-1).after(direction));
    return boards;
  }
}

/** The goals that have a name; any other is a board's text. */
export const GOALS = {
  'blank-last': 'blank last',
  'blank-first': 'blank first',
  snail: 'spiral',
  'blank-top-right': 'blank top right',
  'blank-bottom-left': 'blank bottom left',
};

/** The goal as a board of a size; null when it is the text of no board of that size. */
export function goalBoard(goal, width, height) {
  const blanks = { 'blank-first': 0, 'blank-top-right': width - 1, 'blank-bottom-left': width * (height - 1), 'blank-last': width * height - 1 };
  if (goal in blanks) return new Board(width, height, inOrder(width * height, blanks[goal]));
  if (goal === 'snail') return new Board(width, height, snail(width, height));
  const board = Board.read(goal);
  return board?.width === width && board.height === height ? board : null;
}

/** 1, 2, 3 … row by row, and the blank on a square. */
function inOrder(count, blank) {
  return Array.from({ length: count }, (_, square) => (square === blank ? 0 : square + Number(square < blank)));
}

/** 1, 2, 3 … clockwise from the corner inwards, the blank at the end. */
function snail(width, height) {
  const tiles = Array(width * height).fill(0);
  const turns = [[1, 0], [0, 1], [-1, 0], [0, -1]];
  let [x, y, turn] = [0, 0, 0];
  const isFree = (x, y) => x >= 0 && x < width && y >= 0 && y < height && tiles[y * width + x] === 0;
  for (let tile = 1; tile < width * height; tile += 1) {
    tiles[y * width + x] = tile;
    if (!isFree(x + turns[turn][0], y + turns[turn][1])) turn = (turn + 1) % 4;
    x += turns[turn][0];
    y += turns[turn][1];
  }
  return tiles;
}
