// Light or dark: as the system has it, until the reader chooses; the choice is remembered, and
// theme_first.js applies it before the page is painted.

import {icon} from './icons.js';

const system = matchMedia('(prefers-color-scheme: dark)');

function remember(theme) {
  try {
    localStorage.setItem('regard-theme', theme);
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

/** Makes the button the switch; changed() is called whenever the theme is another one. */
export function themeSwitch(button, changed) {
  const show = () => {
    const next = theme() === 'dark' ? 'light' : 'dark';
    button.setAttribute('aria-label', `Use ${next} colours`);
    button.title = `Use ${next} colours (d)`;
    button.replaceChildren(icon(next === 'light' ? 'sun' : 'moon'));
  };
  const toggle = () => {
    const next = theme() === 'dark' ? 'light' : 'dark';
    document.documentElement.dataset.theme = next;
    remember(next);
    show();
    changed();
  };
  button.addEventListener('click', toggle);
  system.addEventListener('change', () => {
    show();
    if (!document.documentElement.dataset.theme) changed();
  });
  show();
  return {toggle};
}
