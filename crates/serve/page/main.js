// The page put together: one game, what is known about it, and the parts of the page that show it.

import { announce } from './announce.js';
import { keepAddress } from './address.js';
import { Board, DIRECTIONS } from './board.js';
import { wireControls } from './controls.js';
import { copies } from './copy.js';
import { Distance } from './distance.js';
import { byId } from './dom.js';
import { Game } from './game.js';
import { listen } from './gestures.js';
import { showHeuristics } from './heuristics.js';
import { Insight } from './insight.js';
import { Known } from './known.js';
import { firstMetric, wireMetric } from './metricchoice.js';
import { NewBoard } from './newboard.js';
import { showNotes, solvedSentence } from './note.js';
import { Player } from './player.js';
import { Review } from './review.js';
import { showReview } from './reviewpanel.js';
import { lossOnBoard } from './reviewwords.js';
import { showScore } from './score.js';
import { showSolutions } from './solutions.js';
import { showTables } from './tables.js';
import { wireTabs } from './tabs.js';
import { Tiles } from './tiles.js';
import { showTimeline } from './timeline.js';
import { Views } from './views.js';
import { count, list } from './words.js';

/** Where the page begins when the address names no board: near enough to be solved by hand. */
const FIRST = '5 1 2 4 / 9 6 3 8 / 13 10 7 12 / 0 14 11 15';

/** What was done, by the kind of the game's change. */
const SENTENCES = {
  new: () => 'New board.',
  restart: () => 'Back to the start.',
  play: moved,
  undo: (slides) => `Took back ${tilesIn(slides)}.`,
  redo: moved,
  metric: () => (game.metric === 'mtm' ? 'Several tiles in a line are one move.' : 'Every tile is one move.'),
  // What is said about the moves themselves comes with them.
  load: () => '',
  jump: () => {
    const loss = review.lossHere;
    return loss ? lossOnBoard(loss, game.board) : `After ${count(game.made, 'move')}.`;
  },
};

/** Said once when a search is long; its outcome is said when there is one. */
const SEARCHING = 'Searching.';

const game = new Game(Board.read(FIRST), 'blank-last', firstMetric());
const distance = new Distance(game, new Known());
const review = new Review(game, distance);
const player = new Player(game, distance, review);
const insight = new Insight(game, distance);
const tray = byId('board');
const tiles = new Tiles(tray);
const views = new Views(game);

const draw = () => tiles.show(game.board, game.goalBoard);
game.addEventListener('change', draw);
draw();

wireMetric(game);
keepAddress(game, () => views.isGame);
listen(tray, tiles, game, (moves) => game.play(moves));
wireControls(game, distance, player, review, tiles);
showScore(game, distance);
const { visit, lookBack } = showReview(game, review, () => openTab('tab-solution'));
showTimeline(game, distance, review, visit);
const showWholeWay = showNotes(game, distance, review, tiles, lookBack);
showSolutions(game, distance, (way) => {
  distance.follow(way);
  showWholeWay();
});
const panels = {
  'panel-heuristics': showHeuristics(insight, distance, tiles),
  'panel-tables': showTables(insight, distance, tiles),
};
const openTab = wireTabs(byId('tabs'), (panel) => {
  tiles.colour([]);
  insight.isWanted = panel in panels;
  panels[panel]?.();
});
copies(byId('copy-link'), byId('copy-link').querySelector('span'), () => new URL(views.fragment, location.href).href, 'the link');
speakMoves();

// The last to hear of a move: what is known is shown at once, and by then all others have to know the move.
game.addEventListener('change', () => distance.refresh());

if (!new NewBoard(game).readAddress()) distance.refresh();
if (location.hash) views.readAddress();

function tilesIn(slides) {
  return list(slides.map(({ tile }) => tile));
}

function moved(slides) {
  return `Moved ${tilesIn(slides)} ${DIRECTIONS[slides[0].direction].word}.`;
}

/** Says each move together with the distance after it, when that is known. */
function speakMoves() {
  let sentence = '';
  game.addEventListener('change', ({ detail }) => {
    sentence = SENTENCES[detail.kind](detail.slides);
  });
  distance.addEventListener('change', () => {
    const { kind, length, atLeast, best, isBrief } = distance.state;
    if (sentence === '' || isBrief || (kind === 'searching' && sentence === SEARCHING)) return;
    if (kind === 'searching') {
      announce(`${sentence} ${SEARCHING}`);
      sentence = SEARCHING;
      return;
    }
    const outcome = {
      solved: () => (game.isSolved ? solvedSentence(game, distance) : `${count(length, 'move')} to go.`),
      unsolvable: () => 'This board cannot reach the goal.',
      stopped: () => [
        best ? `${count(best.length, 'move')} now.` : '',
        atLeast === null ? 'Stopped.' : `At least ${count(atLeast, 'move')}.`,
      ].join(' ').trim(),
      failed: () => distance.state.message,
    }[kind]();
    announce(sentence === SEARCHING ? outcome : `${sentence} ${outcome}`);
    sentence = '';
  });
}
