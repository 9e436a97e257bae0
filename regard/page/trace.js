// One translation with all its weights: the trace, read.

import {floats, Matrix, upTo} from './matrix.js';
import {tokenLabel} from './token_names.js';

// What it is called, and the key that chooses it.
export const kinds = [
  ['encoder', 'Source looks at itself', '1'],
  ['decoder', 'Output looks at itself', '2'],
  ['cross', 'Output looks at source', '3'],
];

export function kindName(kind) {
  return {
    encoder: 'encoder self-attention',
    decoder: 'decoder self-attention',
    cross: 'cross-attention'
  }[kind];
}

const special = (token) => token.text === '</s>' || token.text === '<s>';

/** Which of the groups of tokens that are shown a token belongs to, or comes after; -1: none is. */
export function placeOf(groups, token) {
  const later = groups.findIndex(([first]) => first > token);
  return later < 0 ? groups.length - 1 : Math.max(0, later - 1);
}

/** Lists of neighbouring tokens of one word; a token of no word stands alone. */
function groups(tokens) {
  const result = [];
  tokens.forEach((token, i) => {
    const same = i > 0 && token.word >= 0 && tokens[i - 1].word === token.word;
    if (same)
      result[result.length - 1].push(i);
    else
      result.push([i]);
  });
  return result;
}

/** The same without tokens of no word. */
const wordGroups = (tokens) => groups(tokens).filter(([first]) => tokens[first].word >= 0);

// Mean weight from which on a head follows the alignment; how much more it puts on the token being
// written than on the one before to be on time where none does, as in long sentences.
const leastFollowed = 0.4;
const leastLead = 0.05;

// JSON has no infinity: the logarithm of a probability of 0 comes as null.
const logarithm = (value) => value ?? -Infinity;
const share = (entry) => Number.isNaN(entry.entropy) ? Infinity : entry.entropy;

/** Sharp heads first; those of unknown entropy last. */
export const bySharpness = (a, b) => share(a) === share(b) ? 0 : share(a) - share(b);

function read(data) {
  const node = (each) =>
      ({...each, logprob: logarithm(each.logprob), score: logarithm(each.score)});
  const token = (each) => ({...each, logprob: logarithm(each.logprob)});
  return {
    ...data,
    score: logarithm(data.score),
    log_probability: logarithm(data.log_probability),
    target: {...data.target, tokens: data.target.tokens.map(token)},
    beam: (data.beam || []).map(node),
    attention: (data.attention || []).map((each) => ({...each, entropy: each.entropy ?? NaN})),
  };
}

/** The values of a head [cols, dv]; null: they did not come. */
export const valuesOf = (entry) => entry?.value ?
    new Matrix(entry.cols, entry.value_width || entry.width, floats(entry.value)) :
    null;

export class Trace {
  /** data: the answer to `request`. */
  constructor(answer, request) {
    const data = read(answer);
    this.data = data;
    this.request = request;
    this.asked = new Map();   // head -> {signal, came: promise of its exact weights}
    this.firsts = new Map();  // of a kind: the head to show first
    this.lacking = false;     // whether the last of them did not come
    this.heads = data.attention.map((entry) => ({...entry, matrix: null}));
    this.heads.sort((a, b) => a.layer - b.layer || a.head - b.head);
    const begin = {text: '<s>', word: -1};
    const produced = data.target.tokens;
    this.rowTokens = {encoder: data.source.tokens, decoder: produced, cross: produced};
    this.columnTokens = {
      encoder: data.source.tokens,
      decoder: [begin, ...produced.slice(0, -1)],
      cross: data.source.tokens,
    };
  }

  /** Whether the translation was given, so that nothing was searched for. */
  get given() { return this.data.decoding === 'forced'; }
  /** How many tokens, from the first, the search could not choose. */
  get forced() { return this.data.forced_tokens || 0; }

