// Positions as curves: some columns of the table from place to place, and how alike places are.

import {Curves} from './curves.js';
import {make} from './dom.js';
import {Figure} from './figure.js';
import {upTo} from './matrix.js';
import {similarityTo, unrolled} from './position_plan.js';

export class PositionCurves {
  constructor() {
    this.wave = new Curves({height: 200});
    this.alike = new Curves({height: 200});
    this.drawn = {};  // of what plan and column the waves are
    this.waves = new Figure({
      title: 'Three hands, unrolled',
      name: 'position-wave',
      data: () => this.waveData(),
    });
    this.near = new Figure({
      title: 'What is near?',
      name: 'position-similarity',
      data: () => ({
        columns: ['position', 'cosine similarity'],
        rows: similarityTo(this.plan, this.row),
      }),
    });
    this.waves.body.append(this.wave.element);
    this.near.body.append(this.alike.element);
    this.element = make(
        'div', {class: 'columns even', hidden: true},
        ...[this.waves, this.near].map(({element}) => make('div', {class: 'card'}, element)));
  }

  waveData() {
    const {plan, column} = this;
    const series = unrolled(plan, column);
    return {
      columns: ['position', ...series.map(({name}) => name)],
      rows: upTo(plan.table.rows)
                .map((i) => [i + plan.first, ...series.map(({points}) => points[i][1])]),
    };
  }

  /** Of a plan with a table: the column that is looked at, and the row of the place. */
  show(plan, column, row) {
    Object.assign(this, {plan, column, row});
    this.element.hidden = false;
    this.drawWaves();
    this.drawNear();
  }

  /** These do not change from place to place. */
  drawWaves() {
    const {plan, column, waves} = this;
    if (this.drawn.plan === plan && this.drawn.column === column) return;
    this.drawn = {plan, column};
    const series = unrolled(plan, column);
    waves.title.textContent =
        series.length > 1 ? 'Three hands, unrolled' : 'One dimension, unrolled';
    waves.side.textContent = 'One number from place to place.';
    this.wave.show({
      series,
      xName: 'position',
      yName: 'value',
      range: plan.speeds ? [-1, 1] : undefined,
      label: `${series.map(({name}) => name).join('; ')} by position`
    });
    waves.refresh();
  }

  drawNear() {
    const {plan, row, near} = this;
    const place = row + plan.first;
    near.title.textContent = `What is near ${place}?`;
    near.side.textContent = plan.scheme === 'rotary' ?
        'What is left of a match when one of the two moves away.' :
        'The cosine of one place’s pattern with every other: near ones are alike.';
    this.alike.show({
      series: [{name: 'cosine similarity', points: similarityTo(plan, row)}],
      xName: 'position',
      yName: 'cosine similarity',
      label: `Likeness to position ${place}`
    });
    near.refresh();
  }
}
