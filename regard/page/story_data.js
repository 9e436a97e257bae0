// What the story tells: everything about one source token of the translation, read from the trace.

import {floats, Matrix} from './matrix.js';
import {tokenLabel} from './trace.js';

const mostRows = 16;
const mostCells = 400000;  // of weights that are fetched as they are

/** A token without its marks: what continues a word begins with a dot. */
function plain(token, marked, continues) {
  const text = tokenLabel(token.text);
  if (text !== token.text) return text;
  if (text.startsWith('▁')) return text.slice(1) || '␣';
  if (/^‿|‿$/.test(text))
    return text.replace(/^‿|‿$/g, '') || text;  // joined to its neighbour
  return marked && continues && /[\p{L}\p{N}]/u.test(text) ? `·${text}` : text;
}

function labels(tokens) {
  const marked = tokens.some(({text}) => text.startsWith('▁'));
  return tokens.map(
      (token, i) =>
          plain(token, marked, i > 0 && token.word >= 0 && tokens[i - 1].word === token.word));
}

/** How strongly its rows attend to another token than themselves and the end. */
function interest(trace, entry) {
  const matrix = trace.matrix(entry);
  let sum = 0;
  for (let row = 0; row < matrix.rows; ++row) {
    let most = 0;
    for (let column = 0; column < matrix.columns - 1; ++column)
      if (column !== row) most = Math.max(most, matrix.at(row, column));
    sum += most;
  }
  return sum;
}

const told = new WeakMap();  // trace -> the head of its story: exact weights must not change it

/** The head of the first layer that has most to tell: not only about each token itself, or one. */
function headToShow({trace, source}) {
  if (told.has(trace)) return told.get(trace);
  const dull = ({tag}) => Number(tag === 'diagonal' || tag === 'sink');
  const all = trace.of('encoder').filter(({layer}) => layer === 0);
  const whole = all.filter(({query}) => query);  // a saved file may hold the vectors of some alone
  const [best = null] =
      (source.live || whole.length === 0 ? all : whole)
          .map((entry) => ({entry, dull: dull(entry), interest: interest(trace, entry)}))
          .sort((a, b) => a.dull - b.dull || b.interest - a.interest);
  told.set(trace, best && best.entry);
  return best && best.entry;
}

/** What ALiBi takes off a score for each place between query and key, in one of its heads. */
export function distanceCost(head, heads) {
  const power = 2 ** Math.floor(Math.log2(heads));
  return head < power ? 2 ** (-8 * (head + 1) / power) :
                        2 ** (-4 * (2 * (head - power) + 1) / power);
}

function scoresOf(vectors, row, cost) {
  const query = vectors.query.row(row);
  return Array.from(
      {length: vectors.key.rows},
      (_, i) =>
          vectors.key.row(i).reduce((sum, value, d) => sum + value * query[d], 0) * vectors.scale -
          cost * Math.abs(i - row));
}

export function softmax(scores) {
  const peak = Math.max(...scores);
  const powers = scores.map((score) => Math.exp(score - peak));
  const total = powers.reduce((sum, power) => sum + power, 0);
  return powers.map((power) => power / total);
}

const table = (data) => data && data.rows > 0 ? Matrix.decoded(data) : null;

/** The rows that are shown, some of them for several tokens: {tokens, label, gap}. */
function windowOf(names, chosen) {
  const one = (i) => ({tokens: [i], label: names[i], gap: false});
  const all = names.map((_, i) => i);
  const gap = (tokens) =>
      tokens.length > 0 ? [{tokens, label: `… ${tokens.length} more`, gap: true}] : [];
  if (all.length <= mostRows) return all.map(one);
  const near = Math.floor(mostRows / 2);
  const [first, last] = chosen < near ? [0, mostRows - 1] :
      chosen >= all.length - near     ? [all.length - mostRows + 1, all.length] :
                                        [chosen - near + 2, chosen + near];
  return [...gap(all.slice(0, first)), ...all.slice(first, last).map(one), ...gap(all.slice(last))];
}

/**
 * How much of a row, after all layers, goes back to each token: one list per layer, the first for
 * the tokens. Half of a row is counted as kept, half as mixed by the mean of the layer's heads.
 */
function followedBack(means, chosen, count) {
  let amounts = Array.from({length: count}, (_, i) => Number(i === chosen));
  const shares = [amounts];
  const flows = [];
  for (const mean of [...means].reverse()) {
    const flow = new Matrix(count, count);
    const next = new Array(count).fill(0);
    for (let to = 0; to < count; ++to)
      for (let from = 0; amounts[to] > 0 && from < count; ++from) {
        const part = amounts[to] * (mean.at(to, from) + Number(to === from)) / 2;
        flow.values[to * count + from] = part;
        next[from] += part;
      }
    amounts = next;
    shares.unshift(amounts);
    flows.unshift(flow);
  }
  return {shares, flows};
}

/** The place in the translation that the chosen token has most to do with. */
function partner(trace, token) {
  const {source, target} = trace.data;
  const end = target.tokens.length - 1;
  const {word} = source.tokens[token];
  const {weights, targetGroups, none} = trace.alignment('model', null, true);
  if (word < 0 || none || word >= weights.columns || targetGroups.length === 0) return end;
  let best = 0;
  for (let i = 1; i < weights.rows; ++i)
    if (weights.at(i, word) > weights.at(best, word)) best = i;
  return targetGroups[best][0];
}

