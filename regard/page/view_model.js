// What the model is made of: blocks in the order data flows through them, with shapes and counts.

import {make} from './dom.js';
import {Figure} from './figure.js';
import {count, short} from './wording.js';

const names = {
  embed: 'Embedding',
  self: 'Self-attention',
  cross: 'Cross-attention',
  feed: 'Feed-forward',
  output: 'Output',
  around_self: 'Add and norm',
  around_cross: 'Add and norm',
  around_feed: 'Add and norm',
  last: 'Norm',
  attention: 'Attention',
  context: 'Context to gates',
  input: 'Input to gates',
  hidden: 'State to gates',
  readout: 'Readout',
};
const order = [
  'embed', 'attention', 'context', 'self', 'around_self', 'cross', 'around_cross', 'feed',
  'around_feed'
];
const beforeLayers = ['embed', 'attention', 'context'];
const recurrent = (model) => model.architecture === 'bahdanau';
// Settings that mean nothing to a recurrent model.
const transformerOnly = [
  'heads', 'kv_heads', 'position', 'activation', 'pre_norm', 'ffn_dropout', 'epsilon',
  'max_length', 'first_position'
];

/**
 * Weights of one side as [{title, blocks: [{part, weights}]}]: the layers, and what stands around
 * them.
 */
function stacks(weights, side) {
  const layers = new Map();
  for (const weight of weights) {
    const parts = weight.name.split('.');
    if (parts[0] !== side) continue;
    const numbered = parts.findIndex((part) => /^\d+$/.test(part));
    const layer = numbered >= 0 ? Number(parts[numbered]) : -1;
    const part = parts[numbered >= 0 ? numbered + 1 : 1] || parts[0];
    if (!layers.has(layer)) layers.set(layer, new Map());
    if (!layers.get(layer).has(part)) layers.get(layer).set(part, []);
    layers.get(layer).get(part).push(weight);
  }
  const place = (part) => order.includes(part) ? order.indexOf(part) : order.length;
  return [...layers]
      .sort((a, b) => a[0] - b[0])
      .map(([layer, blocks]) => ({
             layer,
             blocks: [...blocks]
                         .sort((a, b) => place(a[0]) - place(b[0]))
                         .map(([part, list]) => ({part, weights: list})),
           }));
}

const total = (weights) => weights.reduce((sum, weight) => sum + weight.count, 0);
const shape = (weight) => weight.shape.join(' × ');

function block(app, side, layer, {part, weights}) {
  const kind = part === 'cross' || part === 'attention' ? 'cross' : part === 'self' ? side : '';
  const shapes = weights.filter((weight) => weight.shape.length > 1).map(shape).join(', ') ||
      weights.map(shape).slice(0, 1).join('');
  const content = [
    make('span', {class: 'block-name'}, names[part] || part.replaceAll('_', ' ')),
    make('span', {class: 'block-shape'}, shapes),
    make('span', {class: 'block-count'}, short(total(weights))),
  ];
  const tone = kind ? 'attention' : part === 'feed' ? 'feed' : part === 'embed' ? 'embed' : 'norm';
  if (!kind || !app.trace || app.trace.of(kind).length === 0)
    return make('li', {class: `block ${tone}`}, ...content);
  const target = {view: 'heads', kind, layer: Math.max(0, layer), head: 0};
  return make(
      'li', {class: `block ${tone}`},
      make(
          'a', {
            href: app.address(target),
            on: {
              click: (event) => {
                event.preventDefault();
                app.set(target);
              }
            },
          },
          ...content));
}

const flow = (text) => make('li', {class: 'flow'}, text);

/** The embedding of an encoder that has none of its own: all tables are one. */
const sharedEmbedding = () => make(
    'li', {class: 'block embed'}, make('span', {class: 'block-name'}, 'Embedding'),
    make('span', {class: 'block-shape'}, 'shared with the decoder'),
    make('span', {class: 'block-count'}));

/** What follows the embedding: positions, where the model needs them. */
function embedded(side, model) {
  const {spec = {}} = model;
  const shape = `[${side === 'encoder' ? 'S' : 'T'}, ${spec.d_model ?? ''}]`;
  return flow(recurrent(model) ? shape : `${spec.position || ''} positions · ${shape}`);
}

