// What a head does, in a word with a small picture: its tag.

import {draw, make} from './dom.js';
import {fixed, headName, spread, tagMeaning} from './wording.js';

/** name: what readers see; path: the picture, 14 by 14. */
const tags = new Map([
  ['diagonal', {name: 'diagonal', path: 'M2.5 2.5l9 9'}],
  ['previous', {name: 'one back', path: 'M12 7H3M6 3.5L2.5 7 6 10.5'}],
  ['next', {name: 'one ahead', path: 'M2 7h9M8 3.5L11.5 7 8 10.5'}],
  ['sink', {name: 'parked', path: 'M11 2v10M2 3.5h5M2 7h5M2 10.5h5'}],
  ['broad', {name: 'broad', path: 'M2 3.5h10M2 7h10M2 10.5h10'}],
  ['other', {name: 'mixed', path: 'M1.5 9.5l3-4.5 3.5 3.5 4.5-6'}],
]);

/** The tag over many sentences where the model has one, else that of this sentence. */
export const tagOf = (entry) => entry.corpus_tag || entry.tag || 'other';
export const tagName = (tag) => tags.get(tag)?.name || tag;

/** Its exact numbers and the meaning of its tag, for a tooltip. */
export const explained = (entry) => `${tagName(tagOf(entry))}: ${
    tagMeaning(tagOf(entry), entry.kind)}. Entropy ${fixed(entry.entropy, 3)} bits.`;

export function tagPill(entry) {
  const tag = tagOf(entry);
  return make(
      'span', {class: 'head-tag'},
      draw(
          'svg', {viewBox: '0 0 14 14', 'aria-hidden': 'true'},
          draw('path', {d: (tags.get(tag) || tags.get('other')).path})),
      make('span', {class: 'head-tag-word'}, tagName(tag)));
}

/** "≈ 2.6 words" */
export const lookedAt = (entry, unit) => {
  const number = spread(entry.entropy);
  return `${number} ${unit}${number === '≈ 1.0' ? '' : 's'}`;
};

/** What a head does, in two sentences; its tag stands before them. */
export function headSentences(entry, unit) {
  const tag = tagOf(entry);
  const meaning = tagMeaning(tag, entry.kind);
  const known = Number.isFinite(entry.entropy) ?
      ` On average a query looks at about ${lookedAt(entry, unit).replace('≈ ', '')} here.` :
      '';
  const here = entry.corpus_tag && entry.tag && entry.corpus_tag !== entry.tag ?
      ` In this sentence alone it would be called ${tagName(entry.tag)}.` :
      '';
  const does = meaning ? `${meaning[0].toUpperCase()}${meaning.slice(1)}.` : '';
  return `${does}${known}${here}`.trim();
}

/** A head for those who listen. */
export const spokenHead = (entry, unit) => `${headName(entry)}, ${tagName(tagOf(entry))}, ${
    lookedAt(entry, unit).replace('≈', 'about')}, entropy ${fixed(entry.entropy, 2)} bits`;
