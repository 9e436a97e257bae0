// One block in words and numbers: what it does, and the shapes of what goes through it for the
// sentence at hand.

import {headsOf, recurrent} from './model_parts.js';
import {readsPictures} from './model_views.js';
import {settingsOf} from './own_settings.js';
import {count, several} from './wording.js';

const times = (...sizes) =>
    sizes.map((size) => typeof size === 'number' ? count(size) : size).join(' × ');

const schemes = {
  rotary: ' Positions turn its queries and keys.',
  alibi: ' Positions lower the scores of what is far away.',
};

/** What a row of a side stands for. */
const rowOf = (model, side) => readsPictures(model) && side === 'encoder' ? 'patch' : 'token';

function embedded({spec: {d_model: width, image_patch: side}}) {
  return `Each patch of ${side} × ${side} pixels becomes ${
      count(width)} numbers: its levels times a weight. Where it stands, its row and its column, is added.`;
}

/** What a block does, in a sentence or two. */
export function meaning(block, model) {
  const {spec = {}} = model, {heads, groups} = headsOf(model, block.kind);
  const {window} = settingsOf(spec, block.kind);
  const look =
      heads === 1 ? 'Its one head looks.' : `${several(heads, 'head')} look for different things.`;
  const fewer = groups < heads ? ` They share ${several(groups, 'head')} of keys and values.` : '';
  const added = ['sinusoidal', 'sinusoidal-halves', 'learned'].includes(spec.position) && !recurrent(model) ?
      ` ${spec.position[0].toUpperCase()}${spec.position.slice(1)} positions are added.` :
      '';
  const row = rowOf(model, block.side), source = rowOf(model, 'encoder');
  const turned = block.part === 'self' ? schemes[spec.position] || '' : '';
  switch (block.part) {
    case 'embed':
      if (row === 'patch') return embedded(model);
      return `Each token becomes ${count(spec.d_model)} numbers: its row of the table.${added}${
          block.shared ? ' Encoder and decoder have one table.' : ''}`;
    case 'self':
      return (block.side === 'encoder' ?
                  `Every ${row} looks at ${
                      window ? `those at most ${several(window, row)} away` : `every ${row}`}.` :
                  `Each token looks at itself and at ${
                      window ? `the ${several(window, 'token')}` :
                               'those'} before it; what comes later is hidden.`) +
          ` ${look}${fewer}${turned}`;
    case 'cross':
      return `Each output token looks at ${
          source === 'patch' ? 'the patches of the picture' : 'the source tokens'}. ${look}${fewer}`;
    case 'feed':
      return `Each ${row} by itself: widened to ${count(spec.d_hidden)} numbers, ${
          spec.activation || 'relu'}, and back.`;
    case 'last':
      return `Brings the numbers of each ${row} to one scale before they leave.`;
    case 'output':
      return `The numbers of each token are compared with a row of ${
          block.shared ?
              'the decoder’s table' :
              'its table'} for each token of the vocabulary; softmax makes them probabilities.`;
    case 'attention':
      return `Before each token: the last state asks, every source token answers. One head, ${
          spec.attention || 'additive'} scores.`;
    case 'cells':
      return block.side === 'encoder' ?
          'Gated recurrent units read the source token by token, from left to right. Each state goes on to the next token.' :
          `Gated recurrent units: one state per token${
              block.layer === 0 ? ', from the token, what was read and the state before' :
                                  ''}. It starts from the encoder’s last state.`;
    case 'readout':
      return 'Joins the state, what was read and the token, tanh, for the output.';
    default:
      return '';
  }
}

/** [name, shape, exact] of what goes through a block: S source tokens, T output tokens. */
export function shapes(block, model, {S, T}) {
  const {spec = {}} = model, {heads, groups, width} = headsOf(model, block.kind);
  const D = spec.d_model, F = spec.d_hidden, n = block.side === 'encoder' ? S : T;
  const vocabulary = model.vocabulary?.[block.side === 'encoder' ? 'source' : 'target'] ?? 0;
  const perHead = (number, rows) => `${several(number, 'head')} × ${times(rows, width)}`;
  const attention = (rows, columns) => [
      ['queries', perHead(heads, rows)], ['keys, values', perHead(groups, columns)],
      ['weights', times(heads, rows, columns)]];
  switch (block.part) {
    case 'embed':
      return [['reads', several(n, 'token')], ['writes', times(n, D)]];
    case 'self':
      return [['reads', times(n, D)], ...attention(n, n), ['writes', times(n, D)]];
    case 'cross':
      return [
        ['reads', times(T, D)], ['from the encoder', times(S, D)], ...attention(T, S),
        ['writes', times(T, D)]
      ];
    case 'feed':
      return [['reads', times(n, D)], ['inside', times(n, F)], ['writes', times(n, D)]];
    case 'last':
      return [['reads', times(n, D)], ['writes', times(n, D)]];
    case 'output':
      return [['reads', times(T, D)], ['writes', times(T, vocabulary)]];
    case 'attention':
      return [
        ['query', times(T, F)], ['keys, values', times(S, F)], ['weights', times(T, S)],
        ['writes', times(T, F)]
      ];
    case 'cells':
      return [
        ['reads',
         times(
             n,
             block.layer                  ? F :
                 block.side === 'encoder' ? D :
                                            D + F)],
        ['state', count(F)], ['gates', times(n, 3, F)], ['writes', times(n, F)]
      ];
    case 'readout':
      return [['reads', times(T, 2 * F + D)], ['writes', times(T, D)]];
    default:
      return [];
  }
}

const gates = ['reset', 'update', 'new'];

/**
 * The matrices of a block that can be looked at: [{name, parameter, shape, from, to, across,
 * down}]: columns from .. to of the parameter, and into how many heads or gates they part.
 */
export function matrices(block, model) {
  const {heads, groups, width} = headsOf(model, block.kind);
  const pieces = (weight, list) => {
    let at = 0;
    return list.map(([name, columns,
                      across]) => ({name, weight, from: at, to: at += columns, across, down: 1}));
  };
  const whole = (name, weight, across = 1, down = 1) =>
      ({name, weight, from: 0, to: weight.shape.at(-1), across, down});
  const result = [];
  for (const weight of block.weights) {
    const last = weight.name.split('.').slice(-2).join('.');
    if (weight.shape.length < 2 || weight.name.endsWith('_scale')) continue;
    if (block.part === 'self' && last === 'packed.weight')
      result.push(...pieces(weight, [
        ['queries', heads * width, heads], ['keys', groups * width, groups],
        ['values', groups * width, groups]
      ]));
    else if (block.part === 'cross' && last === 'packed.weight')
      result.push(...pieces(
          weight, [['keys', groups * width, groups], ['values', groups * width, groups]]));
    else if (block.kind && last === 'query.weight')
      result.push(whole('queries', weight, heads));
    else if (block.kind && last === 'output.weight')
      result.push(whole('output', weight, 1, heads));
    else if (block.part === 'cells')
      result.push(...pieces(
          weight,
          gates.map((gate) => [`${last.split('.')[0]}, ${gate}`, weight.shape.at(-1) / 3, 1])));
    else
      result.push(whole(
          {
            'embed.table': 'table',
            'output.table': 'table',
            'position.table': 'positions',
            'attention.query': 'query',
            'attention.key': 'key',
            'attention.judge': 'score'
          }[last] ||
              last.split('.')[0],
          weight));
  }
  return result;
}
