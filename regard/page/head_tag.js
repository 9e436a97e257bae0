// What a head does, in a word with a small picture: its tag.

import {draw, make} from './dom.js';
import {fixed, headName, spread, tagMeaning, tagWord} from './wording.js';

/** The picture of each tag, 14 by 14. */
const pictures = new Map([
  ['diagonal', 'M2.5 2.5l9 9'],
  ['previous', 'M12 7H3M6 3.5L2.5 7 6 10.5'],
  ['next', 'M2 7h9M8 3.5L11.5 7 8 10.5'],
  ['sink', 'M11 2v10M2 3.5h5M2 7h5M2 10.5h5'],
  ['broad', 'M2 3.5h10M2 7h10M2 10.5h10'],
  ['other', 'M1.5 9.5l3-4.5 3.5 3.5 4.5-6'],
]);

/** The tag over many sentences where the model has one, else that of this sentence. */
export const tagOf = (entry) => entry.corpus_tag || entry.tag || 'other';

/** The meaning of its tag and its exact numbers, for a tooltip; breadth: of the head. */
export const explained = (entry, breadth) =>
    `${tagWord(tagOf(entry))} (${tagOf(entry)}): ${tagMeaning(tagOf(entry), entry.kind)}. ${
        lookedAt(breadth)}: 2 to the power of an entropy of ${fixed(breadth.bits, 3)} bits.`;

export function tagPill(entry) {
  const tag = tagOf(entry);
  return make(
      'span', {class: 'head-tag'},
      draw(
          'svg', {viewBox: '0 0 14 14', 'aria-hidden': 'true'},
          draw('path', {d: pictures.get(tag) || pictures.get('other')})),
      make('span', {class: 'head-tag-word'}, tagWord(tag)));
}

/** "≈ 2.6 words", of the breadth of a head. */
export const lookedAt = ({bits, unit}) => {
  const number = spread(bits);
  return `${number} ${unit}${number === '≈ 1.0' ? '' : 's'}`;
};

/**
 * What a head does, in a few sentences; its tag stands before them. late: it looks at the source of
 * the word just written.
 */
export function headSentences(entry, breadth, late = false) {
  const tag = tagOf(entry);
  const meaning = late ?
      'each row looks mostly at the source of the word just written: read it one row later' :
      tagMeaning(tag, entry.kind);
  const known = Number.isFinite(breadth.bits) ?
      ` On average a query looks at about ${lookedAt(breadth).replace('≈ ', '')} here.` :
      '';
  const here = entry.corpus_tag && entry.tag && entry.corpus_tag !== entry.tag ?
      ` In this sentence alone it would be called ${tagWord(entry.tag)}.` :
      '';
  const does = meaning ? `${meaning[0].toUpperCase()}${meaning.slice(1)}.` : '';
  return `${does}${known}${here}`.trim();
}

/** A head for those who listen. */
export const spokenHead = (entry, breadth) => `${headName(entry)}, ${tagWord(tagOf(entry))}, ${
    lookedAt(breadth).replace('≈', 'about')}, entropy ${fixed(breadth.bits, 2)} bits`;
