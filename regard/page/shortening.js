// Texts that are too long for their place end in an ellipsis.

import {textWidth} from './dom.js';

/** As much of a text as is no wider than the room, in pixels. */
export function fitted(text, room, font) {
  if (textWidth(text, font) <= room) return text;
  const letters = [...text];
  while (letters.length > 1 && textWidth(`${letters.join('').trimEnd()}…`, font) > room)
    letters.pop();
  return `${letters.join('').trimEnd()}…`;
}

/** The same, cut between words where that leaves more than half of it. */
export function fittedWords(text, room, font) {
  const shown = fitted(text, room, font);
  const whole = shown.lastIndexOf(' ');
  return shown !== text && whole > shown.length / 2 ? `${shown.slice(0, whole)} …` : shown;
}

/** The end of a text, from a word on. */
export const lastWords = (text, most) =>
    text.length > most ? `… ${text.slice(10 - most).replace(/^\S*\s/, '')}` : text;

/** At most so many letters of a text. */
export function shortened(text, most) {
  const letters = [...text];
  return letters.length > most ? `${letters.slice(0, most - 1).join('').trimEnd()}…` : text;
}
