// Source words above, output words below, ribbons between: the wider and further from the paper, the
// more weight. Long sentences wrap at seams; a ribbon between rows ends in a stub with its partner's
// name.

import {weightPaint} from './colour.js';
import {draw, drawnToWidth, make, roving, say, textWidth} from './dom.js';
import {seams} from './seams.js';
import {attends, percent, quoted} from './wording.js';

// More shapes than this slow a browser down; the weakest ribbons go first.
const mostRibbons = 500;
const leastStub = 0.25;  // weaker ribbons between rows are left out
const longestName = 14;
const widestGap = 56;

const sum = (numbers) => numbers.reduce((total, each) => total + each, 0);
const shortened = (word) =>
    word.length > longestName ? `${word.slice(0, longestName - 1)}…` : word;

export class RibbonRows {
  /**
   * picked(index, word): a word below was clicked; pointed(side, index): a word is looked at, or
   * none; extra(index): what stands under a word below, {children, width}.
   */
  constructor({picked = () => {}, pointed = () => {}, extra}) {
    Object.assign(this, {picked, pointed, extra});
    this.element = make('div', {class: 'ribbon-rows'});
    this.words = [[], []];
    this.links = [];
    this.redraw = drawnToWidth(this.element, () => this.data && this.layout());
  }

  /** data: {upper, lower, weights [lower, upper], least, names}. */
  show(data) {
    this.data = data;
    this.extras = data.lower.map((_, i) => this.extra(i));
    this.words = [data.upper, data.lower].map(
        (texts, side) => texts.map((text, i) => this.word(text, side, i)));
    this.redraw();
  }

  /** Another threshold, the same words. */
  thin(least) {
    this.data.least = least;
    this.redraw();
  }

  word(text, side, index) {
    return make(
        'button', {
          type: 'button',
          class: 'word',
          tabindex: index === 0 ? '0' : '-1',
          on: {
            pointerenter: () => this.look(side, index),
            pointerleave: () => this.look(),
            focus: () => this.look(side, index, true),
            blur: () => this.look(),
            click: (event) => side === 1 && this.picked(index, event.currentTarget),
            keydown: (event) => {
              const rightToLeft =
                  getComputedStyle(event.currentTarget.parentElement).direction === 'rtl';
              if (roving(this.words[side], index, event.key, rightToLeft) >= 0)
                event.preventDefault();
            },
          },
        },
        make('span', {class: 'word-text'}, text),
        ...(side === 1 ? this.extras[index].children : []));
  }

  look(side, index, aloud = false) {
    this.light(side, index, aloud);
    this.pointed(side, index);
  }

  weight(side, index, partner) {
    return side === 1 ? this.data.weights.at(index, partner) : this.data.weights.at(partner, index);
  }

  /** Lights a word and all that it is joined with; nothing: all as before. */
  light(side, index, aloud = false) {
    const any = side !== undefined;
    this.words.flat().forEach((word) => word.classList.remove('lit', 'partner'));
    if (any) {
      this.words[side][index]?.classList.add('lit');
      const other = this.words[1 - side];
      const partners =
          other.map((_, i) => i)
              .filter((i) => this.weight(side, index, i) >= this.data.least)
              .sort((a, b) => this.weight(side, index, b) - this.weight(side, index, a));
      partners.forEach((i) => other[i].classList.add('partner'));
      if (aloud) say(this.sentence(side, index, partners));
    }
    for (const {shape, ends} of this.links) {
      const own = any && ends[side] === index;
      shape.classList.toggle('lit', own);
      shape.classList.toggle('faded', any && !own);
    }
  }

  sentence(side, index, partners) {
    const {upper, lower, least} = this.data;
    const word = [upper, lower][side][index];
    if (partners.length === 0) return `${quoted(word)}: no link above ${percent(least)}`;
    const link = (i) => side === 1 ? attends(word, upper[i], this.weight(side, index, i)) :
                                     attends(lower[i], word, this.weight(side, index, i));
    return partners.slice(0, 3).map(link).join(', ');
  }

