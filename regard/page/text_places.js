// Places in a text. The server counts bytes; the page counts what strings count.

const encoder = new TextEncoder();

/** The place in a string that a byte of its UTF-8 has. */
function placesOfBytes(text, bytes) {
  const result = new Map();
  let at = 0;
  let index = 0;
  for (const letter of text) {
    result.set(at, index);
    at += encoder.encode(letter).length;
    index += letter.length;
  }
  result.set(at, index);
  return bytes.map((byte) => result.get(byte) ?? text.length);
}

/** Ranges of bytes {start, end, ...} as ranges of the string. */
export function inCharacters(text, ranges) {
  const places = placesOfBytes(text, ranges.flatMap(({start, end}) => [start, end]));
  return ranges.map((range, i) => ({...range, start: places[2 * i], end: places[2 * i + 1]}));
}

/** Where words that follow each other lie in [start, end) of a text; null for one that is not there. */
export function placesOfWords(text, words, start = 0, end = text.length) {
  let from = start;
  return words.map((word) => {
    const at = word ? text.indexOf(word, from) : -1;
    if (at < 0 || at + word.length > end) return null;
    from = at + word.length;
    return {start: at, end: from};
  });
}

/**
 * The unknown parts as they lie in this text: a saved page holds the text normalised, so that
 * places may differ.
 */
export function placesOfUnknown(text, unknown) {
  const placed = inCharacters(text, unknown);
  if (placed.every(({text: own, start, end}) => text.slice(start, end) === own)) return placed;
  const found = placesOfWords(text, unknown.map((each) => each.text));
  return unknown.map((each, i) => ({...each, ...found[i]})).filter((_, i) => found[i]);
}

/** How many letters two texts have in common at their beginning. */
export function commonStart(one, other) {
  let at = 0;
  while (at < one.length && at < other.length && one[at] === other[at]) ++at;
  return at;
}
