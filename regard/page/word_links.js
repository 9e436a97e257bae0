// Two lists of words joined by weights: {upper, lower, weights [lower, upper], least}. Side 0 is
// the upper one.

import {attends, percent, quoted} from './wording.js';

const weightOf = ({weights}, side, index, partner) =>
    side === 1 ? weights.at(index, partner) : weights.at(partner, index);

/** What a word is joined with, strongest first. */
export function partnersOf(data, side, index) {
  const weight = (i) => weightOf(data, side, index, i);
  const others = side === 1 ? data.upper : data.lower;
  return others.map((_, i) => i)
      .filter((i) => weight(i) >= data.least)
      .sort((a, b) => weight(b) - weight(a));
}

/** The same in words. */
export function linkSentence(data, side, index) {
  const {upper, lower, least} = data;
  const word = [upper, lower][side][index];
  const partners = partnersOf(data, side, index);
  if (partners.length === 0) return `${quoted(word)}: no link above ${percent(least)}`;
  const link = (i) => side === 1 ? attends(word, upper[i], weightOf(data, 1, index, i)) :
                                   attends(lower[i], word, weightOf(data, 0, index, i));
  return partners.slice(0, 3).map(link).join(', ');
}
