// The lesson: A* and IDA* on one board of 3×3, side by side, a step at a time; and what a better or a broken heuristic changes.

import { announce } from './announce.js';
import { Board, goalBoard } from './board.js';
import { byId, make, setText } from './dom.js';
import { ESTIMATES, trueDistance } from './estimates.js';
import { Frame, isSolvable } from './frame.js';
import { colours, Layers } from './layers.js';
import { AstarModel, expandedByBound, expandedByF, IdaModel } from './lessonmodels.js';
import { bars, rowsOf, stamp } from './lessonparts.js';
import { buildLesson, SPEEDS } from './lessonview.js';
import * as words from './lessonwords.js';
import { astar, ida } from './searches.js';
import { ask } from './server.js';
import { count } from './words.js';

/** What is shown when the game's board is no 3×3: every heuristic makes a difference on it, and those that are broken miss. */
const EXAMPLE = '3 5 6 / 7 0 2 / 1 4 8';
/** IDA* is given up after so many nodes. */
const MOST = 1_000_000;
export class Lesson {
  #step = 0;
  #isPlaying = false;
  #frame = 0;
  #onChange;

  /** `onChange` is called when another board or heuristic is shown. */
  constructor(section, onChange) {
    this.#onChange = onChange;
    this.chosen = { main: 'manhattan', other: 'hamming' };
    section.replaceChildren(...buildLesson({
      choose: () => this.#choose(),
      scramble: (distance) => this.#scramble(distance),
      seek: (step) => this.#seek(step),
      press: (name) => this.#press(name),
    }));
    const look = (name) => (number, place) => this.#look(name, number, place);
    this.astar = new Layers(byId('astar-canvas'), look('astar'));
    this.ida = new Layers(byId('ida-canvas'), look('ida'));
    const repaint = () => this.board && this.#render();
    new MutationObserver(repaint).observe(document.documentElement, { attributeFilter: ['data-theme'] });
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', repaint);
  }

  /** Shows a board with a goal, or the example when it is of another size; with heuristics where they are named. */
  open(board, goal, chosen = []) {
    const why = reasonAgainst(board, goal);
    [this.board, this.goal] = why ? [Board.read(EXAMPLE), 'blank-last'] : [board, goal];
    byId('lesson-example').hidden = !why;
    setText(byId('lesson-example'), why ? `${why}, so this is an example.` : '');
    const [main, other] = chosen.map((name) => (Object.hasOwn(ESTIMATES, name) ? name : null));
    this.chosen = { main: main ?? this.chosen.main, other: other ?? this.chosen.other };
    this.#step = 0;
    this.#search();
  }

  close() {
    this.#pause();
  }

  /** The buttons of the steps. */
  #press(name) {
    const actions = {
      reset: () => this.#seek(0),
      back: () => this.#seek(this.#step - 1),
      play: () => (this.#isPlaying ? this.#pause() : this.#play()),
      forward: () => this.#seek(this.#step + 1),
      end: () => this.#seek(this.#steps),
    };
    if (name !== 'play') this.#pause();
    actions[name]();
    this.#say();
  }

