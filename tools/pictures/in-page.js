// Runs in the browser, beside Mermaid, which `draw.ts` loads before it.

const SHAPES = ['rect', 'path', 'line', 'circle', 'polygon'];
const PLACE = /^(x|y|x1|y1|x2|y2|dx|dy|cx|cy|r|rx|ry|d|points|width|height|transform|marker-end)$/;
const OF_MARKER = /^(id|viewBox|refX|refY|markerUnits|markerWidth|markerHeight|orient)$/;
const NOT_SHOWN = 'style, title, desc, symbol, filter, linearGradient';

/**
 * Draws a text of Mermaid, whose stylesheet has hundreds of rules. Returns the SVG with a class for
 * each look that its elements have in the end, and without what they do not use.
 */
globalThis.drawPicture = async (settings, text) => {
  globalThis.mermaid.initialize(settings);
  document.body.innerHTML = (await globalThis.mermaid.render('picture', text)).svg;
  const svg = document.querySelector('svg');
  const [title, description] = ['title', 'desc'].map((name) => svg.querySelector(name)?.textContent ?? '');
  nameMarkers(svg);
  joinWords(svg);
  const looks = new Map([...svg.querySelectorAll('*')].map((element) => [element, lookOf(element)]));
  for (const element of svg.querySelectorAll(NOT_SHOWN)) element.remove();
  const names = new Map();
  for (const element of svg.querySelectorAll('*')) {
    for (const { name, value } of [...element.attributes]) {
      if (PLACE.test(name) || (element.localName === 'marker' && OF_MARKER.test(name))) {
        element.setAttribute(name, value.replaceAll(/-?\d+\.\d{2,}/g, rounded));
      } else element.removeAttribute(name);
    }
    const look = looks.get(element);
    if (look === '' || look === looks.get(element.parentNode)) continue;
    if (!names.has(look)) names.set(look, `s${names.size}`);
    element.setAttribute('class', names.get(look));
  }
  removeEmpty(svg);
  const css = [...names].map(([look, name]) => `.${name}{${look}}`).join('\n');
  const box = svg.getAttribute('viewBox').split(' ').map(Number).map(Math.round);
  return { title, description, css, box, content: svg.innerHTML };
};

const rounded = (digits) => String(Number(Number(digits).toFixed(1)));

/** Makes each line of a text one element: Mermaid has one for each word. */
function joinWords(svg) {
  for (const line of svg.querySelectorAll('tspan:has(> tspan)')) line.textContent = line.textContent.trim();
}

/** Removes the markers that no line ends with, and numbers the others. */
function nameMarkers(svg) {
  let count = 0;
  for (const marker of svg.querySelectorAll('marker')) {
    const lines = svg.querySelectorAll(`[marker-end="url(#${marker.id})"]`);
    if (lines.length === 0) marker.remove();
    else marker.id = `m${count++}`;
    for (const line of lines) line.setAttribute('marker-end', `url(#${marker.id})`);
  }
}

/** Returns the rules of an element's look, and nothing for a group. */
function lookOf(element) {
  const style = getComputedStyle(element);
  const rules = (names) => names.map((name) => `${name}:${style.getPropertyValue(name)}`).join(';');
  if (['text', 'tspan'].includes(element.localName)) {
    if (![...element.childNodes].some(({ nodeName }) => nodeName === '#text')) return '';
    const outline = style.stroke === 'none' ? [] : ['stroke', 'stroke-width', 'paint-order'];
    return rules(['fill', 'font-size', 'font-weight', 'text-anchor', 'dominant-baseline', ...outline]);
  }
  if (!SHAPES.includes(element.localName)) return '';
  const fill = element.localName === 'line' ? [] : ['fill'];
  return rules(style.stroke === 'none' ? fill : [...fill, 'stroke', 'stroke-width', 'stroke-dasharray']);
}

/** Removes groups and texts without content, and the boxes of labels that are not there. */
function removeEmpty(svg) {
  const all = [...svg.querySelectorAll('g, text, tspan, defs, rect:not([width]), path:not([d])')].reverse();
  for (const element of all) if (element.children.length === 0 && element.textContent.trim() === '') element.remove();
}
