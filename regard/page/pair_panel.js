// One query times one key, number by number, and the way from their sum to the weight.

import {bars} from './bars.js';
import {make, say} from './dom.js';
import {Figure} from './figure.js';
import {scaleText} from './key_table.js';
import {paintStrip, stripCanvas, usualSize} from './vector_strip.js';
import {brief, count, minus, quoted, scientific} from './wording.js';

/** Three digits, and a power of ten where more zeros than those would be read. */
function digits(value) {
  const size = Math.abs(value);
  const plain = size === 0 || (size >= 1e-4 && size < 1e7);
  return minus(plain ? String(Number(value.toPrecision(3))) : scientific(value, 2));
}

export class PairPanel {
  constructor() {
    this.figure = new Figure({
      title: 'Number by number',
      name: 'products',
      data: () => ({
        columns: ['number', 'query', 'key', 'product'],
        rows: this.pair.products.map(
            (value, d) => [d + 1, this.pair.query[d], this.pair.key[d], value]),
      }),
    });
    this.element = make('div', {class: 'card pair-card', hidden: true}, this.figure.element);
    this.at = 0;
  }

  hide() {
    this.element.hidden = true;
    this.figure.refresh(false);
  }

  /**
   * pair: {queryName, keyName, query, key, products, scale, scores, column, weight, penalty},
   * penalty: what is taken off the score for the distance, if anything.
   */
  show(pair) {
    this.pair = pair;
    this.element.hidden = false;
    const {figure} = this;
    const {queryName, keyName, query, key, products} = pair;
    this.at = products.reduce(
        (best, value, d) => Math.abs(value) > Math.abs(products[best]) ? d : best, 0);
    figure.title.replaceChildren(
        make('bdi', {}, quoted(queryName)), ' × ', make('bdi', {}, quoted(keyName)),
        ', number by number');
    figure.side.textContent = 'Amber pulls the score up, blue pulls it down.';
    const most = Math.max(...products.map(Math.abs));
    this.cursors = [];
    const line = (name, picture) => {
      const cursor = make('span', {class: 'pair-cursor', 'aria-hidden': 'true'});
      this.cursors.push(cursor);
      return [
        make('span', {class: 'pair-name', dir: 'auto'}, name),
        make('span', {class: 'pair-line'}, picture, cursor)
      ];
    };
    this.reading = make('span', {class: 'pair-reading'});
    this.plot = make(
        'div', {
          class: 'pair-plot',
          tabindex: '0',
          role: 'slider',
          'aria-label': 'Number of the vectors',
          'aria-valuemin': '1',
          'aria-valuemax': String(products.length),
          on: {
            keydown: (event) => this.walk(event),
            pointermove: (event) => this.point(this.under(event)),
          },
        },
        ...line('query', paintStrip(stripCanvas(), query, usualSize(query))),
        ...line('× key', paintStrip(stripCanvas(), key, usualSize(key))),
        ...line('= product', bars(products, {
                  most,
                  label: `${products.length} products from ${brief(Math.min(...products))} to ${
                      brief(Math.max(...products))}`
                })),
        make(
            'span', {class: 'pair-ends'}, make('span', {}, '1'), this.reading,
            make('span', {}, String(products.length))));
    figure.body.replaceChildren(this.plot, this.equation());
    this.point(this.at);
    figure.refresh();
  }

  /** Sum, scale and softmax with the numbers of this pair. */
  equation() {
    const {products, query, scale, scores, column, weight, penalty} = this.pair;
    const sum = products.reduce((total, value) => total + value, 0);
    const part = (name, text, kind = '') => make(
        'span', {class: `part ${kind}`}, make('b', {}, text),
        make('span', {class: 'part-name'}, name));
    const sign = (text) => make('span', {class: 'operator'}, text);
    const score = scores[column];
    if (!Number.isFinite(score))
      return make(
          'p', {class: 'equation'}, 'Hidden: this key came after the query, so it takes no part.');
    const powers = scores.map((each) => Math.exp(each));
    const total = powers.reduce((all, each) => all + each, 0);
    const finite = Number.isFinite(total) && total > 0;
    const large = (value) =>
        value >= 1000 && value < 1e7 ? count(Math.round(value)) : digits(value);
    const [factor, divisor] = scaleText(scale, query.length).split(' ');
    return make(
        'p', {class: 'equation'}, part('sum', digits(sum)), sign(factor), part('scale', divisor),
        ...(penalty ? [sign('−'), part('distance', digits(penalty))] : []), sign('='),
        part('score', digits(score)), sign('→'),
        ...(finite ?
                [
                  make(
                      'span', {class: 'part'}, make('b', {}, 'e', make('sup', {}, digits(score))),
                      make('span', {class: 'part-name'}, `= ${large(powers[column])}`)),
                  sign('÷'),
                  part(`all ${scores.filter(Number.isFinite).length} together`, large(total)),
                  sign('=')
                ] :
                []),
        part('weight', digits(weight), 'result'));
  }

  under(event) {
    const strip = this.plot.querySelector('.vector-strip').getBoundingClientRect();
    const share = (event.clientX - strip.left) / strip.width;
    return Math.floor(share * this.pair.products.length);
  }

  point(number) {
    const {query, key, products} = this.pair;
    this.at = Math.min(products.length - 1, Math.max(0, number));
    const d = this.at;
    const text =
        `number ${d + 1}: ${digits(query[d])} × ${digits(key[d])} = ${digits(products[d])}`;
    this.reading.textContent = text;
    this.plot.setAttribute('aria-valuenow', String(d + 1));
    this.plot.setAttribute('aria-valuetext', text);
    for (const {style} of this.cursors) {
      style.setProperty('left', `${100 * d / products.length}%`);
      style.setProperty('width', `${100 / products.length}%`);
    }
    return text;
  }

  walk(event) {
    const step = {ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1}[event.key];
    const place = event.key === 'Home' ? 0 :
        event.key === 'End'            ? Infinity :
        step                           ? this.at + step :
                                         null;
    if (place === null) return;
    event.preventDefault();
    say(this.point(place));
  }
}
