// The search as a tree of tokens, and its hypotheses as whole words.

import {areSubwords, tokenLabel, withoutMark} from './token_names.js';

const byScore = (a, b) => a.score === b.score ? 0 : b.score - a.score;

/** The nodes from the first token to this one. */
export function path(node) {
  const nodes = [];
  for (let each = node; each; each = each.from) nodes.push(each);
  return nodes.reverse();
}

/** Tokens of one word as they are read: marks of spaces left out, bytes put together. */
function spelt(tokens) {
  const text = tokens.map((token) => withoutMark(token.text)).join('');
  const read = text.replace(/(?:<0x[0-9A-Fa-f]{2}>)+/g, (run) => {
    const bytes = run.match(/[0-9A-Fa-f]{2}(?=>)/g).map((digits) => parseInt(digits, 16));
    return new TextDecoder().decode(new Uint8Array(bytes));
  });
  return read || tokens[0].text;
}

const chance = (tokens) => Math.exp(tokens.reduce((sum, token) => sum + token.own, 0)) || 0;

/** Whole words of a list of tokens in order: {tokens, text, key, probability}; the end is none. */
export function words(tokens) {
  const groups = [];
  for (const token of tokens) {
    if (token.end) continue;
    if (token.starts || groups.length === 0)
      groups.push([token]);
    else
      groups[groups.length - 1].push(token);
  }
  return groups.map((group) => ({
                      tokens: group,
                      text: spelt(group),
                      key: group[group.length - 1].id,
                      probability: chance(group),
                    }));
}

function hypothesis(node, rank) {
  return {
    node,
    rank,
    words: words(path(node)),
    probability: Math.exp(node.logprob) || 0,
    score: node.score,
    length: node.step + 1,  // tokens, the end counted
    final: node.state === 'final',
  };
}

export class BeamTree {
  /** nodes: `beam` of a trace; texts of tokens say whether they are subwords. */
  constructor(nodes, targetTokens = []) {
    const subwords = areSubwords([...nodes, ...targetTokens]);
    const known = new Map();
    this.steps = [];
    for (const each of nodes) {
      const from = known.get(each.parent) || null;
      const node = {...each, from, end: each.text === '</s>', deepest: null};
      node.own =
          Number.isFinite(each.logprob) ? each.logprob - (from ? from.logprob : 0) : -Infinity;
      node.starts = !from || (subwords ? each.text.startsWith('▁') : !each.text.startsWith('‿'));
      known.set(each.id, node);
      (this.steps[each.step] ||= []).push(node);
    }
    this.steps = Array.from(this.steps, (list) => (list || []).sort(byScore));
    this.nodes = this.steps.flat();
    this.finals = this.ranked(this.nodes.filter((node) => node.state === 'final'));
    this.width = Math.max(
        0, ...this.steps.map((list) => list.filter((node) => node.state === 'kept').length));
    // How far the search followed what begins with each node.
    for (const node of [...this.nodes].reverse())
      if (node.from && (!node.from.deepest || far(node).step > node.from.deepest.step))
        node.from.deepest = far(node);
  }

  ranked(nodes) { return [...nodes].sort(byScore).map(hypothesis); }

  /** How many hypotheses are in hand at once, at most. */
  get tallest() {
    const of = (list, state) => list.filter((node) => node.state === state).length;
    let ended = 0;
    return Math.max(...this.steps.map((list) => (ended += of(list, 'final')) + of(list, 'kept')));
  }

  get pruned() { return this.nodes.filter((node) => node.state === 'pruned').length; }

  /** What the search had in hand after a step: what it followed on, and what had ended by then. */
  at(step) {
    return this.ranked(this.nodes.filter(
        (node) => (node.state === 'kept' && node.step === step) ||
            (node.state === 'final' && node.step <= step)));
  }

  /**
   * Branches that leave these hypotheses and are none of them: {node: the first of its own, text,
   * more: it was followed further, probability of the text}. Of one step: what was dropped there.
   */
  dropped(hypotheses, step = -1) {
    const own = new Set(hypotheses.flatMap(({node}) => path(node)));
    const root = (node) => !node.from || own.has(node.from) ? node : root(node.from);
    const leaves = step < 0 ?
        this.nodes.filter((node) => !own.has(node) && (!node.from || own.has(node.from))).map(far) :
        this.steps[step].filter((node) => node.state === 'pruned');
    return leaves.map((leaf) => branch(root(leaf), leaf, step >= 0))
        .sort((a, b) => b.probability - a.probability);
  }
}

/** What is read of a branch: its first word, or its first and its last. */
function branch(node, leaf, toLast) {
  const tokens = path(leaf);
  let first = tokens.indexOf(node);
  while (first > 0 && !node.end && !tokens[first].starts) --first;
  const list = words(tokens.slice(first));
  const texts = [...list.map((word) => word.text), ...(leaf.end ? [tokenLabel(leaf.text)] : [])];
  const text = toLast && texts.length > 2 ? `${texts[0]} … ${texts.at(-1)}` :
      toLast ? texts.join(' ') :
               texts[0];
  const read = toLast ? tokens.slice(first) : list[0]?.tokens || [leaf];
  return {node, text, more: !toLast && texts.length > 1, probability: chance(read)};
}

const far = (node) => node.deepest || node;

/**
 * The lines of a railway map. The first hypothesis is the trunk; each other one leaves the line
 * that it shares most words with, after the last of them: {hypothesis, parent, branch, row}.
 * Branches that leave late lie inside those that leave early, so none cross.
 */
export function lines(hypotheses) {
  const shared = (a, b) => {
    let same = 0;
    while (same < Math.min(a.length, b.length) && a[same].key === b[same].key) ++same;
    return same;
  };
  const placed = [];
  for (const each of hypotheses) {
    const line = {hypothesis: each, words: each.words, parent: null, branch: 0, branches: []};
    for (const other of placed) {
      const same = shared(line.words, other.words);
      if (!line.parent || same > line.branch) Object.assign(line, {parent: other, branch: same});
    }
    line.parent?.branches.push(line);
    placed.push(line);
  }
  let row = 0;
  const place = (line) => {
    line.row = row++;
    line.branches.sort((a, b) => b.branch - a.branch).forEach(place);
  };
  if (placed.length > 0) place(placed[0]);
  return placed.sort((a, b) => a.row - b.row);
}
