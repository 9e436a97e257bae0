// Light or dark: as the system has it, until the reader chooses; the choice is remembered.

import {draw} from './dom.js';

const place = 'regard-theme';
const system = matchMedia('(prefers-color-scheme: dark)');

function remembered() {
  try {
    return localStorage.getItem(place);
  } catch {
    return null;  // a browser that keeps nothing
  }
}

function remember(theme) {
  try {
    localStorage.setItem(place, theme);
  } catch {
    // It then lasts until the page is loaded again.
  }
}

/** 'light' or 'dark', as the page is drawn now. */
export const theme = () =>
    document.documentElement.dataset.theme || (system.matches ? 'dark' : 'light');

let redraw = () => {};

/** Says how what is shown is drawn again in other colours, at once. */
export function redrawnBy(draw) { redraw = draw; }

/** Draws with a theme for as long as `work` runs: figures that are saved are light. */
export function withTheme(name, work) {
  const {dataset} = document.documentElement;
  const before = dataset.theme;
  dataset.theme = name;
  try {
    redraw();
    return work();
  } finally {
    if (before === undefined)
      delete dataset.theme;
    else
      dataset.theme = before;
    redraw();
  }
}

const sun = 'M12 3v2M12 19v2M3 12h2M19 12h2M5.6 5.6l1.4 1.400M17 17l1.4 1.400M5.6 18.400l1.4-1.400M17 7l1.4-1.400M16 12a4 4 0 1 1-8 0 4 4 0 0 1 8 0z';
const moon = 'M20 14.500A8 8 0 0 1 9.5 4a8 8 0 1 0 10.5 10.500z';

/** Makes the button the switch; changed() is called whenever the theme is another one. */
export function themeSwitch(button, changed) {
  const show = () => {
    const next = theme() === 'dark' ? 'light' : 'dark';
    button.setAttribute('aria-label', `Use ${next} colours`);
    button.title = `Use ${next} colours (d)`;
    button.replaceChildren(
        draw('svg', {viewBox: '0 0 24 24', 'aria-hidden': 'true'}, draw('path', {d: next === 'light' ? sun : moon})));
  };
  const toggle = () => {
    const next = theme() === 'dark' ? 'light' : 'dark';
    document.documentElement.dataset.theme = next;
    remember(next);
    show();
    changed();
  };
  const chosen = remembered();
  if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset.theme = chosen;
  button.addEventListener('click', toggle);
  system.addEventListener('change', () => {
    show();
    if (!document.documentElement.dataset.theme) changed();
  });
  show();
  return {toggle};
}