  of(kind) { return this.heads.filter((entry) => entry.kind === kind); }
  kinds() { return kinds.filter(([kind]) => this.heads.some((entry) => entry.kind === kind)); }
  find(kind, layer, head) {
    return this.heads.find(
        (entry) => entry.kind === kind && entry.layer === layer && entry.head === head);
  }
  matrix(entry) {
    if (!entry.matrix) {
      entry.matrix = Matrix.decoded(entry);
      const {rows, cols, kind} = entry;
      const window = this.data.model[`${kind}_window`] || 0;
      // A token cannot look at what has not been generated yet, nor outside its window.
      if (kind === 'decoder' || window)
        entry.matrix.masked(
            Array.from(
                {length: rows},
                (_, row) => kind === 'decoder' ? row + 1 : Math.min(cols, row + window + 1)),
            window ? Array.from({length: rows}, (_, row) => Math.max(0, row - window)) : null);
    }
    return entry.matrix;
  }
  /** What a row or column stands for: "word", or "token" where words are in pieces. */
  unit(merge) { return merge || !this.hasSubwords() ? 'word' : 'token'; }
  /** Mean entropy of a head's rows, as they are shown: {bits, unit}. */
  breadth(entry, merge) {
    const unit = this.unit(merge);
    if (!merge || !this.hasSubwords()) return {bits: entry.entropy, unit};
    entry.wordBits ??= this.shown(entry, {end: true, merge: true}).matrix.entropy();
    return {bits: entry.wordBits, unit};
  }
  hasSubwords() {
    return [this.data.source, this.data.target].some(
        (side) => groups(side.tokens).some((group) => group.length > 1));
  }

  /** Takes what heads do over several sentences. */
  mark(surveyed) {
    for (const {kind, layer, head, tag} of surveyed) {
      const entry = this.find(kind, layer, head);
      if (entry) entry.corpus_tag = tag;
    }
  }

  /** Takes the exact weights of a head, and where they were asked for too, its vectors. */
  refine(known, exact, vectors) {
    const same = exact &&
        ['kind', 'layer', 'head', 'rows', 'cols'].every((name) => exact[name] === known[name]);
    if (!same) throw new Error('The model has changed since this translation. Translate again.');
    Object.assign(known, exact, {entropy: exact.entropy ?? NaN, matrix: null, wordBits: null});
    known.vectorsCame ||= vectors;
  }

  /**
   * The vectors of a head: {query [rows, d], key [cols, d], value [cols, dv] or null, width,
   * scale}, or null where it has none.
   */
  vectors(entry) {
    if (!entry || !entry.query || !entry.key) return null;
    return {
      query: new Matrix(entry.rows, entry.width, floats(entry.query)),
      key: new Matrix(entry.cols, entry.width, floats(entry.key)),
      value: valuesOf(entry),
      width: entry.width,
      scale: entry.scale,
    };
  }

  /**
   * A head as it is to be shown: {matrix, rows, columns} with labels, and the tokens each stands
   * for. Without the end, begin and end tokens are left out and each row sums to 1 again.
   */
  shown(entry, {end, merge}) {
    const side = (tokens, words) => {
      const whole = merge ? groups(tokens) : tokens.map((_, i) => [i]);
      const kept = end ? whole : whole.filter(([first]) => !special(tokens[first]));
      const label = (group) => merge && tokens[group[0]].word >= 0 ?
          words[tokens[group[0]].word] :
          tokenLabel(tokens[group[0]].text);
      return {kept, labels: kept.map(label)};
    };
    const {source, target} = this.data;
    const rows =
        side(this.rowTokens[entry.kind], entry.kind === 'encoder' ? source.words : target.words);
    const columns =
        side(this.columnTokens[entry.kind], entry.kind === 'decoder' ? target.words : source.words);
    const matrix = this.matrix(entry).merged(rows.kept, columns.kept);
    return {
      matrix: end ? matrix : matrix.normalised(),
      rows: rows.labels,
      columns: columns.labels,
      rowTokens: rows.kept,
      columnTokens: columns.kept,
    };
  }

  /** What a head's keys are as a text of whole words, and what these tokens pay to each. */
  reading(entry, rowTokens) {
    const words = entry.kind === 'decoder' ? this.data.target.words : this.data.source.words;
    const tokens = this.columnTokens[entry.kind];
    const whole = groups(tokens);
    const matrix = this.matrix(entry).merged([rowTokens], whole);
    return whole.map(([first], i) => ({
                       text: tokens[first].word >= 0 ? words[tokens[first].word] :
                                                       tokenLabel(tokens[first].text),
                       mark: special(tokens[first]),
                       weight: matrix.at(0, i),
                       hidden: matrix.hidden(0, i),
                     }));
  }

  /**
   * The head to show first: the one the model aligns by, else the sharpest of its kind. One that
   * looks a row late would mislead, so one that looks on time goes before it.
   */
  first(kind) {
    if (!this.firsts.has(kind)) this.firsts.set(kind, this.chooseFirst(kind));
    return this.firsts.get(kind);
  }

