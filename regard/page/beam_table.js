// What the search finished, as a table: only words that differ from the winner are marked, and
// score is explained against probability.

import {placesInCommon} from './common_words.js';
import {make} from './dom.js';
import {count, finePercent, fixed, minus, scientific, several} from './wording.js';

/** A probability of any size: "17.5 %", "2.4 × 10⁻¹⁸". */
export const wholePercent = (probability) =>
    probability >= 0.001 || probability === 0 ? finePercent(probability) : scientific(probability);

/**
 * The words of a hypothesis; those the winner does not have are marked, those it alone has struck.
 */
function marked(words, winner) {
  const [texts, base] = [words, winner].map((list) => list.map((word) => word.text));
  const places = placesInCommon(base, texts);
  const parts = [];
  let next = 0;         // of the winner
  let marking = false;  // a word was marked since the last one in common
  const strike = (until) => {
    if (!marking && until > next)
      parts.push(make('del', {}, base.slice(next, until).join(' ')), ' ');
    next = until;
    marking = false;
  };
  texts.forEach((text, i) => {
    if (places[i] < 0) {
      marking = true;
      parts.push(make('mark', {}, text), ' ');
    } else {
      strike(places[i]);
      next = places[i] + 1;
      parts.push(text + ' ');
    }
  });
  strike(base.length);
  if (words !== winner && parts.every((part) => typeof part === 'string'))
    parts.push(make('span', {class: 'hint'}, '(the same words, in other tokens)'));
  return parts;
}

/**
 * The penalty of length that all scores follow, or null: log-probability / ((5 + n) / 6)^penalty.
 */
function lengthPenalty(hypotheses) {
  const usable = hypotheses.filter(
      ({node, length}) => Number.isFinite(node.logprob) && node.logprob < 0 && length > 1);
  if (usable.length === 0) return null;
  const factor = ({length}) => (5 + length) / 6;
  const [{node}] = usable;
  const penalty = Math.log(node.logprob / node.score) / Math.log(factor(usable[0]));
  const follows = (each) => Math.abs(each.node.logprob / factor(each) ** penalty - each.score) <
      1e-3 * Math.abs(each.score) + 1e-6;
  return usable.every(follows) ? Math.round(penalty * 1000) / 1000 + 0 : null;
}

const number = (value, places = 2) => minus(fixed(value, places));

const power = (penalty) => penalty === 1 ? '' : ` ^ ${penalty}`;
const unbroken = (formula) => formula.replaceAll(' ', '\u00a0');

/** The score of one hypothesis with its own numbers. */
const worked = ({node, length, score}, penalty) =>
    unbroken(`${number(node.logprob)} ÷ ((5 + ${length}) ÷ 6)${power(penalty)} = ${number(score)}`);

/** Why the order is by score: paragraphs, with the numbers of this search. */
export function scoreWords(finals) {
  const penalty = lengthPenalty(finals);
  const [winner] = finals;
  if (penalty === null || !winner) return ['They are ordered by score.'];
  if (penalty === 0)
    return [
      'The length penalty is 0, so the score is the log-probability and longer translations are at a loss: each word more costs.'
    ];
  const rule =
      `Every word more makes a translation less likely. So the search orders by score: log-probability ÷ ${
          unbroken(`((5 + tokens) ÷ 6)${power(penalty)}`)}, the end counted as a token. Winner: ${
          worked(winner, penalty)}.`;
  for (const [i, higher] of finals.entries())
    for (const lower of finals.slice(i + 1))
      if (lower.probability > higher.probability && lower.length < higher.length)
        return [
          rule,
          `That is why ${lower.rank + 1} is below ${higher.rank + 1} though it is likelier (${
              tiny(higher) ? `${times(lower, higher).toFixed(1)} times` :
                             `${wholePercent(lower.probability)} against ${
                                 wholePercent(higher.probability)}`}): it has ${
              several(lower.length, 'token')} instead of ${higher.length}, so its score is ${
              worked(lower, penalty)} against ${number(higher.score)}.`,
        ];
  return finals.length > 1 ? [rule, 'Here the order by score is the order by probability.'] :
                             [rule];
}

/** Whether the probability of a whole translation is too small to be read as one. */
export const tiny = ({probability}) => probability < 0.001 && probability > 0;

const times = (a, b) => Math.exp(a.node.logprob - b.node.logprob);

/** Against the winner: "1 : 1.4". */
export function odds(winner, hypothesis) {
  const ratio = times(winner, hypothesis);
  if (!Number.isFinite(ratio)) return '–';
  const number = (value) => value < 100 ? value.toFixed(1) :
      value < 1e6                       ? count(Math.round(value)) :
                                          scientific(value);
  return ratio >= 1 ? `1 : ${number(ratio)}` : `${number(1 / ratio)} : 1`;
}

/** point(hypothesis): called when the reader points at a row. */
export function hypothesisTable(finals, point) {
  const [winner] = finals;
  const heads = [
    ['', ''], ['translation', ''], ['probability', 'number'], ['against the winner', 'number odds'],
    ['tokens', 'number tokens'], ['score', 'number score']
  ];
  return make(
      'table', {class: finals.length > 1 ? 'finals' : 'finals alone'},
      make(
          'thead', {},
          make(
              'tr', {},
              ...heads.map(
                  ([name, kind]) => name ?
                      make('th', {scope: 'col', class: kind}, name) :
                      make('td', {}, make('span', {class: 'unseen'}, 'rank'))))),
      make(
          'tbody', {},
          ...finals.map(
              (each) => make(
                  'tr',
                  {class: each === winner ? 'winner' : '', on: {pointerenter: () => point(each)}},
                  make('td', {class: 'number'}, String(each.rank + 1)),
                  make(
                      'th', {scope: 'row', dir: 'auto'}, ...marked(each.words, winner.words),
                      each.node.end ?
                          null :
                          make('span', {class: 'hint'}, '(stopped at the length limit)')),
                  make(
                      'td',
                      {class: 'number', title: `log-probability ${fixed(each.node.logprob, 4)}`},
                      wholePercent(each.probability),
                      make(
                          'small', {class: 'narrow-score'},
                          tiny(winner) && each !== winner ? `${odds(winner, each)}, ` : '',
                          `score ${number(each.score)}`)),
                  make('td', {class: 'number odds'}, each === winner ? '' : odds(winner, each)),
                  make('td', {class: 'number tokens'}, String(each.length)),
                  make(
                      'td', {class: 'number score', title: fixed(each.score, 4)},
                      number(each.score))))));
}
