// A model as a diagram: encoder and decoder side by side, or one after the other on a phone.

import {Board} from './diagram_board.js';
import {draw, pageFont, textWidth} from './dom.js';
import {recurrent} from './model_parts.js';
import {settingsOf} from './own_settings.js';
import {fitted, fittedWords} from './shortening.js';
import {withoutMark} from './token_names.js';
import {count, percent, short} from './wording.js';

const height = 44;   // of a block
const between = 18;  // from one to the next
const aside = 26;    // from a block to the way round it
const rim = 14;      // from there to the edge of the layer
const closedHeight = 44;
const narrowGutter = 34;  // left of the blocks on a phone, for the teal way

const nameFont = () => pageFont(14, 600);
const smallFont = () => pageFont(12.5);
/** What stands at the right of a block. */
const figureOf = (block) => block.shared ? `${block.weights[0].name.split('.')[0]}’s table` :
    block.part === 'embed' ? block.weights[0]?.shape.map(count).join(' × ') ?? '' :
                             short(block.count);

/** As wide as its widest words need, and no wider than there is room. */
function blockWidth(blocks, room) {
  const wanted = blocks.map(
      (block) =>
          textWidth(block.name, nameFont()) + textWidth(figureOf(block), smallFont()) + 28 + 18);
  return Math.round(Math.max(150, Math.min(room, Math.max(210, ...wanted))));
}

/** Draws one side of a model on a board. */
class Column {
  /** way: -1: residual ways lie left of the blocks, 1: right. */
  constructor(board, {x, v, width, way, upward, chosen}) {
    Object.assign(this, {board, x, v, width, way, upward, chosen});
    this.reads = [];   // where the teal way enters: {x, v}
    this.from = null;  // where the line that goes on leaves
  }

  /** The trunk, from where it was last to here. */
  trunk(to, arrow = true) {
    if (this.from !== null && to > this.from)
      this.board.line([[this.x, this.from], [this.x, to]], 'trunk', arrow);
    this.from = to;
  }

  block(block) {
    const {board, x, width, v} = this;
    const left = x - width / 2, figure = figureOf(block);
    const room = width - 28;
    const fits = textWidth(block.name, nameFont()) + textWidth(figure, smallFont()) + 10 <= room;
    this.trunk(v);
    const on = block.id === this.chosen;
    board.item(
        v, height, {
          class: `block ${block.part}${block.kind ? ' attention' : ''}`,
          role: 'button',
          'data-block': block.id,
          'aria-pressed': String(on),
          'aria-label': `${block.name}, ${block.side}${
              block.layer < 0 ? '' : `, layer ${block.layer + 1}`}: ${
              block.shared ? 'shares its table' : `${count(block.count)} parameters`}`,
        },
        (top) =>
            [draw('rect', {class: 'block-box', x: left, y: top, width, height, rx: 9}),
             draw('text', {class: 'block-name', x: left + 14, y: top + 27}, block.name),
             fits ? draw(
                        'text', {
                          class: 'block-count',
                          x: left + width - 14,
                          y: top + 27,
                          'text-anchor': 'end'
                        },
                        figure) :
                    null,
    ]);
    this.v += height;
    this.from = this.v;
  }

  /** A block, what leads round it, and where both are added. */
  withResidual(block, preNorm) {
    const {board, x, way} = this;
    const start = this.v + 8, out = x + way * (this.width / 2 + aside);
    this.v = start + between;
    if (preNorm) this.small('norm');
    if (block.part === 'cross') this.reads.push({x: x - this.width / 2, v: this.v + height / 2});
    this.block(block);
    const sum = this.v + 20;
    this.trunk(sum - 10, false);
    board.line([[x, start], [out, start], [out, sum], [x + way * 10, sum]], 'residual', false);
    board.plus(x, sum);
    board.text(x - way * 18, sum, preNorm ? 'add' : 'add, norm', '', way > 0 ? 'end' : 'start');
    this.from = sum + 10;
    this.v = sum + 12;
  }

  /** A step without a block of its own. */
  small(name) {
    const {board, x, v} = this;
    this.trunk(v);
    board.box(x - 34, v, 68, 24, 'small-step', 'front', 8);
    board.text(x, v + 12, name);
    this.v += 24 + between - 4;
    this.from = v + 24;
  }

  openLayer(blocks, layer, preNorm) {
    const {board, x, way, upward} = this;
    const start = this.v, half = this.width / 2 + aside + rim;
    this.v += upward ? 4 : 14;
    for (const block of blocks) this.withResidual(block, preNorm);
    this.v += upward ? 24 : 12;
    board.box(x - half, start, 2 * half, this.v - start, 'layer-box');
    const at = upward ? this.v - 16 : start + 17;
    board.text(
        x - way * (half - 14), at, `Layer ${layer + 1}`, 'layer-name', way > 0 ? 'start' : 'end');
    this.trunk(this.v, false);
    this.v += between;
  }