  /** Which words stand in which row, and how far apart. */
  layout() {
    const {upper, lower, weights, least, names} = this.data;
    const room = Math.max(120, this.element.clientWidth);
    const narrow = room < 560;
    const size = narrow ? 16 : upper.length > 40 ? 17 : 18;
    const pad = narrow ? 8 : 12;  // of a word, both sides together, as the style sheet has it
    const gap = narrow ? 2 : 6;
    const font = `${size}px ${getComputedStyle(this.element).fontFamily}`;
    const width = (text) => Math.min(room, Math.ceil(textWidth(text, font)) + pad + 1);
    const widths = [
      upper.map(width),
      lower.map((text, i) => Math.min(room, Math.max(width(text), this.extras[i].width + pad))),
    ];
    this.rows = seams({
      sources: widths[0],
      targets: widths[1],
      weights: (target, source) => weights.at(target, source),
      room,
      gap,
      least,
    });
    this.element.classList.toggle('several', this.rows.length > 1);
    this.element.classList.toggle('narrow', narrow);
    this.element.style.setProperty('--word-size', `${size}px`);
    const focused = document.activeElement;
    const boxes = this.rows.map((row) => {
      const ranges = [row.source, row.target];
      const own = ranges.map(([from, to], side) => widths[side].slice(from, to));
      // Both sides reach equally far, where that does not tear one apart.
      const spread = own.map(
          (list) => sum(list) +
              Math.min(widestGap, (room - sum(list)) / Math.max(1, list.length - 1)) *
                  Math.max(0, list.length - 1));
      const span = Math.min(room, Math.max(...spread));
      const lines = ranges.map(([from, to], side) => {
        const free = (span - sum(own[side])) / Math.max(1, own[side].length - 1);
        const between = Math.max(0, Math.min(2 * widestGap, free) - 0.01);
        return make(
            'div', {
              class: 'words',
              role: 'group',
              dir: 'auto',
              'aria-label': names[side],
              style: {'column-gap': `${between}px`},
            },
            ...this.words[side].slice(from, to));
      });
      const svg = draw('svg', {class: 'ribbons', 'aria-hidden': 'true'});
      return {svg, element: make('div', {class: 'ribbon-row'}, lines[0], svg, lines[1])};
    });
    this.element.replaceChildren(...boxes.map((box) => box.element));
    if (this.words.flat().includes(focused)) focused.focus();
    this.drawRibbons(boxes.map((box) => box.svg));
  }

  drawRibbons(pictures) {
    const {upper, lower, weights, least} = this.data;
    const rowOf = (side, index) => this.rows.findIndex(
        (row) => index < [row.source, row.target][side][1] &&
            index >= [row.source, row.target][side][0]);
    const places = [upper, lower].map((list, side) => list.map((_, i) => rowOf(side, i)));
    const frames = pictures.map((svg) => svg.getBoundingClientRect());
    const middles = this.words.map((list, side) => list.map((word, i) => {
      const box = word.getBoundingClientRect();
      return (box.left + box.right) / 2 - frames[places[side][i]].left;
    }));
    const joined = [];
    for (let j = 0; j < lower.length; ++j)
      for (let i = 0; i < upper.length; ++i)
        if (weights.at(j, i) >= Math.max(least, 0.01)) joined.push([weights.at(j, i), j, i]);
    joined.sort((a, b) => b[0] - a[0]);
    this.links = [];
    const shapes = pictures.map(() => []);
    const taken = pictures.map(() => []);
    const add = (row, ends, shape) => {
      this.links.push({shape, ends});
      shapes[row].unshift(shape);  // the strongest last, above the others
    };
    for (const [weight, j, i] of joined.slice(0, mostRibbons)) {
      const [above, below] = [places[0][i], places[1][j]];
      const look = {
        class: 'ribbon',
        'data-lower': j,
        'data-upper': i,
        style: {stroke: weightPaint(0.3 + 0.6 * weight)},
        'stroke-width': (1 + 8.5 * weight).toFixed(2),
      };
      const title = () => draw('title', {}, attends(lower[j], upper[i], weight));
      if (above === below) {
        const {height} = frames[above];
        const [from, to] = [middles[0][i], middles[1][j]];
        const d = `M${from} 0C${from} ${height / 2} ${to} ${height / 2} ${to} ${height}`;
        add(above, [i, j], draw('path', {...look, d}, title()));
        continue;
      }
      if (weight < leastStub) continue;
      [[above, 0, i, lower[j], below > above], [below, 1, j, upper[i], above > below]].forEach(
          ([row, side, index, partner, later]) => {
            const name = `${later ? '↓' : '↑'} ${shortened(partner)}`;
            const parts = this.stub(middles[side][index], side, frames[row], name, taken[row]);
            if (!parts) return;
            add(row, [i, j], draw('path', {...look, d: parts.d, class: 'ribbon stub'}, title()));
            add(row, [i, j], draw('text', {class: 'stub-name', x: parts.x, y: parts.y}, name));
          });
    }
    pictures.forEach((svg, row) => {
      svg.setAttribute('viewBox', `0 0 ${frames[row].width || 1} ${frames[row].height || 1}`);
      svg.replaceChildren(...shapes[row]);
    });
  }

  /** The end of a ribbon whose partner stands in another row; null where another's name stands. */
  stub(at, side, {width, height}, name, taken) {
    const half = textWidth(name, `12px ${getComputedStyle(this.element).fontFamily}`) / 2 + 3;
    const x = Math.min(width - half, Math.max(half, at));
    const busy = taken.some(
        (each) => each.side === side && Math.abs(each.x - x) < each.half + half);
    if (busy) return null;
    taken.push({side, x, half});
    const [from, to] = side === 0 ? [0, 16] : [height, height - 16];
    return {x, y: side === 0 ? 29 : height - 21, d: `M${at} ${from}L${at} ${to}`};
  }
}
