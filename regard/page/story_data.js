// What the story tells: everything about one source token of the translation, read from the trace.

import {mixed, scoresOf, slopeOf, softmax} from './attention_sum.js';
import {chosenToken, partner} from './chosen_word.js';
import {Matrix} from './matrix.js';
import {settingsOf} from './own_settings.js';
import {areSubwords, tokenName, tokenNames} from './token_names.js';
import {valuesOf} from './trace.js';

const mostRows = 16;
const leastNear = 5;       // of them, for neighbours of the chosen token
const mostCells = 400000;  // of weights that are fetched as they are

/** Whether a token is part of a word: neither a mark nor the end. */
const isWord = ({text, word}) => word >= 0 && /[\p{L}\p{N}]/u.test(text);

/**
 * The row of a head that has most to tell, {row, weight}: a word that attends most of all to another
 * word, and as strongly as none does; where there is no such row, the first word, and 0.
 */
function tellingRow(trace, entry) {
  const {tokens} = trace.data.source;
  const matrix = trace.matrix(entry);
  const found = {row: Math.max(0, tokens.findIndex(isWord)), weight: 0};
  tokens.forEach((own, row) => {
    if (!isWord(own)) return;
    const weights = matrix.row(row);
    const best = order(Array.from(weights))[0];
    if (isWord(tokens[best]) && tokens[best].word !== own.word && weights[best] > found.weight)
      Object.assign(found, {row, weight: weights[best]});
  });
  return found;
}

const told = new WeakMap();  // trace -> what its story begins with: exact weights must not change it

/**
 * The head of the first layer that has most to tell, and its row that does: {entry, row}. One that is
 * known to look at each token itself, or at one token, comes later; one without such a row last.
 */
function beginning({trace, source}) {
  if (told.has(trace)) return told.get(trace);
  const dull = ({tag}) => Number(tag === 'diagonal' || tag === 'sink');
  const all = trace.of('encoder').filter(({layer}) => layer === 0);
  const whole = all.filter(({query}) => query);  // a saved file may hold the vectors of some alone
  const [best = {entry: null, row: 0}] =
      (source.live || whole.length === 0 ? all : whole)
          .map((entry) => ({entry, dull: dull(entry), ...tellingRow(trace, entry)}))
          .sort(
              (a, b) => Number(a.weight === 0) - Number(b.weight === 0) || a.dull - b.dull ||
                  b.weight - a.weight);
  told.set(trace, best);
  return best;
}

const table = (data) => data && data.rows > 0 ? Matrix.decoded(data) : null;

/**
 * The rows that are shown, some of them for several tokens: {tokens, label, gap}. Of more tokens than
 * there is room for, the chosen one, the end and the `telling` ones stay, the first of them first,
 * then neighbours of the chosen one.
 */
function rowsShown(names, chosen, telling) {
  const all = names.map((_, i) => i);
  const one = (i) => ({tokens: [i], label: names[i], gap: false});
  if (all.length <= mostRows) return all.map(one);
  const kept = new Set();
  const rows = () => {
    const runs = [];
    for (const i of all) {
      const last = runs.at(-1);
      if (!kept.has(i) && last && !kept.has(last.at(-1)))
        last.push(i);
      else
        runs.push([i]);
    }
    return runs;
  };
  const keep = (tokens, most) => tokens.forEach((i) => {
    if (i < 0 || i >= names.length || kept.has(i)) return;
    kept.add(i);
    if (rows().length > most) kept.delete(i);
  });
  keep([chosen, all.length - 1, ...telling], mostRows - leastNear);
  keep(all.flatMap((by) => [chosen - by, chosen + by]), mostRows);
  return rows().map(
      (tokens) => tokens.length === 1 ?
          one(tokens[0]) :
          {tokens, label: `… ${tokens.length} more`, gap: true});
}

