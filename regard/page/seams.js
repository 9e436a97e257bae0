// Where to wrap two rows of words that ribbons join: both are cut where the least weight is severed,
// so that nearly every ribbon stays within its row.

const perRow = 0.35;     // what another row costs, in weight: few rows, unless many ribbons break
const perEmpty = 1;      // a row that has words on one side only
const perBlank = 0.6;    // a row that is empty to its end
const perUneven = 1;     // a row with e times as many words on one side as is even enough
const evenEnough = 2;    // times the share of the other side's words
const wholeTable = 120;  // words a side, up to which every pair of cuts is tried

/** Where each word would begin if all stood in one line, and where the line ends. */
function starts(widths, gap) {
  const result = new Float64Array(widths.length + 1);
  widths.forEach((width, i) => { result[i + 1] = result[i] + width + gap; });
  return result;
}

/** sums[j * (n + 1) + i]: the weight between the first j targets and the first i sources. */
function summed(weights, sources, targets, least) {
  const wide = sources + 1;
  const sums = new Float64Array((targets + 1) * wide);
  for (let j = 0; j < targets; ++j)
    for (let i = 0; i < sources; ++i) {
      const weight = weights(j, i);
      sums[(j + 1) * wide + i + 1] = sums[j * wide + i + 1] + sums[(j + 1) * wide + i] -
          sums[j * wide + i] + (weight >= least ? weight : 0);
    }
  return sums;
}

/** By how much one share of words is above the other, as a logarithm; 0: they are even enough. */
function unevenness(one, other) {
  const [less, more] = one < other ? [one, other] : [other, one];
  return more > evenEnough * less ? Math.log(more / (evenEnough * less)) : 0;
}

/** The first word that a row which ends before `end` may begin with: one word always fits. */
function firstOf(at, gap, room) {
  const first = new Int32Array(at.length);
  for (let end = 1, begin = 0; end < at.length; ++end) {
    while (begin < end - 1 && at[end] - gap - at[begin] > room) ++begin;
    first[end] = begin;
  }
  return first;
}

/**
 * Rows {source: [begin, end), target: [begin, end)} that hold all words in order, none wider than
 * `room` (unless a word itself is), with the least weight between words of different rows.
 * weights(target, source): those below `least` do not count.
 */
export function seams({sources, targets, weights, room, gap = 16, least = 0}) {
  const [n, m] = [sources.length, targets.length];
  const [alongSource, alongTarget] = [starts(sources, gap), starts(targets, gap)];
  const [firstSource, firstTarget] =
      [firstOf(alongSource, gap, room), firstOf(alongTarget, gap, room)];
  const wide = n + 1;
  const sums = summed(weights, n, m, least);
  const cost = new Float64Array((m + 1) * wide).fill(Infinity);
  const before = new Int32Array((m + 1) * wide).fill(-1);
  // Translations run along their source: of long ones, only cuts near the diagonal are tried.
  const reach = Math.max(n, m) > wholeTable ? Math.max(0.2, 1 / Math.min(n, m)) : 1;
  cost[0] = 0;
  for (let j = 0; j <= m; ++j)
    for (let i = 0; i <= n; ++i) {
      if (i + j === 0 || Math.abs(i / (n || 1) - j / (m || 1)) > reach) continue;
      const here = j * wide + i;
      for (let b = j; b >= firstTarget[j]; --b) {
        const targetRoom = b < j ? (alongTarget[j] - gap - alongTarget[b]) / room : 0;
        for (let a = b === j ? i - 1 : i; a >= firstSource[i]; --a) {
          const there = b * wide + a;
          if (cost[there] === Infinity) continue;
          const sourceRoom = a < i ? (alongSource[i] - gap - alongSource[a]) / room : 0;
          const blank = Math.max(0, 1 - Math.max(targetRoom, sourceRoom));
          const kept = sums[here] - sums[b * wide + i] - sums[j * wide + a] + sums[there];
          const sum = cost[there] - kept + perRow + perBlank * blank * blank +
              (a === i || b === j ? perEmpty : perUneven * unevenness((i - a) * m, (j - b) * n));
          if (sum < cost[here]) {
            cost[here] = sum;
            before[here] = there;
          }
        }
      }
    }
  const rows = [];
  for (let here = m * wide + n; here > 0; here = before[here]) {
    const [j, i] = [Math.floor(here / wide), here % wide];
    const [b, a] = [Math.floor(before[here] / wide), before[here] % wide];
    rows.unshift({source: [a, i], target: [b, j]});
  }
  return rows;
}