  chooseFirst(kind) {
    const all = [...this.of(kind)].sort(bySharpness);
    const {alignment} = this.data;
    const aligning =
        kind === 'cross' && alignment && this.find(kind, alignment.layer, alignment.head);
    const punctual = aligning && alignment.shift && this.punctual(all);
    return punctual || aligning || all[0] || null;
  }

  /** The first of the heads that follows the alignment on time, else the one least late, if any. */
  punctual(heads) {
    const leads = heads.map((each) => {
      const {written, next} = this.follows(each);
      return {each, next, lead: next - written};
    });
    const follows = leads.find(({next, lead}) => next >= leastFollowed && lead > 0);
    const [least] = leads.filter(({lead}) => lead >= leastLead).sort((a, b) => b.lead - a.lead);
    return (follows || least)?.each;
  }

  /** Whether a head looks a row late: at the source of the word just written, not of the next. */
  isLate(entry) {
    const {written, next} = this.follows(entry);
    return written >= leastFollowed && written > next;
  }

  /**
   * Mean weight of a head of cross-attention on the token that the alignment joins with the one
   * being written next, and with the one just written.
   */
  follows(entry) {
    if (entry.kind !== 'cross' || !this.data.alignment) return {next: 0, written: 0};
    if (!this.aligned) {
      const weights = this.alignmentTokens('model');
      this.aligned = upTo(Math.max(0, weights.rows - 1)).map((row) => weights.peak(row));
    }
    const matrix = this.matrix(entry);
    const mean = (later) =>
        this.aligned.reduce((sum, key, row) => sum + matrix.at(row + later, key), 0) /
        Math.max(1, this.aligned.length);
    return {next: mean(0), written: mean(1)};
  }

  /**
   * Token weights that a choice of alignment stands for: 'model', 'mean.LAYER' or 'head' (the
   * entry given).
   */
  alignmentTokens(choice, entry) {
    const cross = this.of('cross');
    if (cross.length === 0) return null;
    const alignment = this.data.alignment || {};
    const mean = (entries) =>
        entries.length ? Matrix.mean(entries.map((each) => this.matrix(each))) : null;
    if (choice === 'head') return entry && entry.kind === 'cross' ? this.matrix(entry) : null;
    if (choice.startsWith('mean.'))
      return mean(cross.filter((each) => each.layer === Number(choice.slice(5))));
    const {layer = -1, head = -1, shift = false} = alignment;
    const weights = mean(cross.filter(
        (each) => (layer < 0 || each.layer === layer) && (head < 0 || each.head === head)));
    if (!weights || !shift) return weights;
    // Where the model looks while it takes a token in: the row of the token after it.
    const later =
        Array.from({length: weights.rows}, (_, row) => [Math.min(row + 1, weights.rows - 1)]);
    return weights.merged(later, Array.from({length: weights.columns}, (_, column) => [column]));
  }

  /**
   * What the ribbons join: {sources, targets, weights [targets, sources], sourceGroups and
   * targetGroups: the tokens of each, none: no weights at all}.
   */
  alignment(choice, entry, words) {
    const {source, target, alignment} = this.data;
    if (words && choice === 'model' && alignment && alignment.soft &&
        alignment.soft.data !== undefined)
      return {
        sources: source.words,
        targets: target.words,
        weights: Matrix.decoded(alignment.soft),
        sourceGroups: wordGroups(source.tokens),
        targetGroups: wordGroups(target.tokens),
        none: false,
      };
    const side = (tokens) => (words ? groups(tokens) : tokens.map((_, i) => [i]))
                                 .filter(([first]) => !special(tokens[first]));
    const [sources, targets] = [side(source.tokens), side(target.tokens)];
    const label = (tokens, list) => (group) =>
        words && tokens[group[0]].word >= 0 ? list[tokens[group[0]].word] : tokens[group[0]].text;
    const weights = this.alignmentTokens(choice, entry);
    return {
      sources: sources.map(label(source.tokens, source.words)),
      targets: targets.map(label(target.tokens, target.words)),
      weights: weights ? weights.merged(targets, sources) :
                         new Matrix(targets.length, sources.length),
      sourceGroups: sources,
      targetGroups: targets,
      none: !weights,
    };
  }
}