  closedLayer(blocks, layer) {
    const {board, x, v} = this;
    const half = this.width / 2 + aside + rim, name = `Layer ${layer + 1}`;
    const gap = Math.max(24, Math.min(64, (2 * half - 120) / blocks.length));
    this.trunk(v);
    if (blocks.some(({part}) => part === 'cross'))
      this.reads.push({x: x - half, v: v + closedHeight / 2});
    board.item(
        v, closedHeight, {
          class: 'layer-closed',
          role: 'button',
          'aria-expanded': 'false',
          'data-layer': `${blocks[0].side}.${layer}`,
          'aria-label': `Open ${blocks[0].side} layer ${layer + 1}`
        },
        (top) =>
            [draw('rect', {
               class: 'layer-box',
               x: x - half,
               y: top,
               width: 2 * half,
               height: closedHeight,
               rx: 12
             }),
             draw('text', {class: 'diagram-text layer-name', x: x - half + 14, y: top + 27}, name),
             ...blocks.flatMap((_, i) => {
               const middle = x + (i - (blocks.length - 1) / 2) * gap + 8, w = gap * 0.72;
               return [
                 draw('path', {
                   class: 'way residual',
                   d: `M${middle - w / 2 - 3} ${top + 28}v-4q0 -10 10 -10h${w - 14}q10 0 10 10v4`
                 }),
                 draw(
                     'rect',
                     {class: 'tiny', x: middle - w / 2, y: top + 20, width: w, height: 13, rx: 3})
               ];
             }),
             draw('path', {class: 'opener', d: `M${x + half - 24} ${top + 22}h10m-5 -5v10`}),
    ]);
    this.v += closedHeight;
    this.from = this.v;
    this.v += between;
  }

  /** Words at the begin: what goes in. */
  words(name, text) {
    const {board, x} = this;
    board.text(x, this.v + 10, name, 'side-title', 'middle', 15);
    board.text(
        x, this.v + 30, fittedWords(text, this.width + 2 * aside, smallFont()), 'side-words',
        'middle', 12.5);
    if (this.upward) {  // the name stands above the words there too
      const [words, title] = [board.layers.front.pop(), board.layers.front.pop()];
      board.layers.front.push((y) => words((v) => y(v - 20)), (y) => title((v) => y(v + 20)));
    }
    this.v += 42;
    this.from = this.v;
    this.v += between;
  }

  positions(scheme) {
    const {board, x} = this;
    if (!['sinusoidal', 'learned'].includes(scheme)) {
      this.v += between;
      return;
    }
    const sum = this.v + 22;
    this.trunk(sum - 10, false);
    board.plus(x, sum);
    board.text(x - this.way * 18, sum, `${scheme} positions`, '', this.way > 0 ? 'end' : 'start');
    this.from = sum + 10;
    this.v = sum + 10 + between;
  }

  /** The most probable tokens, as bars. */
  choices(top) {
    if (top.length === 0) return;
    const {board, x, upward} = this;
    this.trunk(this.v + 4);
    const rows = upward ? [...top].reverse() : top;
    rows.forEach(({text, p}, i) => {
      const at = this.v + 20 + i * 22;
      const length = Math.max(2, Math.min(1, p) * (this.width / 2 - 44));
      board.text(
          x - 10, at, fitted(withoutMark(text) || text, this.width / 2 - 10, smallFont()),
          'side-words', 'end', 12.5);
      board.box(x, at - 7, length, 14, 'choice-bar', 'front', 3);
      board.text(x + length + 8, at, percent(p), '', 'start');
    });
    this.v += 20 + rows.length * 22;
  }
}

function transformerColumn(column, side, {spec = {}}, open, words, top) {
  column.words(...words);
  side.before.forEach((block) => column.block(block));
  const embedded = column.v - height / 2;
  column.positions(spec.position);
  const {pre_norm: preNorm} = settingsOf(spec, side.side);
  side.layers.forEach(
      (blocks, layer) => layer === open ? column.openLayer(blocks, layer, preNorm) :
                                          column.closedLayer(blocks, layer));
  side.after.forEach((block) => {
    column.block(block);
    column.v += between;
  });
  column.choices(top);
  return {embedded, end: column.from};
}

