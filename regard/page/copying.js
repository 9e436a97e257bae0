// Buttons that copy.

import {make, say} from './dom.js';
import {icon} from './icons.js';

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
