// Words that a model of subwords reads in pieces, as it does those that it has rarely seen.

import {withoutMark} from './token_names.js';

// Numbers are cut as a rule, and where no spaces stand between words, a run is no word.
const letters = /^[\p{L}\p{M}]+$/u;
const unspaced =
    /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u;
const fewWords = 5;  // up to which all may be marked

/** Runs of letters within a word that are more than one piece: [{word, pieces}]. */
function runs(tokens) {
  const all = [];
  let open = null;
  for (const {text, word} of tokens) {
    const piece = withoutMark(text);
    const whole = word >= 0 && letters.test(piece) && !unspaced.test(piece);
    if (whole && open?.word === word)
      open.pieces.push(piece);
    else if (whole)
      all.push(open = {word, pieces: [piece]});
    else
      open = null;
  }
  return all.filter(({pieces}) => pieces.length > 1);
}

/**
 * Where words were cut: [{start, end, text, pieces}] of a text. words: its words by place, {start,
 * end, index}. Of a vocabulary that cuts most words, none: there a cut says nothing of a word.
 */
export function cutWords(text, words, tokens) {
  const found = runs(tokens);
  if (words.length > fewWords && new Set(found.map(({word}) => word)).size > words.length / 2)
    return [];
  const from = new Map();  // the place within a word behind its last run
  return found.flatMap(({word, pieces}) => {
    const place = words.find(({index}) => index === word);
    const start = place ? text.indexOf(pieces.join(''), from.get(word) ?? place.start) : -1;
    const end = start + pieces.join('').length;
    if (start < 0 || end > place.end) return [];
    from.set(word, end);
    return [{start, end, text: pieces.join(''), pieces}];
  });
}

/** "read as wom + bat". */
export const readAs = ({pieces}) => `read as ${pieces.join(' + ')}`;