/** Before each token the decoder looks at the source, asking with the state it is in. */
function recurrentColumn(column, side, words, top, start = 0) {
  const {board, x, way, width} = column;
  column.words(...words);
  const [embed, attention] = side.before;
  column.block(embed);
  const embedded = column.v - height / 2;
  const states = [];
  const round = x + way * (width / 2 + aside);
  if (attention) {
    column.from = null;
    column.v += between;
    const middle = column.v + height / 2;
    column.reads.push({x: x - width / 2, v: middle});
    column.block(attention);
    const sum = column.v + 24;
    column.trunk(sum - 10, false);
    board.line(
        [[x + way * width / 2, embedded], [round, embedded], [round, sum], [x + way * 10, sum]],
        'residual', false);
    board.plus(x, sum);
    board.text(x - way * 18, sum, 'with the token', '', way > 0 ? 'end' : 'start');
    column.from = sum + 10;
    column.v = sum + 10 + between;
    column.asks = middle;
  }
  column.v = Math.max(column.v + (attention ? 0 : between), start);
  side.layers.forEach(([block], i) => {
    const middle = column.v + height / 2, edge = x + way * width / 2;
    states.push(middle);
    // Its state goes on to the next token; the last one of the decoder asks on its way.
    if (!attention || i < side.layers.length - 1)
      board.line(
          [
            [edge, middle + 9], [edge + way * 18, middle + 9], [edge + way * 18, middle - 9],
            [edge, middle - 9]
          ],
          'state');
    column.block(block);
    column.v += between;
  });
  if (attention) {
    const last = states.at(-1), far = round + rim - 3;
    board.line(
        [
          [x + way * width / 2, last], [far, last], [far, column.asks],
          [x + way * width / 2, column.asks]
        ],
        'state');
  }
  side.after.forEach((block) => {
    column.block(block);
    column.v += between;
  });
  column.choices(top);
  return {embedded, states, end: column.from};
}

/** The teal way from the encoder's end to all that look at the source. */
function readWay(board, from, reads, across, named) {
  for (const {x, v} of reads)
    board.line(
        [[from.x, from.v], [from.x, from.v + 26], [across, from.v + 26], [across, v], [x - 2, v]],
        'read');
  const places = [from.v + 26, ...reads.map(({v}) => v)];
  const [low, high] = [Math.min(...places), Math.max(...places)];
  const label = 'what was read';
  if (named && high - low > textWidth(label, smallFont()) + 40)
    board.sideways(across - 7, (low + high) / 2, label, 'read-name');
}

/**
 * The diagram: {element, upward}. open: {encoder, decoder}, which layer of each is unfolded; words:
 * what goes in, by side; top: the most probable tokens at the end.
 */
export function diagram(model, parts, {room, open, chosen, words, top}) {
  const board = new Board();
  const all = [...parts.blocks.values()];
  const margin = 2 * (aside + rim);
  const gutter = 72;
  const wide = room >= 2 * (blockWidth(all, 400) + margin) + gutter;
  const width = blockWidth(all, wide ? 400 : room - margin - narrowGutter);
  const upward = wide;  // on a phone the decoder follows below the encoder, so the data goes down
  const whole = width + margin;
  const common = {board, width, upward, chosen};
  const titles = [['Encoder reads', words.encoder], ['Decoder writes', words.decoder]];
  const encoder =
      new Column(board, {...common, x: whole / 2 + (wide ? 0 : narrowGutter), v: 4, way: -1});
  const draws = recurrent(model) ?
      (column, side, ...rest) => recurrentColumn(column, side, ...rest) :
      (column, side, title, list) =>
          transformerColumn(column, side, model, open[side.side], title, list);
  const decoderAt = (v) => new Column(
      board, {...common, x: wide ? whole * 1.5 + gutter : whole / 2 + narrowGutter, v, way: 1});
  // A recurrent encoder's layers stand beside those of the decoder, which they start.
  const lead = wide && recurrent(model) ?
      4 + 42 + between + height + between + height + 24 + 10 + between :
      0;
  const read = draws(encoder, parts.encoder, titles[0], [], lead);
  const decoder = decoderAt(wide ? 4 : encoder.v + 44);
  const written = draws(decoder, parts.decoder, titles[1], top);
  const across = wide ? whole + gutter / 2 + 6 : 24;
  readWay(board, {x: encoder.x, v: read.end}, decoder.reads, across, !read.states);
  if (wide && parts.blocks.get('encoder.embed')?.shared) {
    board.line(
        [[encoder.x + width / 2, read.embedded], [decoder.x - width / 2, written.embedded]],
        'shared', false);
    board.text((encoder.x + decoder.x) / 2, read.embedded + (upward ? 11 : -11), 'same table');
  }
  if (wide && read.states)
    read.states.forEach((v, i) => {
      board.line(
          [[encoder.x + width / 2, v], [decoder.x - width / 2, written.states[i]]], 'shared');
      if (i === 0)
        board.text(encoder.x + width / 2 + 8, v + (upward ? 11 : -11), 'last state', '', 'start');
    });
  const total = wide ? 2 * whole + gutter : whole + narrowGutter;
  return {
    element: board.drawn(total, upward, 'Blocks of the model; arrow keys move, Enter opens'),
    upward
  };
}