/** The strongest place of each row of weights, then the next ones of the first row. */
function strongestOf(lists) {
  const orders = lists.filter((weights) => weights.length > 0).map(order);
  return [...orders.map(([first]) => first), ...orders[0].slice(1, 3)];
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

function generated(trace, at, target) {
  const {text, tokens} = trace.data.target;
  const bytes = new TextEncoder().encode(text);
  const token = tokens[at];
  const subwords = areSubwords(tokens);
  const before = new TextDecoder().decode(bytes.slice(0, token.start ?? 0)).trim();
  return {
    at,
    label: target[at],
    before,
    probability: Math.exp(token.logprob),
    forced: at < trace.forced,
    end: token.word < 0,
    whole: token.word >= 0 && tokens[at + 1]?.word === token.word ?
        trace.data.target.words[token.word] :
        '',
    id: token.id,
    top: (token.top || []).map((each) => ({...each, label: tokenName(each, subwords, at > 0)})),
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
  const spec = settingsOf({...trace.data.model, ...(model && model.spec)}, 'encoder');
  const names = tokenNames(tokens);
  const {entry, row} = beginning(app);
  const chosen = chosenToken(app, 'source', row);
  const vectors = entry && trace.vectors(entry);
  const heads = trace.of('encoder').filter(({layer}) => layer === 0);
  const cost = entry ? slopeOf({spec}, entry) : 0;
  const weights = entry ? Array.from(trace.matrix(entry).row(chosen)) : [];
  const hidden = (i) => entry !== null && trace.matrix(entry).hidden(chosen, i);
  const scores = vectors ?
      scoresOf(vectors, chosen, cost).map((score, i) => hidden(i) ? -Infinity : score) :
      null;
  const value = valuesOf(entry);
  const means = layerMeans(trace, 'encoder');
  const written =
      state.side === 'target' ? chosenToken(app, 'target') : partner(trace, 'source', chosen);
  const target = generated(trace, written, tokenNames(trace.data.target.tokens));
  const cross = layerMeans(trace, 'cross');
  const crossRow = Array.from(cross.at(-1).row(target.at));
  const headRows = heads.map((head) => Array.from(trace.matrix(head).row(chosen)));
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
    hidden,  // of a token: whether the chosen one does not see it
    seen: tokens.filter((_, i) => !hidden(i)).length,
    scores,
    value,
    first: spec.first_position ?? 0,  // place of the first token, as Positions counts
    heads,
    target,
    rows: rowsShown(names, chosen, strongestOf([weights, crossRow, ...headRows])),
    name: names[chosen],
    vocabulary: (model && model.vocabulary) || {},
    given: trace.given,
    recurrent: trace.data.model.recurrent,
    embedding: table(trace.data.embedding),
    position: table(trace.data.position),
    tableScale: (trace.data.embedding && trace.data.embedding.scale) || 1,
    agrees: scores !== null &&
        softmax(scores).every((share, i) => Math.abs(share - weights[i]) < 0.003),
    output: value ? mixed(value, weights) : null,
    headRows,
    layers: means.length,
    back: means.length > 0 ? followedBack(means, chosen, tokens.length) : null,
    crossRow,
    crossHeads: trace.of('cross').filter(({layer}) => layer === cross.length - 1).length,
    crossLayers: cross.length,
  };
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

const details = new WeakMap();  // trace -> 'come', or the signal of what is on its way

/** Fetches the tokens' own rows, and weights as they are. */
async function fetchDetails(app, trace, entry, signal) {
  const wanted = trace.heads.filter(({kind}) => kind !== 'decoder');
  const few = wanted.reduce((sum, {rows, cols}) => sum + rows * cols, 0) <= mostCells;
  const head = entry || wanted[0];
  const answer = await app.source.inspect(
      {
        ...trace.request,
        ...(few ? {attention: entry ? ['encoder', 'cross'] : ['cross']} :
                  {attention: [head.kind], layers: [head.layer], heads: [head.head]}),
        encoding: 'f32',
        embedding: true,
        top: 0,
      },
      signal);
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
  const {trace, looking: signal} = app;
  if (!trace || !app.source.live || trace.of('cross').length === 0) return;
  const {entry} = beginning(app);
  if (details.get(trace) === 'come' || details.get(trace) === signal) return;
  details.set(trace, signal);
  Promise.all([entry ? app.askExact(entry) : true, fetchDetails(app, trace, entry, signal)])
      .then(([came]) => came, () => false)
      .then((all) => {
        if (signal.aborted) return;
        if (all)
          details.set(trace, 'come');
        else
          details.delete(trace);
        came();
      });
}

/** Whether something that was asked for is still on its way. */
export const storyPending = ({trace}) => details.has(trace) && details.get(trace) !== 'come';
