// What comes before the first paint, and is therefore no module: the theme. And what comes right after it: the modules, all at
// once, instead of one after the other as they name each other.

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

// The modules wait for the paint itself, not for the animation frame before it: drawing goes on after that, and they would hold it
// up. A page in the background is not painted.

(() => {
  const MODULES = [
    'address', 'announce', 'board', 'colours', 'controls', 'copy', 'distance', 'dom',
    'game', 'gestures', 'heuristics', 'insight', 'known', 'metric', 'metricchoice', 'newboard', 'notation', 'note',
    'player', 'question', 'review', 'reviewpanel', 'reviewwords', 'score', 'server', 'solutions', 'tables', 'tabs', 'tiles', 'timeline',
    'views', 'words',
  ];
  // For browsers that do not tell of paints.
  const LATEST = 2000;
  const timer = setTimeout(load, document.hidden ? 0 : LATEST);
  const observer = new PerformanceObserver(load);
  observer.observe({ type: 'paint', buffered: true });

  function load() {
    clearTimeout(timer);
    observer.disconnect();
    for (const name of MODULES) {
      document.head.append(Object.assign(document.createElement('link'), { rel: 'modulepreload', href: `/${name}.js` }));
    }
    document.head.append(Object.assign(document.createElement('script'), { type: 'module', src: '/main.js' }));
  }
})();
