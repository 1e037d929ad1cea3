// What comes before the first paint, and is therefore no module: the theme. And what comes right after it: the modules, all at
// once, instead of one after the other as they name each other.

const MODULES = [
  'address', 'announce', 'board', 'colours', 'controls', 'copy', 'distance', 'dom',
  'game', 'gestures', 'heuristics', 'insight', 'known', 'newboard', 'notation', 'note',
  'player', 'score', 'server', 'solutions', 'tables', 'tabs', 'tiles', 'timeline',
  'words',
];

let isLoading = false;

function load() {
  if (isLoading) return;
  isLoading = true;
  for (const name of MODULES) {
    document.head.append(Object.assign(document.createElement('link'), { rel: 'modulepreload', href: `/${name}.js` }));
  }
  document.head.append(Object.assign(document.createElement('script'), { type: 'module', src: '/main.js' }));
}

// The paint itself, not the animation frame before it: drawing goes on after that, and modules would hold it up. A page in the
// background is not painted, and need not wait.
new PerformanceObserver(load).observe({ type: 'paint', buffered: true });
setTimeout(load, 300);

// Light or dark: the system's choice until the visitor makes one.

(() => {
  const root = document.documentElement;
  const remembered = read();
  if (remembered) root.dataset.theme = remembered;

  function read() {
    try {
      return localStorage.getItem('theme');
    } catch {
      return null; // Storage can be forbidden; then the choice lasts as long as the page.
    }
  }

  function isDark() {
    const system = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
    return (root.dataset.theme ?? system) === 'dark';
  }

  document.addEventListener('DOMContentLoaded', () => {
    document.getElementById('theme').addEventListener('click', () => {
      root.dataset.theme = isDark() ? 'light' : 'dark';
      try {
        localStorage.setItem('theme', root.dataset.theme);
      } catch {
        // As above.
      }
    });
  });
})();
