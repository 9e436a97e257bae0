// Words joined by ribbons, as buttons: one that is pointed at or focused is lit with its partners.

import {make, roving, say} from './dom.js';
import {linkSentence, partnersOf} from './word_links.js';

/**
 * neighbours(): the words that arrows walk, this one at `index`; look(aloud) and leave(): it is
 * looked at, or no longer; picked(word): it was clicked; more: what stands under it.
 */
export function linkedWord(text, {neighbours, index, look, leave, picked}, ...more) {
  return make(
      'button', {
        type: 'button',
        class: 'word',
        tabindex: index === 0 ? '0' : '-1',
        on: {
          pointerenter: () => look(false),
          pointerleave: leave,
          focus: () => look(true),
          blur: leave,
          click: (event) => picked(event.currentTarget),
          keydown: (event) => {
            const {direction} = getComputedStyle(event.currentTarget.parentElement);
            if (roving(neighbours(), index, event.key, direction === 'rtl') >= 0)
              event.preventDefault();
          },
        },
      },
      make('span', {class: 'word-text'}, text), ...more);
}

/**
 * Lights a word of data {upper, lower, weights, least} and all that it is joined with; no side:
 * none is lit. words: the buttons of both sides.
 */
export function lightWords(data, words, side, index, aloud) {
  words.flat().forEach((word) => word.classList.remove('lit', 'partner'));
  if (side === undefined) return;
  words[side][index]?.classList.add('lit');
  partnersOf(data, side, index).forEach((i) => words[1 - side][i].classList.add('partner'));
  if (aloud) say(linkSentence(data, side, index));
}
