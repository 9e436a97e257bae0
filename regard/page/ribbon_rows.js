// Source words above, output words below, ribbons between: the wider and further from the paper,
// the more weight. Long sentences wrap at seams; a ribbon between rows ends in a stub beyond the
// words, with its partner's name.

import {weightPaint} from './colour.js';
import {draw, drawnToWidth, make, textWidth} from './dom.js';
import {lightWords, linkedWord} from './linked_words.js';
import {Morph} from './morph.js';
import {seams} from './seams.js';
import {shortened} from './shortening.js';
import {StubLane} from './stub_lane.js';
import {attends} from './wording.js';

// More shapes than this slow a browser down; the weakest ribbons go first.
const mostRibbons = 500;
const leastStub = 0.25;  // weaker ribbons between rows are left out
const longestName = 14;
const widestGap = 56;
const fingertip = 44;  // least width of a word on a narrow screen, as the style sheet has it

const sum = (numbers) => numbers.reduce((total, each) => total + each, 0);

export class RibbonRows {
  /**
   * picked(index, word): a word below was clicked; pointed(side, index): a word is looked at, or
   * none; extra(index): what stands under a word below, {children, width}; calm: nothing moves.
   */
  constructor({picked = () => {}, pointed = () => {}, extra, calm}) {
    Object.assign(this, {picked, pointed, extra, calm});
    this.element = make('div', {class: 'ribbon-rows'});
    this.words = [[], []];
    this.links = [];
    this.paths = new Map();  // of ribbons within a row, by "upper.lower"
    this.redraw = drawnToWidth(this.element, () => this.data && this.layout());
  }

  /** data: {upper, lower, weights [lower, upper], least, names}. */
  show(data) {
    const before = this.data && !this.calm ? new Morph(this.data, this.words, this.paths) : null;
    this.data = data;
    this.extras = data.lower.map((_, i) => this.extra(i));
    this.words = [data.upper, data.lower].map(
        (texts, side) => texts.map((text, i) => this.word(text, side, i)));
    this.redraw();
    before?.into(data, this.words, this.paths, this.links);
  }

  /** Another threshold, the same words. */
  thin(least) {
    this.data.least = least;
    this.redraw();
  }

  word(text, side, index) {
    const own = {
      neighbours: () => this.words[side],
      index,
      look: (aloud) => this.look(side, index, aloud),
      leave: () => this.look(),
      picked: (word) => side === 1 && this.picked(index, word),
    };
    return linkedWord(text, own, ...(side === 1 ? this.extras[index].children : []));
  }

  look(side, index, aloud = false) {
    this.light(side, index, aloud);
    this.pointed(side, index);
  }

  /** Lights a word and all that it is joined with; nothing: all as before. */
  light(side, index, aloud = false) {
    const any = side !== undefined;
    lightWords(this.data, this.words, side, index, aloud);
    for (const {shape, ends} of this.links) {
      const own = any && ends[side] === index;
      shape.classList.toggle('lit', own);
      shape.classList.toggle('faded', any && !own);
    }
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
    const smallest = narrow ? fingertip : 0;
    const width = (text) =>
        Math.min(room, Math.max(smallest, Math.ceil(textWidth(text, font)) + pad + 1));
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
      const lanes = [0, 1].map((side) => new StubLane(side));
      const parts = [lines[0], svg, ...lanes.map((lane) => lane.svg), lines[1]];
      return {svg, lanes, element: make('div', {class: 'ribbon-row'}, ...parts)};
    });
    this.element.replaceChildren(...boxes.map((box) => box.element));
    if (this.words.flat().includes(focused)) focused.focus();
    this.drawRibbons(boxes);
  }

  drawRibbons(boxes) {
    const {upper, lower, weights, least} = this.data;
    const rowOf = (side, index) => this.rows.findIndex(
        (row) => index < [row.source, row.target][side][1] &&
            index >= [row.source, row.target][side][0]);
    const places = [upper, lower].map((list, side) => list.map((_, i) => rowOf(side, i)));
    const frames = boxes.map(({svg}) => svg.getBoundingClientRect());
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
    this.paths = new Map();
    const shapes = boxes.map(() => []);
    const font = `12px ${getComputedStyle(this.element).fontFamily}`;
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
        this.paths.set(`${i}.${j}`, d);
        const shape = draw('path', {...look, d}, title());
        this.links.push({shape, ends: [i, j]});
        shapes[above].unshift(shape);  // the strongest last, above the others
        continue;
      }
      if (weight < leastStub) continue;
      const ends = [[above, 0, i, lower[j], below > above], [below, 1, j, upper[i], above > below]];
      for (const [row, side, index, partner, later] of ends) {
        const name = `${later ? '↓' : '↑'} ${shortened(partner, longestName)}`;
        const at = middles[side][index];
        const stub =
            boxes[row].lanes[side].add({at, name, width: frames[row].width, font, look, title});
        for (const shape of stub || []) this.links.push({shape, ends: [i, j]});
      }
    }
    boxes.forEach(({svg, lanes}, row) => {
      const {width, height} = frames[row];
      svg.setAttribute('viewBox', `0 0 ${width || 1} ${height || 1}`);
      svg.replaceChildren(...shapes[row]);
      for (const lane of lanes) lane.close(width);
    });
  }
}