function generated(trace, at, target) {
  const {text, tokens} = trace.data.target;
  const bytes = new TextEncoder().encode(text);
  const forced = new TextEncoder().encode(trace.request.prefix || '').length;
  const token = tokens[at];
  const marked = tokens.some((each) => each.text.startsWith('▁'));
  const before = new TextDecoder().decode(bytes.slice(0, token.start ?? 0)).trim();
  return {
    at,
    label: target[at],
    before,
    probability: Math.exp(token.logprob),
    forced: forced > 0 && token.word >= 0 && token.start < forced,
    end: token.word < 0,
    whole: token.word >= 0 && tokens[at + 1]?.word === token.word ?
        trace.data.target.words[token.word] :
        '',
    id: token.id,
    top: (token.top || []).map((each) => ({...each, label: plain(each, marked, at > 0)})),
  };
}

/** Means of the heads of each layer of a kind, the first layer first. */
function layerMeans(trace, kind) {
  const layers = [...new Set(trace.of(kind).map(({layer}) => layer))].sort((a, b) => a - b);
  return layers.map(
      (layer) => Matrix.mean(trace.of(kind)
                                 .filter((entry) => entry.layer === layer)
                                 .map((entry) => trace.matrix(entry))));
}

/** Everything the steps are written and drawn from; null: there is no translation, or no weight. */
export function storyFacts(app) {
  const {trace, state} = app;
  if (!trace || trace.of('cross').length === 0) return null;
  const model = app.ownModel();
  const {tokens} = trace.data.source;
  const spec = {...trace.data.model, ...(model && model.spec)};
  const names = labels(tokens);
  const chosen = Math.min(state.row, tokens.length - 1);
  const entry = headToShow(app);
  const vectors = entry && trace.vectors(entry);
  const heads = trace.of('encoder').filter(({layer}) => layer === 0);
  const cost = entry && spec.position === 'alibi' ? distanceCost(entry.head, heads.length) : 0;
  const weights = entry ? Array.from(trace.matrix(entry).row(chosen)) : [];
  const scores = vectors ? scoresOf(vectors, chosen, cost) : null;
  const value = entry && entry.value ?
      new Matrix(entry.cols, entry.value_width || entry.width, floats(entry.value)) :
      null;
  const means = layerMeans(trace, 'encoder');
  const target = generated(trace, partner(trace, chosen), labels(trace.data.target.tokens));
  const cross = layerMeans(trace, 'cross');
  return {
    app,
    trace,
    spec,
    tokens,
    names,
    chosen,
    entry,
    vectors,
    cost,
    weights,
    scores,
    value,
    heads,
    target,
    rows: windowOf(names, chosen),
    name: names[chosen],
    vocabulary: (model && model.vocabulary) || {},
    recurrent: trace.data.model.architecture === 'bahdanau',
    embedding: table(trace.data.embedding),
    position: table(trace.data.position),
    tableScale: (trace.data.embedding && trace.data.embedding.scale) || 1,
    agrees: scores !== null &&
        softmax(scores).every((share, i) => Math.abs(share - weights[i]) < 0.003),
    output: value ? mixed(value, weights) : null,
    headRows: heads.map((head) => Array.from(trace.matrix(head).row(chosen))),
    layers: means.length,
    back: means.length > 0 ? followedBack(means, chosen, tokens.length) : null,
    crossRow: Array.from(cross.at(-1).row(target.at)),
    crossHeads: trace.of('cross').filter(({layer}) => layer === cross.length - 1).length,
    crossLayers: cross.length,
  };
}

function mixed(value, weights) {
  const sum = new Float32Array(value.columns);
  weights.forEach((weight, i) => value.row(i).forEach((part, d) => sum[d] += weight * part));
  return sum;
}

/** Tokens that are shown more than once, as lists of their places, that of `chosen` first. */
export function repeated({tokens, chosen, rows}) {
  const places = new Map();
  for (const {tokens: [i], gap} of rows)
    if (!gap) places.set(tokens[i].id, [...(places.get(tokens[i].id) || []), i]);
  return [...places.values()]
      .filter((list) => list.length > 1)
      .sort((a, b) => Number(b.includes(chosen)) - Number(a.includes(chosen)));
}

/** Places of the largest numbers, largest first. */
export const order = (values) => [...values.keys()].sort((a, b) => values[b] - values[a]);

const details = new WeakMap();  // trace -> 'asked' | 'come'

/** Fetches the tokens' own rows, and weights as they are. */
async function fetchDetails(app, trace, entry) {
  const wanted = trace.heads.filter(({kind}) => kind !== 'decoder');
  const few = wanted.reduce((sum, {rows, cols}) => sum + rows * cols, 0) <= mostCells;
  const head = entry || wanted[0];
  const answer = await app.source.inspect({
    ...trace.request,
    ...(few ? {attention: entry ? ['encoder', 'cross'] : ['cross']} :
              {attention: [head.kind], layers: [head.layer], heads: [head.head]}),
    encoding: 'f32',
    embedding: true,
    top: 0,
  });
  for (const exact of answer.attention) {
    const known = trace.find(exact.kind, exact.layer, exact.head);
    if (known) trace.refine(known, exact, false);
  }
  trace.data.embedding = answer.embedding;
  trace.data.position = answer.position;
}

/**
 * Asks for what is missing, once per translation, or again if it did not come; calls `came` when
 * nothing more is to come.
 */
export function askForStory(app, came) {
  const {trace} = app;
  if (!trace || !app.source.live || trace.of('cross').length === 0) return;
  const entry = headToShow(app);
  if (details.has(trace)) return;
  details.set(trace, 'asked');
  Promise.all([entry ? app.askExact(entry) : true, fetchDetails(app, trace, entry)])
      .then(([came]) => came, () => false)
      .then((all) => all ? details.set(trace, 'come') : details.delete(trace))
      .then(() => trace === app.trace && came());
}

/** Whether something that was asked for is still on its way. */
export const storyPending = ({trace}) => details.get(trace) === 'asked';
