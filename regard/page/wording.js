// Numbers and pictures in words.

const whole = new Intl.NumberFormat('en');

export const count = (number) => whole.format(number);
/** In whole percent, spoken: "94", "< 1"; what is not 0 is not called 0. */
const inPercent = (share) => share > 0 && share < 0.01 ? '< 1' : String(Math.round(share * 100));
export const percent = (share) => `${inPercent(share)} %`;
/** With a digit after the point. */
export const finePercent = (share) =>
    share > 0 && share < 0.001 ? '< 0.1 %' : `${(share * 100).toFixed(1)} %`;
export const weight = (value) => value.toFixed(3);
export const unsure = 0.5;  // words below this probability are marked

/** 1164288 -> "1.16 M". */
export function short(number) {
  if (number >= 1e6) return `${(number / 1e6).toPrecision(3)} M`;
  return number >= 1e4 ? `${(number / 1e3).toPrecision(3)} k` : count(number);
}

/** A number of any size in few characters. */
export function brief(number) {
  if (number === 0) return '0';
  const size = Math.abs(number);
  return size >= 1e5 || size < 1e-3 ? number.toExponential(1) :
                                      String(Number(number.toPrecision(3)));
}

const raised = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];

/** "2.4 × 10⁻¹⁸". */
export function scientific(number, places = 1) {
  const [front, power] = number.toExponential(places).split('e');
  const digits = [...power.replace('+', '')].map((each) => raised[each] || '⁻');
  return `${front} × 10${digits.join('')}`;
}

/** Entropy in bits as a number of things looked at: "≈ 2.6". */
export function spread(bits) {
  const things = 2 ** bits;
  return Number.isFinite(things) ? `≈ ${things < 9.95 ? things.toFixed(1) : Math.round(things)}` :
                                   '–';
}

export const headName = (entry) => `Layer ${entry.layer + 1}, head ${entry.head + 1}`;

/** "1 head", "4 heads". */
export const several = (number, name, plural = `${name}s`) =>
    `${count(number)} ${number === 1 ? name : plural}`;

/** Digits after the point; what is no number, or the logarithm of 0, by its sign. */
export function fixed(number, digits) {
  if (Number.isFinite(number)) return number.toFixed(digits);
  return Number.isNaN(number) ? '–' : number < 0 ? '−∞' : '∞';
}

/**
 * What stands on the two sides of a head's picture; unit: "word" or "token". A row belongs to what
 * is generated, not to what was read last.
 */
export function axisNames(kind, unit) {
  return {
    encoder: {rows: `source ${unit} (query)`, columns: `source ${unit} (key)`},
    decoder: {rows: `target ${unit} (query)`, columns: `earlier ${unit} (key)`},
    cross: {rows: `target ${unit} (query)`, columns: `source ${unit} (key)`},
  }[kind];
}

/** With a minus sign, which is as wide as a plus. */
export const minus = (text) => text.replace(/^-/, '−');

export const quoted = (token) => `“${token}”`;

/** “man” attends to “Mann”, 94 percent. */
export const attends = (query, key, share) =>
    `${quoted(query)} attends to ${quoted(key)}, ${inPercent(share)} percent`;

// A row belongs to the token generated; what the decoder read last is the token before that.
const ownMeanings = {
  encoder: {diagonal: 'each token looks mostly at itself'},
  decoder: {
    diagonal: 'each token looks mostly at the one read last, just before it',
    previous: 'each token looks mostly two places back, at the one before the one read last',
  },
  cross: {diagonal: 'the source is looked through from begin to end, in order'},
};
const meanings = {
  previous: 'each token looks mostly at the one before',
  next: 'each token looks mostly at the one after',
  sink: 'most weight rests on one token, often the end: the head has little to say here',
  broad: 'weight is spread over many tokens',
  other: 'no simple pattern',
};

const tagWords = {
  previous: 'one back',
  next: 'one ahead',
  sink: 'parked',
  other: 'mixed',
};
/** What a reader calls a tag; files, tables and the command line have the tag itself. */
export const tagWord = (tag) => tagWords[tag] || tag;
export const tagMeaning = (tag, kind) => ownMeanings[kind]?.[tag] || meanings[tag] || '';
