// Phrases of the story: names of tokens, lists, and what a row of weights says.

import {order} from './story_data.js';
import {count, percent, quoted as inQuotes, several, spread} from './wording.js';

export const term = (text) => ({term: text});
export const view = (name, text) => ({view: name, text});
const small = [
  'no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', 'eleven',
  'twelve'
];
export const spelled = (value) => small[value] || count(value);
export const capital = (text) => text[0].toUpperCase() + text.slice(1);
export const headOf = ({entry, heads}) => `Layer 1, head ${entry.head + 1} of ${heads.length}`;

/** "1", "1 and 2", "1, 2 and 3". */
export const listed = (parts) =>
    parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`;

/** A token by name; what is no word stands without quotes. */
export const quoted = (label) => /^⟨.*⟩$/.test(label) ? label : inQuotes(label);

/** A token by name, or "itself" if it is the chosen one. */
export const other = (facts, i) => i === facts.chosen ? 'itself' : quoted(facts.names[i]);

/** The first word that was cut into pieces of letters, as its pieces; null: none was. */
export function cutWord({tokens, names}) {
  const lettered = (i) => /[\p{L}\p{N}]/u.test(names[i]);
  for (let i = 1; i < tokens.length; ++i)
    if (names[i].startsWith('·') && tokens[i].word === tokens[i - 1].word && lettered(i - 1)) {
      const whole =
          tokens.map((_, j) => j).filter((j) => tokens[j].word === tokens[i].word && lettered(j));
      return whole.map((j) => names[j].replace(/^·/, ''));
    }
  return null;
}

/** How many tokens a row of weights is spread over: 2^entropy. */
export const reach = (weights) =>
    spread(-weights.reduce((sum, share) => sum + (share > 0 ? share * Math.log2(share) : 0), 0));

/** What the window of the layer leaves to the chosen token; nothing where it sees all. */
export const windowed = ({seen, tokens, spec}) => seen === tokens.length ?
    '' :
    `A token sees those at most ${several(spec.window, 'token')} away, here ${
        spelled(seen)} with itself; the others are hidden and have no score.`;

/** Where the weights of a row go, in a sentence or two. */
export function strongest(facts, weights) {
  const [first, second] = order(weights);
  const most =
      `${quoted(facts.name)} attends most to ${other(facts, first)}, ${percent(weights[first])}`;
  if (second === undefined) return `${most}.`;
  if (weights[second] < 0.005) return `${most}: nearly all.`;
  return first === facts.chosen ?
      `${most}, and of the others most to ${quoted(facts.names[second])}, ${
          percent(weights[second])}.` :
      `${most}, then to ${other(facts, second)}, ${percent(weights[second])}.`;
}

/** Which token has most weight in which heads. */
export function headsSentence(facts) {
  const found = new Map();  // token -> heads that give it most weight
  facts.headRows.forEach((row, head) => {
    const [best] = order(row);
    found.set(best, [...(found.get(best) || []), head + 1]);
  });
  const [only] = found.keys();
  if (found.size === 1)
    return `For ${quoted(facts.name)} all of them give most weight to ${other(facts, only)}.`;
  const parts = [...found].slice(0, 4).map(
      ([i, heads]) => `to ${other(facts, i)} in head${heads.length > 1 ? 's' : ''} ${
          listed(heads.map(String))}`);
  return `${quoted(facts.name)} attends most ${listed(parts)}.`;
}
