// The buttons under the board.

import { byId } from './dom.js';
import { count } from './words.js';

/** A slide never takes longer than this, nor longer than the player's step. */
const SLIDE = 140;

export function wireControls(game, distance, player, review, tiles) {
  const buttons = Object.fromEntries(
    ['undo', 'redo', 'restart', 'step-back', 'play', 'step-forward'].map((id) => [id, byId(id)]),
  );
  const press = (id, action) => buttons[id].addEventListener('click', () => isOn(buttons[id]) && action());

  press('undo', () => game.undo());
  press('redo', () => game.redo());
  press('restart', () => game.restart());
  press('step-back', () => game.undo());
  press('step-forward', () => {
    player.pause();
    player.step();
  });
  press('play', () => (player.isPlaying ? player.pause() : player.start()));

  const render = () => {
    turn(buttons.undo, game.canUndo);
    turn(buttons['step-back'], game.canUndo);
    turn(buttons.redo, game.canRedo);
    turn(buttons.restart, game.canUndo || game.canRedo);
    if (!distance.state.isBrief || player.isReplaying) {
      turn(buttons['step-forward'], player.canStep);
      turn(buttons.play, player.isPlaying || player.canStep);
    }
    const words = player.isPlaying ? 'Pause' : player.isReplaying ? 'Play your solution'
      : distance.isProved || !distance.way ? 'Play the solution' : 'Play the best solution so far';
    buttons.play.setAttribute('aria-label', words);
    buttons.play.title = words;
    buttons.play.querySelector('use').setAttribute('href', player.isPlaying ? '#icon-pause' : '#icon-play');
  };
  for (const source of [game, distance, player, review]) source.addEventListener('change', render);

  const speed = byId('speed');
  const setSpeed = () => {
    player.speed = Number(speed.value);
    speed.setAttribute('aria-valuetext', `${count(player.speed, 'move')} a second`);
    tiles.duration = Math.min(SLIDE, 800 / player.speed);
  };
  speed.addEventListener('input', setSpeed);
  setSpeed();
}

/** Buttons that can do nothing now stay where the keyboard left them: `disabled` would take the focus away. */
function turn(button, on) {
  button.setAttribute('aria-disabled', String(!on));
}

function isOn(button) {
  return button.getAttribute('aria-disabled') !== 'true';
}
