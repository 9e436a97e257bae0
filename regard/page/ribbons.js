// Two columns of words with ribbons between them: the wider and stronger, the more weight.

import {draw, drawnToWidth, make} from './dom.js';
import {lightWords, linkedWord} from './linked_words.js';

// More shapes than this slow a browser down; the weakest ribbons go first.
const mostRibbons = 360;

export class Ribbons {
  /** picked(index) is called when a word of the second column is clicked. */
  constructor({picked = () => {}}) {
    this.picked = picked;
    this.svg = draw('svg', {class: 'ribbons', 'aria-hidden': 'true'});
    this.rows = [0, 1].map(() => make('div', {class: 'words', role: 'group', dir: 'auto'}));
    this.element = make('div', {class: 'ribbon-box down'}, this.rows[0], this.svg, this.rows[1]);
    this.lit = null;
    this.redraw = drawnToWidth(this.element, () => this.data && this.drawRibbons());
  }

  /**
   * data: {upper, lower, weights [lower, upper], least, names}: names says what the words of the
   * first and of the second column are.
   */
  show(data) {
    this.data = data;
    this.lit = null;
    this.words = [data.upper, data.lower].map(
        (texts, side) => texts.map((text, i) => this.word(text, side, i)));
    this.rows.forEach((row, side) => {
      const name = make('span', {class: 'side-name', 'aria-hidden': 'true'}, data.names[side]);
      row.setAttribute('aria-label', data.names[side]);
      row.replaceChildren(name, ...this.words[side]);
    });
    this.redraw();
  }

  word(text, side, index) {
    return linkedWord(text, {
      neighbours: () => this.words[side],
      index,
      look: (aloud) => this.light(side, index, aloud),
      leave: () => this.light(),
      picked: () => {
        this.light(side, index, true);
        if (side === 1) this.picked(index);
      },
    });
  }

  /** Lights a word and all that it is joined with; nothing: all as before. */
  light(side, index, aloud) {
    this.lit = side === undefined ? null : {side, index};
    lightWords(this.data, this.words, side, index, aloud);
    for (const ribbon of this.svg.children) {
      const own = this.lit &&
          Number(ribbon.getAttribute(side === 1 ? 'data-lower' : 'data-upper')) === index;
      ribbon.classList.toggle('lit', Boolean(own));
      ribbon.classList.toggle('faded', Boolean(this.lit) && !own);
    }
  }

  drawRibbons() {
    const {weights, least} = this.data;
    const links = [];
    for (let lower = 0; lower < weights.rows; ++lower)
      for (let upper = 0; upper < weights.columns; ++upper)
        if (weights.at(lower, upper) >= Math.max(least, 0.01))
          links.push([weights.at(lower, upper), lower, upper]);
    links.sort((a, b) => b[0] - a[0]);
    const frame = this.svg.getBoundingClientRect();
    this.svg.setAttribute('viewBox', `0 0 ${frame.width || 1} ${frame.height || 1}`);
    const middle = ([side, index]) => {
      const box = this.words[side][index].getBoundingClientRect();
      return (box.top + box.bottom) / 2 - frame.top;
    };
    const flipped = getComputedStyle(this.element).direction === 'rtl';
    const paths = links.slice(0, mostRibbons).map(([value, lower, upper]) => {
      const [from, to] = [middle([0, upper]), middle([1, lower])];
      const [near, far] = flipped ? [frame.width, 0] : [0, frame.width];
      const half = (near + far) / 2;
      const path = `M${near} ${from}C${half} ${from} ${half} ${to} ${far} ${to}`;
      return draw('path', {
        d: path,
        class: 'ribbon',
        'data-lower': lower,
        'data-upper': upper,
        'stroke-width': (1 + 7 * value).toFixed(2),
        'stroke-opacity': (0.12 + 0.68 * value).toFixed(3),
      });
    });
    this.svg.replaceChildren(...paths);
    if (this.lit) this.light(this.lit.side, this.lit.index, false);
  }
}
