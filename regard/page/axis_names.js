// The words along the sides of a picture of weights: each where it fits, else every n-th.

import {make, textWidth} from './dom.js';

/** How columns lean where their names are wider than they are; the same in the style sheets. */
export const lean = 52 * Math.PI / 180;
const longest = 120;  // a longer name ends in dots

export const widest = (labels, font) =>
    Math.min(longest, labels.reduce((most, label) => Math.max(most, textWidth(label, font)), 0));

/** How many cells a name takes up, so that no name runs into the next. */
export const rowStep = (cell) => Math.max(1, Math.ceil(13 / cell));
export const columnStep = (cell) => Math.max(1, Math.ceil(14 / cell));

/** How far leaning names reach past the last column. */
export const past = (labels, font, cell) => Math.ceil(labels.reduce(
    (most, label, i) => Math.max(
        most,
        Math.min(longest, textWidth(label, font)) * Math.cos(lean) + 8 -
            (labels.length - i - 0.5) * cell),
    2));

/** How far leaning names reach down (or up) and to the side. */
export const leaning = (width) =>
    ({height: Math.ceil(width * Math.sin(lean) + 16), side: Math.ceil(width * Math.cos(lean) + 4)});

/** One span for each name, or for every n-th. */
export const nameSpans = (labels, step) =>
    labels.filter((_, i) => i % step === 0)
        .map((text) => make('span', {dir: 'auto', title: text.length > 12 ? text : null}, text));

/** Leaning spans, each at the middle of its column. */
export function leaningSpans(labels, step, cell) {
  const spans = nameSpans(labels, step);
  spans.forEach((span, i) => {
    span.style.setProperty('--middle', `${(i * step + 0.5) * cell}px`);
  });
  return spans;
}
