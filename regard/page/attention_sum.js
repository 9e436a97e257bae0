// Attention of one query, computed again from the vectors of the trace: products, scores, weights,
// and the values mixed by the weights.

import {settingsOf} from './own_settings.js';
import {alibiSlopes} from './position_schemes.js';

/** What ALiBi takes off a head's score for each place of distance; 0 for every other model. */
export function slopeOf(model, entry) {
  const spec = model?.spec;
  if (spec?.position !== 'alibi' || entry.kind === 'cross') return 0;
  return alibiSlopes(settingsOf(spec, entry.kind).heads)[entry.head] || 0;
}

export function softmax(scores) {
  const peak = Math.max(...scores);
  const powers = scores.map((score) => Math.exp(score - peak));
  const total = powers.reduce((sum, power) => sum + power, 0);
  return powers.map((power) => power / total);
}

const product = (a, b) => a.reduce((sum, value, d) => sum + value * b[d], 0);

/** Of one query with every key; slope: what is taken off for each place of distance. */
export function scoresOf({query, key, scale}, row, slope) {
  const own = query.row(row);
  return Array.from(
      {length: key.rows}, (_, i) => product(own, key.row(i)) * scale - slope * Math.abs(i - row));
}

/** The values, each as much as its weight, added up. */
export function mixed(value, weights) {
  const sums = new Float64Array(value.columns);
  weights.forEach((weight, i) => value.row(i).forEach((number, d) => {
    sums[d] += weight * number;
  }));
  return Array.from(sums);
}

/**
 * Scores and weights of one query against all keys, and the products of one pair: {query, key,
 * products, scores, weights}. A hidden key has no score.
 */
export function explain(vectors, row, column, {hidden, slope = 0}) {
  const query = Array.from(vectors.query.row(row));
  const key = Array.from(vectors.key.row(column));
  const scores = scoresOf(vectors, row, slope).map((score, i) => hidden(i) ? -Infinity : score);
  return {
    query,
    key,
    products: query.map((value, d) => value * key[d]),
    scores,
    weights: softmax(scores),
  };
}

/** By how much two lists of weights differ at most. */
export const furthestApart = (a, b) =>
    a.reduce((most, value, i) => Math.max(most, Math.abs(value - b[i])), 0);
