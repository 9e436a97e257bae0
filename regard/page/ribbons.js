// Two columns of words with ribbons between them: the wider and stronger, the more weight.

import {draw, drawnToWidth, make, roving, say} from './dom.js';
import {attends, percent, quoted} from './wording.js';

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
    const button = make(
        'button', {
          type: 'button',
          class: 'word',
          tabindex: index === 0 ? '0' : '-1',
          on: {
            pointerenter: () => this.light(side, index, false),
            pointerleave: () => this.light(),
            focus: () => this.light(side, index, true),
            blur: () => this.light(),
            click: () => {
              this.light(side, index, true);
              if (side === 1) this.picked(index);
            },
            keydown: (event) => {
              const rightToLeft = getComputedStyle(this.rows[side]).direction === 'rtl';
              if (roving(this.words[side], index, event.key, rightToLeft) >= 0)
                event.preventDefault();
            },
          },
        },
        make('span', {class: 'word-text'}, text));
    return button;
  }

  weight(side, index, partner) {
    return side === 1 ? this.data.weights.at(index, partner) : this.data.weights.at(partner, index);
  }

  /** Lights a word and all that it is joined with; nothing: all as before. */
  light(side, index, aloud) {
    this.lit = side === undefined ? null : {side, index};
    this.words.flat().forEach((word) => word.classList.remove('lit', 'partner'));
    if (this.lit) {
      this.words[side][index].classList.add('lit');
      const other = this.words[1 - side];
      const partners =
          other.map((_, i) => i)
              .filter((i) => this.weight(side, index, i) >= this.data.least)
              .sort((a, b) => this.weight(side, index, b) - this.weight(side, index, a));
      partners.forEach((i) => other[i].classList.add('partner'));
      if (aloud) say(this.sentence(side, index, partners));
    }
    for (const ribbon of this.svg.children) {
      const own = this.lit &&
          Number(ribbon.getAttribute(side === 1 ? 'data-lower' : 'data-upper')) === index;
      ribbon.classList.toggle('lit', Boolean(own));
      ribbon.classList.toggle('faded', Boolean(this.lit) && !own);
    }
  }

  sentence(side, index, partners) {
    const {upper, lower} = this.data;
    const word = [upper, lower][side][index];
    if (partners.length === 0) return `${quoted(word)}: no link above ${percent(this.data.least)}`;
    const link = (i) => side === 1 ? attends(word, upper[i], this.weight(side, index, i)) :
                                     attends(lower[i], word, this.weight(side, index, i));
    return partners.slice(0, 3).map(link).join(', ');
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
