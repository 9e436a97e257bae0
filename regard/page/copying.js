// Icons, and buttons that copy.

import {draw, make, say} from './dom.js';

const paths = {
  swap: 'M4 8.500h15M15 4.500l4 4-4 4M20 15.500H5M9 11.500l-4 4 4 4',
  copy: 'M9 9h10v10H9zM15 9V5H5v10h4',
  link: 'M10 14a4 4 0 0 0 5.700 0l3-3a4 4 0 0 0-5.700-5.700l-1.200 1.200M14 10a4 4 0 0 0-5.700 0l-3 3a4 4 0 0 0 5.700 5.700l1.200-1.200',
  clear: 'M6 6l12 12M18 6L6 18',
  edit: 'M4 20l1-4L16 5l3 3L8 19zM14 7l3 3',
  tune: 'M4 7h9M17 7h3M4 17h3M11 17h9M15 4.500v5M9 14.500v5',
  next: 'M5 12h14M13 6l6 6-6 6',
  check: 'M5 12.500l4.500 4.500L19 7.500',
};

export const icon = (name) => draw(
    'svg', {viewBox: '0 0 24 24', 'aria-hidden': 'true', class: 'glyph'},
    draw('path', {d: paths[name]}));

/** Without a secure address a page has no clipboard; an old command still copies. */
async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const before = document.activeElement;
    const holder = make('textarea', {class: 'unseen', value: text});
    document.body.append(holder);
    holder.select();
    const done = document.execCommand('copy');
    holder.remove();
    before?.focus();
    if (!done) throw new Error('The browser does not allow to copy.');
  }
}

const shownFor = 1500;

/** A button that copies what text() gives, and says so for a moment. */
export function copyButton({name, label, glyph, text}) {
  const word = make('span', {class: 'copy-word'}, name);
  const show = (now, shape) => {
    word.textContent = now;
    button.querySelector('svg').replaceWith(icon(shape));
  };
  let timer = 0;
  const click = async () => {
    try {
      await copy(text());
      show('Copied', 'check');
      say('Copied');
    } catch (error) {
      say(error.message);
    }
    clearTimeout(timer);
    timer = setTimeout(() => show(name, glyph), shownFor);
  };
  const button = make(
      'button',
      {type: 'button', class: 'ghost', title: label, 'aria-label': label, on: {click}}, icon(glyph),
      word);
  return button;
}
