// ALiBi: how much score each head takes off by distance.

import {Curves} from './curves.js';
import {make} from './dom.js';
import {upTo} from './matrix.js';
import {brief} from './wording.js';

export class DistancePanel {
  constructor() {
    this.curves = new Curves({height: 300});
    this.table = make('table', {class: 'slopes'});
    this.element = make('div', {class: 'distance-panel'}, this.curves.element, this.table);
  }

  /** slopes: one a head; length: distances to draw; unit: 'word' or 'token'. */
  show(slopes, length, unit) {
    Object.assign(this, {slopes, length});
    this.curves.show({
      series: slopes.map((slope, h) => ({
                           name: `head ${h + 1}`,
                           points: upTo(length).map((distance) => [distance, -slope * distance])
                         })),
      xName: `distance in ${unit}s`,
      yName: 'added to the score',
      label: `What ${slopes.length} heads add to the score by distance`,
    });
    const row = (tag, cells) => make(
        'tr', {},
        ...cells.map(
            (text, i) => make(
                i === 0 && tag === 'td' ? 'th' : tag,
                i === 0          ? {scope: tag === 'th' ? 'col' : 'row'} :
                    tag === 'th' ? {scope: 'col'} :
                                   {},
                text)));
    this.table.replaceChildren(
        make('caption', {class: 'unseen'}, 'Slope of each head'),
        make(
            'thead', {},
            row('th', ['head', `off the score per ${unit}`, 'the weight halves every'])),
        make(
            'tbody', {},
            ...slopes.map(
                (slope, h) => row(
                    'td', [String(h + 1), brief(slope), `${brief(Math.LN2 / slope)} ${unit}s`]))));
  }

  data() {
    return {
      columns: ['distance', ...this.slopes.map((_, h) => `head ${h + 1}`)],
      rows: upTo(this.length)
                .map((distance) => [distance, ...this.slopes.map((slope) => -slope * distance)]),
    };
  }
}
