// Where the ticks of an axis stand, and how their numbers read.

import {brief, count, minus} from './wording.js';

/** Round numbers from low to high, about as many as wanted, at least `least` apart. */
export function ticks(low, high, wanted, least = 0) {
  const raw = (high - low) / Math.max(1, wanted);
  if (!(raw > 0)) return [low];
  const power = 10 ** Math.floor(Math.log10(raw));
  const round = [1, 2, 5, 10].map((factor) => factor * power).find((size) => size >= raw * 0.999);
  const step = Math.max(round, least);
  const result = [];
  for (let value = Math.ceil(low / step - 1e-9) * step; value <= high + step * 1e-9; value += step)
    result.push(Math.abs(value) < step * 1e-9 ? 0 : value);
  return result;
}

/** Decades and, where they are few, their halves: for a logarithmic axis. */
export function decades(low, high) {
  const result = [];
  for (let power = Math.floor(Math.log10(low)); power <= Math.ceil(Math.log10(high)); ++power)
    for (const factor of Math.log10(high / low) > 3 ? [1] : [1, 2, 5]) {
      const value = factor * 10 ** power;
      if (value >= low && value <= high) result.push(value);
    }
  return result.length > 1 ? result : [low, high];
}

/** 20000 -> "20,000"; 0.00025 -> "2.5e-4", 0.0005 -> "5e-4". */
export const tickText = (value) => Number.isInteger(value) && Math.abs(value) < 1e7 ?
    minus(count(value)) :
    minus(brief(value).replace('.0e', 'e'));

/** Labels of [wanted height] moved apart, so that none overlap, within low .. high. */
export function apart(wanted, distance, low, high) {
  const order = wanted.map((y, i) => ({y, i})).sort((a, b) => a.y - b.y);
  order.forEach((each, k) => each.y = Math.max(each.y, k > 0 ? order[k - 1].y + distance : low));
  for (let k = order.length - 1; k >= 0; --k)
    order[k].y = Math.min(order[k].y, k < order.length - 1 ? order[k + 1].y - distance : high);
  const result = [];
  for (const {y, i} of order) result[i] = y;
  return result;
}
