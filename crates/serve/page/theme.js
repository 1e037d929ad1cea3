// Light or dark: the system's choice until the visitor makes one. Not a module, so that it runs before the first paint.

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
