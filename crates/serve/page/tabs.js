// Tabs, as the ARIA practices describe them: one is in the tab order, arrow keys go between them.

/** Wires the tabs of a list; `onOpen` gets the id of the panel that is shown. Gives back a way to open one by the id of its tab. */
export function wireTabs(list, onOpen) {
  const tabs = [...list.querySelectorAll('[role="tab"]')];
  const open = (tab) => {
    for (const each of tabs) {
      const isOpen = each === tab;
      each.setAttribute('aria-selected', String(isOpen));
      each.tabIndex = isOpen ? 0 : -1;
      document.getElementById(each.getAttribute('aria-controls')).hidden = !isOpen;
    }
    onOpen(tab.getAttribute('aria-controls'));
  };
  tabs.forEach((tab, index) => {
    tab.addEventListener('click', () => open(tab));
    tab.addEventListener('keydown', (event) => {
      const target = { ArrowRight: index + 1, ArrowLeft: index - 1, Home: 0, End: tabs.length - 1 }[event.key];
      if (target === undefined) return;
      event.preventDefault();
      const next = tabs[(target + tabs.length) % tabs.length];
      next.focus();
      open(next);
    });
  });
  return (id) => open(tabs.find((tab) => tab.id === id));
}
