// Elements, and the voice of the page. Text enters the document only as text nodes, so whatever a
// sentence or a model says stays text.

const svgSpace = 'http://www.w3.org/2000/svg';

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (name === 'on') {
      for (const [event, listener] of Object.entries(value))
        element.addEventListener(event, listener);
    } else if (name === 'style') {
      // Through the object model: a style attribute would need an exception from the page's policy.
      for (const [property, setting] of Object.entries(value))
        element.style.setProperty(property, setting);
    } else if (
        name === 'value' || name === 'checked' || name === 'disabled' || name === 'readOnly') {
      element[name] = value;
    } else {
      element.setAttribute(name, value === true ? '' : String(value));
    }
  }
  element.append(
      ...children.filter((child) => child !== undefined && child !== null && child !== false));
  return element;
}

/**
 * An HTML element: attributes, {on: listeners}, {style: properties}; children are elements or
 * text.
 */
export function make(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

/** The same for SVG. */
export function draw(tag, attributes = {}, ...children) {
  return fill(document.createElementNS(svgSpace, tag), attributes, children);
}

/** Replaces what an element holds; what is null is left out, and the focus stays on its control. */
export function put(holder, ...children) {
  const controls = () => [...holder.querySelectorAll('button, input, select')];
  const focused = controls().indexOf(document.activeElement);
  holder.replaceChildren(...children.filter((child) => child !== null && child !== undefined));
  if (focused >= 0) controls()[focused]?.focus();
}

/** A label around a control. */
export function labelled(text, control) {
  return make('label', {class: 'field'}, make('span', {class: 'field-name'}, text), control);
}

/** A check box with its label. */
export function tick(text, checked, change) {
  const box = make('input', {type: 'checkbox', checked, on: {change: () => change(box.checked)}});
  return make('label', {class: 'tick'}, box, make('span', {}, text));
}

/** A menu of [value, text] pairs. */
export function choice(pairs, value, change, label) {
  const options = pairs.map(([key, text]) => make('option', {value: String(key)}, text));
  const menu =
      make('select', {'aria-label': label, on: {change: () => change(menu.value)}}, ...options);
  menu.value = String(value);
  return menu;
}

/** A slider: change(number) on each move. */
export function slider({low, high, step = 1, value, change, label}) {
  const range = make('input', {
    type: 'range',
    min: low,
    max: high,
    step,
    'aria-label': label,
    on: {input: () => change(Number(range.value))},
  });
  range.value = String(value);
  return range;
}

/** One of a few, as a row of toggle buttons: pairs of [value, text]. */
export function segments(pairs, value, change, label) {
  const buttons = pairs.map(
      ([key, text]) => make(
          'button',
          {type: 'button', 'aria-pressed': String(key === value), on: {click: () => change(key)}},
          text));
  return make('div', {class: 'segments', role: 'group', 'aria-label': label}, ...buttons);
}

const pen = document.createElement('canvas').getContext('2d');

const widths = new Map();  // figures ask for the same words again and again
const mostWidths = 20000;

/** How wide a text is in a font, in pixels. */
export function textWidth(text, font) {
  const name = `${font} ${text}`;
  if (!widths.has(name)) {
    if (widths.size >= mostWidths) widths.clear();
    pen.font = font;
    widths.set(name, pen.measureText(text).width);
  }
  return widths.get(name);
}

let family = '';  // asking for it makes a browser compute styles

/** The page's own font at a size, for textWidth. */
export function pageFont(size, weight = 400) {
  family ||= getComputedStyle(document.documentElement).fontFamily;
  return `${weight} ${size}px ${family}`;
}

/**
 * Draws an element again whenever it has another width. Returns a function that draws it now, if it
 * is on the page: a picture is laid out by the room it has.
 */
export function drawnToWidth(element, layout) {
  let width = 0;
  const draw = () => {
    width = element.clientWidth;
    layout();
  };
  // One that has left the page has no width, and what it showed may be gone.
  const drawn = () => element.isConnected && draw();
  new ResizeObserver(() => element.clientWidth !== width && drawn()).observe(element);
  return drawn;
}

/** Says a sentence to those who listen instead of look. */
export function say(text) {
  const spoken = document.getElementById('spoken');
  if (spoken.textContent !== text) spoken.textContent = text;
}

/**
 * Moves the one tab stop of a list with the arrow keys, as in a toolbar. The new item is focused.
 */
export function roving(items, index, key, rightToLeft = false) {
  const ahead = rightToLeft ? 'ArrowLeft' : 'ArrowRight';
  const back = rightToLeft ? 'ArrowRight' : 'ArrowLeft';
  let next = index;
  if (key === ahead || key === 'ArrowDown')
    next = Math.min(items.length - 1, index + 1);
  else if (key === back || key === 'ArrowUp')
    next = Math.max(0, index - 1);
  else if (key === 'Home')
    next = 0;
  else if (key === 'End')
    next = items.length - 1;
  else
    return -1;
  items.forEach((item, i) => item.setAttribute('tabindex', i === next ? '0' : '-1'));
  items[next].focus();
  return next;
}
