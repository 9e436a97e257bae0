// One translation with all its weights: the trace, read.

import {floats, Matrix} from './matrix.js';

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

/** A token as it is shown: what marks the begin and the end goes by name. */
export const tokenLabel = (text) =>
    text === '</s>' ? '⟨end⟩' : text === '<s>' ? '⟨begin⟩' : text;

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

export class Trace {
  /** data: the answer to `request`. */
  constructor(answer, request) {
    const data = read(answer);
    this.data = data;
    this.request = request;
    this.asked = new Map();  // head -> promise of its exact weights
    this.lacking = false;    // whether the last of them did not come
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

  of(kind) { return this.heads.filter((entry) => entry.kind === kind); }
  kinds() { return kinds.filter(([kind]) => this.heads.some((entry) => entry.kind === kind)); }
  find(kind, layer, head) {
    return this.heads.find(
        (entry) => entry.kind === kind && entry.layer === layer && entry.head === head);
  }
  matrix(entry) {
    if (!entry.matrix) {
      entry.matrix = Matrix.decoded(entry);
      // A token cannot look at what has not been generated yet.
      if (entry.kind === 'decoder')
        entry.matrix.masked(Array.from({length: entry.rows}, (_, row) => row + 1));
    }
    return entry.matrix;
  }
  /** What a row or column stands for: "word", or "token" where words are in pieces. */
  unit(merge) { return merge || !this.hasSubwords() ? 'word' : 'token'; }
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
    Object.assign(known, exact, {entropy: exact.entropy ?? NaN, matrix: null});
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
      value: entry.value ?
          new Matrix(entry.cols, entry.value_width || entry.width, floats(entry.value)) :
          null,
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
      text: tokens[first].word >= 0 ? words[tokens[first].word] : tokenLabel(tokens[first].text),
      mark: special(tokens[first]),
      weight: matrix.at(0, i),
      hidden: matrix.hidden(0, i),
    }));
  }

  /** The head to show first: the one the model aligns by, else the sharpest of its kind. */
  first(kind) {
    const all = this.of(kind);
    const {alignment} = this.data;
    const aligning =
        kind === 'cross' && alignment && this.find(kind, alignment.layer, alignment.head);
    return aligning || [...all].sort(bySharpness)[0] || null;
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
    const {layer = -1, head = -1, shift = alignment.after || false} = alignment;  // its former name was `after`
    const weights = mean(cross.filter(
        (each) => (layer < 0 || each.layer === layer) && (head < 0 || each.head === head)));
    if (!weights || !shift) return weights;
    // Where the model looks while it takes a token in: the row of the token after it.
    const later =
        Array.from({length: weights.rows}, (_, row) => [Math.min(row + 1, weights.rows - 1)]);
    return weights.merged(later, Array.from({length: weights.columns}, (_, column) => [column]));
  }

  /**
   * What the ribbons join: {sources, targets, weights [targets, sources], none: no weights at
   * all}.
   */
  alignment(choice, entry, words) {
    const {source, target, alignment} = this.data;
    if (words && choice === 'model' && alignment && alignment.soft &&
        alignment.soft.data !== undefined)
      return {
        sources: source.words,
        targets: target.words,
        weights: Matrix.decoded(alignment.soft),
        targetGroups: groups(target.tokens).filter(([first]) => target.tokens[first].word >= 0),
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
      targetGroups: targets,
      none: !weights,
    };
  }
}
