// What a model is made of, as blocks in the order in which data passes them, by the names of its
// parameters.

import {readsPictures} from './model_views.js';
import {settingsOf} from './own_settings.js';

export const recurrent = (model) => model.recurrent;

const names = {
  embed: 'Embedding',
  self: 'Self-attention',
  cross: 'Cross-attention',
  feed: 'Feed-forward',
  last: 'Layer norm',
  output: 'Output',
  attention: 'Attention',
  cells: 'GRU',
  readout: 'Readout',
};

const total = (weights) => weights.reduce((sum, weight) => sum + weight.count, 0);

function block(side, layer, part, weights, more = {}) {
  return {
    id: [side, ...(layer < 0 ? [] : [layer]), part].join('.'),
    side,
    layer,
    part,
    name: names[part] || part.replaceAll('_', ' '),
    weights,
    count: total(weights),
    ...more,
  };
}

/** The blocks of one side: {side, before, layers: [[block]], after}. */
function transformerSide(model, side) {
  const {spec = {}, weights} = model;
  const under = (path) => weights.filter(({name}) => name.startsWith(`${side}.${path}.`));
  const depth =
      spec[`${side}_layers`] ?? new Set(under('blocks').map(({name}) => name.split('.')[2])).size;
  const kinds = side === 'encoder' ? ['self', 'feed'] : ['self', 'cross', 'feed'];
  const layers = Array.from(
      {length: depth},
      (_, layer) => kinds.map(
          (part) => block(side, layer, part, under(`blocks.${layer}.${part}`), {
            around: under(`blocks.${layer}.around_${part}`),
            kind: part === 'feed' ? '' :
                part === 'cross'  ? 'cross' :
                                    side,
            name: part === 'self' && side === 'decoder' ? 'Masked self-attention' : names[part],
          })));
  const last = under('last');
  return {
    side,
    before: [embedding(model, side)],
    layers,
    after: [
      ...(last.length ? [block(side, -1, 'last', last)] : []),
      ...(side === 'decoder' ? [output(model)] : [])
    ],
  };
}

/** The table of a side; one that is shared stands where it was first. */
function embedding(model, side) {
  const own = model.weights.filter(({name}) => name.startsWith(`${side}.embed.`));
  const table = own.find(({name}) => name.endsWith('.embed.table'));
  const patches = side === 'encoder' && readsPictures(model);
  const shared = !table && !patches && model.weights.find(({name}) => name.endsWith('.embed.table'));
  return block(side, -1, 'embed', shared ? [shared, ...own] : own, {shared: Boolean(shared)});
}

function output(model) {
  const own = model.weights.filter(({name}) => name.startsWith('output.'));
  const tied = !own.some(({name}) => name.endsWith('.table')) &&
      model.weights.find(({name}) => name === 'decoder.embed.table');
  return block('decoder', -1, 'output', tied ? [tied, ...own] : own, {shared: Boolean(tied)});
}

function recurrentSide(model, side) {
  const {spec = {}, weights} = model;
  const under = (path) => weights.filter(({name}) => name.startsWith(`${side}.${path}.`));
  const depth = spec[`${side}_layers`] ??
      new Set(under('cells.layers').map(({name}) => name.split('.')[3])).size;
  const layers = Array.from(
      {length: depth},
      (_, layer) => [block(
          side, layer, 'cells',
          [...under(`cells.layers.${layer}`), ...(layer ? [] : under('context'))],
          {name: depth > 1 ? `GRU ${layer + 1}` : 'GRU'})]);
  if (side === 'encoder') return {side, before: [embedding(model, side)], layers, after: []};
  return {
    side,
    before:
        [embedding(model, side), block(side, -1, 'attention', under('attention'), {kind: 'cross'})],
    layers,
    after: [block(side, -1, 'readout', under('readout')), output(model)],
  };
}

/** {encoder, decoder, blocks: Map of id -> block}. */
export function partsOf(model) {
  const side = recurrent(model) ? recurrentSide : transformerSide;
  const [encoder, decoder] = ['encoder', 'decoder'].map((name) => side(model, name));
  const all = [encoder, decoder].flatMap(
      ({before, layers, after}) => [...before, ...layers.flat(), ...after]);
  return {encoder, decoder, blocks: new Map(all.map((each) => [each.id, each]))};
}

/** Heads, heads of keys and values, and the width of each. */
export function headsOf({spec = {}}, kind) {
  const {heads} = settingsOf(spec, kind);
  return {heads, groups: spec.kv_heads || heads, width: spec.d_model / heads};
}
