// What the attention of one kind is made of, where it has settings of its own.

import {count, several} from './wording.js';

/** The settings of a model as its encoder, its decoder or its cross-attention has them. */
export function settingsOf(spec, kind) {
  const side = kind === 'cross' ? 'decoder' : kind;
  const norm = spec[`${side}_norm`];
  return {
    ...spec,
    heads: spec[`${kind}_heads`] || spec.heads || 1,
    attention: spec[`${kind}_attention`] || spec.attention,
    pre_norm: norm ? norm === 'pre' : Boolean(spec.pre_norm),
    window: spec[`${kind}_window`] || 0,
  };
}

/** Heads of a layer: one number, or those of encoder, decoder and cross-attention. */
function headsOf(spec) {
  const heads = ['encoder', 'decoder', 'cross'].map((kind) => settingsOf(spec, kind).heads);
  return new Set(heads).size === 1 ? heads.slice(0, 1) : heads;
}

/** "4", or where they differ "4 / 8 / 8". */
export const headsEach = (spec) => headsOf(spec).map(count).join(' / ');

/** "4 heads", or where they differ "4 / 8 / 8 heads". */
export function headsNamed(spec) {
  const [first, ...others] = headsOf(spec);
  return others.length > 0 ? `${headsEach(spec)} heads` : several(first, 'head');
}