function layerItems(app, side, model, {layer, blocks}) {
  const {spec = {}} = model;
  const width = (recurrent(model) ? spec.d_hidden : spec.d_model) ?? '';
  return [
    make(
        'li', {class: 'layer'},
        make('h3', {}, `${recurrent(model) ? 'Recurrent layer' : 'Layer'} ${layer + 1}`),
        make('ol', {}, ...blocks.map((each) => block(app, side, layer, each)))),
    flow(`[${side === 'encoder' ? 'S' : 'T'}, ${width}]`)
  ];
}

function ends(side, model) {
  if (side === 'encoder')
    return [
      'source tokens [S]',
      recurrent(model) ? 'to the attention, at every step' : 'to every cross-attention'
    ];
  const size = count(model.vocabulary ? model.vocabulary.target : 0);
  return side === 'decoder' ? ['target tokens so far [T]', `output: [T, ${size}], softmax`] : [];
}

function stack(app, side, model) {
  const own = model.weights.filter((weight) => weight.name.startsWith(`${side}.`));
  const layers = stacks(own, side);
  const outside = layers.filter(({layer}) => layer < 0).flatMap(({blocks}) => blocks);
  const tied = side === 'encoder' && model.spec?.tied === 'all' &&
      !outside.some(({part}) => part === 'embed');
  const before = outside.filter(({part}) => beforeLayers.includes(part))
                     .flatMap(
                         (each) =>
                             [block(app, side, -1, each),
                              each.part === 'embed' ? embedded(side, model) : null]);
  const after = outside.filter(({part}) => !beforeLayers.includes(part))
                    .map((each) => block(app, side, -1, each));
  const [input, end] = ends(side, model);
  return make(
      'div', {class: 'stack'},
      make(
          'h3', {class: 'stack-title'}, side[0].toUpperCase() + side.slice(1),
          make('span', {}, `${short(total(own))} parameters`)),
      make(
          'ol', {}, input ? flow(input) : null,
          ...(tied ? [sharedEmbedding(), embedded(side, model)] : []), ...before,
          ...layers.filter(({layer}) => layer >= 0)
              .flatMap((each) => layerItems(app, side, model, each)),
          ...after, end ? flow(end) : null));
}

export function modelView(app) {
  const figure = new Figure({
    title: 'Model',
    name: 'model',
    data: () => ({
      columns: ['weight', 'shape', 'count'],
      rows: (app.model ? app.model.weights : [])
                .map((weight) => [weight.name, shape(weight), weight.count])
    }),
    json: () => app.model,
  });
  const facts = make('dl', {class: 'facts-list'});
  const element = make(
      'div', {class: 'view'}, make('h1', {class: 'unseen'}, 'Model'),
      make('div', {class: 'card'}, figure.element),
      make('div', {class: 'card'}, make('h2', {class: 'figure-title'}, 'Settings'), facts));

  function update(changed) {
    if (!['trace', 'model', 'view'].some((name) => changed.has(name))) return;
    const {model} = app;
    if (!model || !model.weights) {
      figure.summary.textContent = 'This file was saved without the model’s description.';
      figure.refresh(false);
      return;
    }
    const sides = [...new Set(model.weights.map((weight) => weight.name.split('.')[0]))];
    const rank =
        (side) => ['encoder', 'decoder'].includes(side) ? ['encoder', 'decoder'].indexOf(side) : 2;
    sides.sort((a, b) => rank(a) - rank(b));
    figure.side.textContent =
        `${model.name} · ${model.architecture} · ${short(model.parameters)} parameters`;
    figure.body.replaceChildren(
        make('div', {class: 'stacks'}, ...sides.map((side) => stack(app, side, model))));
    const {source, target, kind} = model.vocabulary || {};
    figure.summary.textContent =
        `${model.name} translates ${model.fromName || model.from} to ${model.toName || model.to}: ${
            count(model.parameters)} parameters in ${model.weights.length} weights; ` +
        `vocabularies of ${count(source || 0)} and ${count(target || 0)} ${
            kind ||
            'tokens'}. Follow an attention block to its ${recurrent(model) ? 'weights' : 'heads'}.`;
    const useful = ([name]) => !recurrent(model) || !transformerOnly.includes(name);
    facts.replaceChildren(...Object.entries({...model.spec, hash: model.hash})
                              .filter(useful)
                              .map(
                                  ([name, value]) => make(
                                      'div', {}, make('dt', {}, name.replaceAll('_', ' ')),
                                      make('dd', {}, String(value)))));
    figure.refresh();
  }
  return {element, update};
}
