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
};
const order = ['embed', 'self', 'around_self', 'cross', 'around_cross', 'feed', 'around_feed'];

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
  const kind = part === 'cross' ? 'cross' : part === 'self' ? side : '';
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

function stack(app, side, model) {
  const spec = model.spec || {};
  const length = side === 'encoder' ? 'S' : 'T';
  const flow = (text) => make('li', {class: 'flow'}, text);
  const items = stacks(model.weights, side).flatMap(({layer, blocks}) => {
    const inside = blocks.map((each) => block(app, side, layer, each));
    if (layer < 0)
      return [
        ...inside,
        side === 'encoder' || side === 'decoder' ?
            flow(`${spec.position || ''} positions · [${length}, ${spec.d_model ?? ''}]`) :
            null
      ];
    return [
      make('li', {class: 'layer'}, make('h3', {}, `Layer ${layer + 1}`), make('ol', {}, ...inside)),
      flow(`[${length}, ${spec.d_model ?? ''}]`)
    ];
  });
  const input = side === 'encoder' ? 'source tokens [S]' :
      side === 'decoder'           ? 'target tokens so far [T]' :
                                     '';
  const end = side === 'encoder' ?
      'to every cross-attention' :
      side === 'decoder' ?
      `output: [T, ${count(model.vocabulary ? model.vocabulary.target : 0)}], softmax` :
      '';
  const own = model.weights.filter((weight) => weight.name.startsWith(`${side}.`));
  return make(
      'div', {class: 'stack'},
      make(
          'h3', {class: 'stack-title'}, side[0].toUpperCase() + side.slice(1),
          make('span', {}, `${short(total(own))} parameters`)),
      make('ol', {}, input ? flow(input) : null, ...items, end ? flow(end) : null));
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
            kind || 'tokens'}. Follow an attention block to its heads.`;
    facts.replaceChildren(...Object.entries({...model.spec, hash: model.hash})
                              .map(
                                  ([name, value]) => make(
                                      'div', {}, make('dt', {}, name.replaceAll('_', ' ')),
                                      make('dd', {}, String(value)))));
    figure.refresh();
  }
  return {element, update};
}
