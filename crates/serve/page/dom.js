// Elements from script: text is always set as text, never as markup.

const SVG = 'http://www.w3.org/2000/svg';

/** The element of an id; the page is ours, so a missing one is a mistake. */
export function byId(id) {
  const element = document.getElementById(id);
  if (!element) throw new Error(`the page has no element with the id ${id}`);
  return element;
}

/** Makes an element with attributes (`text` its text, `on…` its listeners) and children. */
export function make(name, attributes = {}, ...children) {
  return fill(document.createElement(name), attributes, children);
}

/** The same for the elements of a picture. */
export function makeSvg(name, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, name), attributes, children);
}

function fill(element, attributes, children) {
  for (const [key, value] of Object.entries(attributes)) {
    if (key === 'text') element.textContent = value;
    else if (key.startsWith('on')) element.addEventListener(key.slice(2), value);
    else if (value === true) element.setAttribute(key, '');
    else if (value !== false && value != null) element.setAttribute(key, value);
  }
  element.append(...children);
  return element;
}

/** One of the page's icons, which stand in its first lines. */
export function icon(name) {
  return makeSvg('svg', { class: 'icon', 'aria-hidden': 'true' }, makeSvg('use', { href: `#icon-${name}` }));
}

/** Sets an element's text only when it changes, so that nothing is announced or laid out twice. */
export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}