  async #scramble(distance) {
    const trouble = byId('lesson-trouble');
    try {
      const goal = this.goal;
      const { board } = await ask('/api/scramble', { size: '3x3', goal, distance });
      trouble.hidden = true;
      this.open(Board.read(board), goal);
      announce(`New board, ${count(this.shortest, 'move')} away. ${byId('lesson-about').textContent}`);
    } catch (error) {
      trouble.hidden = false;
      setText(trouble, error.message);
    }
  }

  #choose() {
    this.chosen = { main: byId('lesson-main').value, other: byId('lesson-other').value };
    const wasAtEnd = this.#step > 0 && this.#step >= this.#steps;
    this.#search();
    this.#seek(wasAtEnd ? this.#steps : 0);
    announce(`${byId('lesson-about').textContent} ${byId('lesson-verdict').textContent}`);
  }

  /** Runs everything that is shown. */
  #search() {
    this.#pause();
    const frame = this.frame = new Frame(goalBoard(this.goal, 3, 3));
    const start = frame.state(this.board);
    this.shortest = trueDistance(start, frame.home);
    const run = (name) => ({
      astar: astar(start, frame.home, ESTIMATES[name]), ida: ida(start, frame.home, ESTIMATES[name], MOST),
    });
    const { main, other } = this.chosen;
    this.runs = { main: run(main) };
    this.runs.other = main === other ? this.runs.main : run(other);
    this.models = { astar: new AstarModel(this.runs.main.astar, this.runs.other.astar), ida: new IdaModel(this.runs.main.ida) };
    this.depth = 1 + Math.max(this.models.astar.layers.length - 1, deepest(this.runs.main.ida));
    this.#describe();
    this.#render();
    this.#onChange(this);
  }

  /** What does not change from step to step. */
  #describe() {
    const { main, other } = this.chosen;
    const goal = goalBoard(this.goal, 3, 3);
    byId('lesson-main').value = main;
    byId('lesson-other').value = other;
    byId('lesson-boards').replaceChildren(
      make('figure', {}, stamp(this.board, goal, 'Start'), make('figcaption', { text: 'start' })),
      make('span', { class: 'lesson-arrow', text: `${count(this.shortest, 'move')} →` }),
      make('figure', {}, stamp(goal, goal, 'Goal'), make('figcaption', { text: 'goal' })));
    const estimate = ESTIMATES[main];
    setText(byId('lesson-about'), words.estimateSentence(estimate, this.runs.main.astar.nodes[0].h, this.shortest));
    this.#describeMistake(estimate, goal);
    setText(byId('lesson-verdict'), main === other
      ? 'Choose two different heuristics to compare them.'
      : words.comparison(this.runs.main.astar, this.runs.other.astar, called(main), called(other)));
    this.#buildLadder();
    const board = this.board.text;
    const goalOption = this.goal === 'blank-last' ? '' : ` --goal "${this.goal}"`;
    const command = (options) => `tilebase solve "${board}"${goalOption} ${options} --json`;
    byId('lesson-commands').textContent = ['astar', 'ida'].map((kind) => command(estimate.options[kind])).join('\n');
    byId('lesson-step').max = this.#steps;
  }

  /** For a heuristic that exaggerates: what it found, and where it was wrong. */
  #describeMistake(estimate, goal) {
    const element = byId('lesson-mistake');
    element.hidden = !estimate.isBroken;
    if (!estimate.isBroken) return;
    const { astar: run, ida: deep } = this.runs.main;
    const expanded = new Set(run.order.map(({ key }) => key));
    const { home } = this.frame;
    const way = astar(this.frame.state(this.board), home, ESTIMATES.tables).path;
    const missed = run.length > this.shortest ? way.find(({ key }) => !expanded.has(key)) : null;
    const seen = missed && { ...missed, h: estimate.of(missed.state, home) };
    element.replaceChildren(
      make('dl', { class: 'lesson-lengths' },
        ...[['shortest', this.shortest], ['A* found', run.length], ['IDA* found', deep.length ?? '–']].map(([name, length]) => {
          const isLonger = length > this.shortest;
          return make('div', { class: isLonger ? 'is-longer' : null }, make('dt', { text: name }), make('dd', { text: length }));
        })),
      ...(seen ? [stamp(this.frame.board(seen.state), goal, 'The board that was missed')] : []),
      make('p', { text: words.mistakeSentence(run, seen, this.shortest) }));
  }

  /** All heuristics on this board, one row after the other, because the weak ones take a moment. */
  #buildLadder() {
    const start = this.frame.state(this.board);
    const { home } = this.frame;
    const board = this.board;
    const body = make('tbody');
    const head = ['Heuristic', 'A* expands', '', 'IDA* expands', 'finds'].map((text) =>
      (text ? make('th', { scope: 'col', text }) : make('td', { class: 'bar-cell' })));
    byId('ladder').replaceChildren(make('table', { class: 'ladder-table' }, make('thead', {}, make('tr', {}, ...head)), body));
    const rows = Object.entries(ESTIMATES).map(([name, estimate]) => {
      const label = make('th', { scope: 'row', text: estimate.name });
      const row = make('tr', { 'data-heuristic': name, class: this.#classOf(name) }, label);
      body.append(row);
      return { name, estimate, row };
    });
    const known = { [this.chosen.main]: this.runs.main, [this.chosen.other]: this.runs.other };
    const found = [];
    const fill = () => {
      const next = rows[found.length];
      if (!next || board !== this.board || !body.isConnected) return;
      const { name, estimate } = next;
      const run = known[name] ?? { astar: astar(start, home, estimate), ida: ida(start, home, estimate, MOST) };
      found.push({ ...next, expanded: run.astar.order.length, deep: run.ida, length: run.astar.length });
      this.#fillLadder(found);
      setTimeout(fill, 0);
    };
    fill();
  }

  #classOf(name) {
    return name === this.chosen.main ? 'is-main' : name === this.chosen.other ? 'is-other' : null;
  }

  #fillLadder(found) {
    const most = Math.max(...found.map(({ expanded }) => expanded));
    for (const { row, estimate, expanded, deep, length } of found) {
      const bar = make('span', { class: 'ladder-bar' });
      bar.style.inlineSize = `${Math.max(0.5, (expanded / Math.max(1, most)) * 100)}%`;
      const isLonger = length > this.shortest;
      row.replaceChildren(
        make('th', { scope: 'row', text: estimate.name }),
        make('td', { class: 'number-cell', text: words.whole(expanded) }),
        make('td', { class: 'bar-cell', 'aria-hidden': 'true' }, bar),
        make('td', { class: 'number-cell', text: `${deep.isFound ? '' : 'over '}${words.whole(deep.expanded)}` }),
        make('td', {
          class: isLonger ? 'number-cell is-longer' : 'number-cell', text: isLonger ? `${length}, not ${this.shortest}` : length,
        }));
    }
  }

  get #steps() {
    return Math.max(this.models.astar.steps, this.models.ida.steps);
  }

  #seek(step) {
    this.#step = Math.min(this.#steps, Math.max(0, step));
    this.#render();
  }

  #play() {
    if (this.#step >= this.#steps) this.#step = 0;
    this.#isPlaying = true;
    let [last, due] = [performance.now(), 0];
    const tick = (now) => {
      if (!this.#isPlaying) return;
      due += ((now - last) / 1000) * SPEEDS[byId('lesson-speed').value];
      last = now;
      const steps = Math.floor(due);
      due -= steps;
      if (steps > 0) this.#seek(this.#step + steps);
      if (this.#step >= this.#steps) {
        this.#pause();
        this.#say();
      } else {
        this.#frame = requestAnimationFrame(tick);
      }
    };
    this.#seek(this.#step + 1);
    this.#frame = requestAnimationFrame(tick);
  }

  #pause() {
    cancelAnimationFrame(this.#frame);
    this.#isPlaying = false;
    if (this.models) this.#renderControls();
  }

  #say() {
    if (this.#isPlaying) return;
    announce(`Step ${this.#step}. A*: ${byId('astar-says').textContent} IDA*: ${byId('ida-says').textContent}`);
  }

  #render() {
    this.#renderControls();
    const { astar: best, ida: deep } = this.models;
    const step = this.#step;
    this.#renderLegend();
    this.astar.show(best.at(step, this.depth));
    this.#renderPanel('astar', {
      expanded: Math.min(step, best.steps), generated: best.run.generated[Math.min(step, best.steps) - 1] ?? 1,
      kept: best.kept[Math.min(step, best.steps) - 1] ?? 1,
      says: words.astarSentence(best, step, this.shortest),
      node: best.run.order[Math.min(step, best.steps) - 1] ?? best.run.nodes[0],
      isEnd: step >= best.steps,
    });
    const last = best.run.order[Math.min(step, best.steps) - 1];
    const colourOf = colours(byId('astar-canvas'), best.least, best.most);
    bars(byId('astar-bars'), {
      mine: expandedByF(best.run), done: expandedByF(best.run, step), theirs: this.#theirs('astar'), colourOf, unit: 'f',
      now: last && step < best.steps ? last.g + last.h : null,
    });
    const model = deep.at(step, this.depth);
    this.ida.show(model);
    const visited = Math.min(step, deep.steps);
    const node = visited > 0 ? deep.run.order[visited - 1] : 0;
    this.#renderPanel('ida', {
      expanded: visited, generated: visited > 0 ? deep.run.generated[visited - 1] : 1, kept: deep.run.depth[node] + 1,
      says: words.idaSentence(deep, step, this.shortest),
      node: { state: deep.run.stateOf(node) },
      isEnd: step >= deep.steps && deep.run.isFound,
    });
    bars(byId('ida-bars'), {
      mine: expandedByBound(deep.run), done: expandedByBound(deep.run, step), theirs: this.#theirs('ida'), unit: 'bound',
      colourOf: colours(byId('ida-canvas'), deep.least, deep.most),
      now: step > 0 && step < deep.steps ? deep.run.iterations[deep.iterationOf(step)].bound : null,
    });
  }

  #theirs(kind) {
    if (this.chosen.main === this.chosen.other) return new Map();
    return kind === 'astar' ? expandedByF(this.runs.other.astar) : expandedByBound(this.runs.other.ida);
  }

  #renderPanel(name, { expanded, generated, kept, says, node, isEnd }) {
    setText(byId(`${name}-expanded`), words.whole(expanded));
    setText(byId(`${name}-generated`), words.whole(generated));
    setText(byId(`${name}-kept`), words.whole(kept));
    setText(byId(`${name}-says`), says);
    byId(`${name}-says`).classList.toggle('is-end', isEnd);
    const goal = goalBoard(this.goal, 3, 3);
    const board = isEnd ? goal : this.frame.board(node.state);
    byId(`${name}-stamp`).replaceChildren(stamp(board, goal, isEnd ? 'Goal' : 'Expanded now'));
  }

  #renderControls() {
    const slider = byId('lesson-step');
    slider.value = this.#step;
    slider.setAttribute('aria-valuetext', `${this.#step} of ${this.#steps} expansions`);
    setText(byId('lesson-count'), `${words.whole(this.#step)} of ${words.whole(this.#steps)}`);
    const play = byId('lesson-play');
    const label = this.#isPlaying ? 'Pause' : 'Play';
    play.setAttribute('aria-label', label);
    play.title = label;
    play.querySelector('use').setAttribute('href', this.#isPlaying ? '#icon-pause' : '#icon-play');
    for (const [id, isOn] of [['lesson-reset', this.#step > 0], ['lesson-back', this.#step > 0],
      ['lesson-forward', this.#step < this.#steps], ['lesson-end', this.#step < this.#steps]]) {
      byId(id).setAttribute('aria-disabled', String(!isOn));
    }
  }

  #renderLegend() {
    const { least, most, saved } = this.models.astar;
    const colourOf = colours(byId('astar-canvas'), least, most);
    const values = [...new Set(this.models.astar.f.subarray(0, this.runs.main.astar.nodes.length))].sort((a, b) => a - b);
    const shown = values.length <= 9 ? values : values.filter((_, index) => index % Math.ceil(values.length / 9) === 0);
    const mark = (name) => make('span', { class: `key ${name}`, 'aria-hidden': 'true' });
    const key = (name, text) => make('span', { class: 'legend-key' }, mark(name), text);
    const swatches = shown.map((f) => {
      const swatch = mark('key-full');
      swatch.style.background = colourOf(f);
      return make('span', { class: 'legend-key' }, swatch, String(f));
    });
    const ghosts = this.chosen.main === this.chosen.other ? [] :
      [key('key-ghost', `saved: only with ${called(this.chosen.other)} (${words.whole(saved)})`)];
    byId('lesson-legend').replaceChildren(
      make('span', { class: 'legend-group' }, make('b', { text: 'f' }), ...swatches),
      key('key-full', 'expanded'), key('key-open', 'found, not expanded'), key('key-cut', 'above the bound'), ...ghosts);
  }

  /** Shows the board of a dot beside it, and says it. */
  #look(name, number, place) {
    const peek = byId(`${name}-peek`);
    peek.hidden = number < 0;
    if (number < 0) return;
    const { state, g, h, isGhost } = this.models[name].boardOf(number, this.#step);
    const board = this.frame.board(state);
    const sentence = `${g} made + ${h} estimated = ${g + h}`;
    peek.replaceChildren(stamp(board, goalBoard(this.goal, 3, 3), 'Board'),
      make('p', { text: sentence }),
      ...(isGhost ? [make('p', { class: 'help', text: 'saved by this heuristic' })] : []));
    const canvas = byId(`${name}-canvas`);
    const { offsetWidth: width, offsetHeight: height } = peek;
    const beside = place.x > canvas.clientWidth / 2 ? place.x - width - 14 : place.x + 14;
    const within = (value, room) => `${Math.max(4, Math.min(room - 4, value))}px`;
    peek.style.left = within(beside, canvas.clientWidth - width);
    peek.style.top = within(place.y - height / 2, canvas.clientHeight - height);
    if (document.activeElement === canvas) announce(`${sentence}. ${rowsOf(board)}.`);
  }
}

/** A heuristic's name within a sentence. */
function called(name) {
  return ESTIMATES[name].called ?? ESTIMATES[name].name;
}

/** Why there is no lesson about a board; null where there is. */
function reasonAgainst(board, goal) {
  if (board.size !== '3x3') return `The lesson is about 3×3, and your board is ${board.width}×${board.height}`;
  const end = goalBoard(goal, 3, 3);
  if (!isSolvable(board, end)) return 'Your board cannot be solved';
  return board.text === end.text ? 'Your board is solved already' : null;
}

/** The most moves on any way that IDA* followed. */
function deepest({ depth, iterations }) {
  let most = 0;
  for (let node = 0; node < (iterations.at(-1)?.end ?? 1); node += 1) most = Math.max(most, depth[node]);
  return most;
}
