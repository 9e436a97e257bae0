// How the model tells places apart: the table of positions, one dimension as a wave, and how alike
// two positions are by their distance.

import {Curves} from './curves.js';
import {labelled, make, slider} from './dom.js';
import {Figure} from './figure.js';
import {HeatMap} from './heat_map.js';
import {Matrix} from './matrix.js';

const wished = 64;
const upTo = (count) => Array.from({length: count}, (_, i) => i);

export function positionsView(app) {
  let table = null;
  let asked = null;
  const map = new HeatMap({
    pointed: (row, column) => note(row, column),
    picked: (position, dimension) => app.set({position, dimension})
  });
  const wave = new Curves({height: 180});
  const alike = new Curves({height: 180});
  const main = new Figure({
    title: 'Positions',
    name: 'positions',
    data: () => ({
      columns: ['position', ...upTo(table.columns)],
      rows: upTo(table.rows).map((i) => [i, ...table.row(i)])
    }),
  });
  const waves = new Figure({
    title: 'One dimension',
    name: 'position-wave',
    data: () => ({columns: ['position', 'value'], rows: waveOf()})
  });
  const near = new Figure({
    title: 'Similarity by distance',
    name: 'position-likeness',
    data: () => ({columns: ['position', 'dot product'], rows: likeness()})
  });
  main.body.append(map.element);
  waves.body.append(wave.element);
  near.body.append(alike.element);
  const curves = make(
      'div', {class: 'columns even'}, make('div', {class: 'card'}, waves.element),
      make('div', {class: 'card'}, near.element));
  const element = make(
      'div', {class: 'view'}, make('h1', {class: 'unseen'}, 'Positions'),
      make('div', {class: 'card'}, main.element), curves);
  showTable(false);

  const dimension = () => Math.min(app.state.dimension, table.columns - 1);
  const position = () => Math.min(app.state.position, table.rows - 1);
  const waveOf = () => upTo(table.rows).map((i) => [i, table.at(i, dimension())]);
  const likeness = () => {
    const own = table.row(position());
    return upTo(table.rows)
        .map((i) => [i, table.row(i).reduce((sum, value, d) => sum + value * own[d], 0)]);
  };
  const note = (row, column) => {
    main.note.textContent =
        `position ${row}, dimension ${column}: ${table.at(row, column).toFixed(3)}`;
  };

  /** Without a table there is a note and nothing else. */
  function showTable(any) {
    main.body.hidden = curves.hidden = !any;
    if (!any) main.note.textContent = '';
    main.refresh(any);
  }

  function drawTable(scheme) {
    const high = table.values.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
    main.side.textContent = `${scheme} · ${table.rows} positions of ${table.columns} numbers`;
    map.show({
      matrix: table,
      rows: upTo(table.rows).map(String),
      columns: upTo(table.columns).map((i) => i % 8 === 0 ? String(i) : ''),
      high,
      low: -high,
      numbers: false,
      axes: {rows: 'position', columns: 'dimension'},
      measure: {name: 'value'},
      label: `Positional encoding, ${table.rows} positions by ${table.columns} dimensions`,
      spoken: (row, column) =>
          `position ${row}, dimension ${column}, ${table.at(row, column).toFixed(2)}`,
    });
    main.summary.textContent = 'Each row is what is added to the token at that position.' +
        (scheme === 'sinusoidal' ?
             ' Pairs of dimensions are sine and cosine, slower from left to right.' :
             '');
  }

  function drawCurves() {
    waves.side.textContent = `dimension ${dimension()}`;
    wave.show({
      series: [{name: `dimension ${dimension()}`, points: waveOf()}],
      xName: 'position',
      label: `Dimension ${dimension()} by position`
    });
    waves.summary.textContent = 'How one number changes from position to position.';
    near.side.textContent = `to position ${position()}`;
    alike.show({
      series: [{name: 'dot product', points: likeness()}],
      xName: 'position',
      label: `Dot product with position ${position()}`
    });
    near.summary.textContent =
        'The dot product of one position with every other: near ones are alike.';
    waves.refresh();
    near.refresh();
  }

  /** A slider over 0 .. count - 1 for what the state calls by the label, in lower case. */
  function drawSlider(figure, label, count, value) {
    const change = (chosen) => app.set({[label.toLowerCase()]: chosen});
    figure.controls.replaceChildren(
        labelled(label, slider({low: 0, high: count - 1, value, label, change})));
  }

  async function fetchTable() {
    const name = app.model ? app.model.name : '';
    if (asked === name) return;
    asked = name;
    try {
      const answer = await app.source.positional(name, wished);
      if (asked !== name) return;
      table = answer.rows > 0 ? Matrix.decoded(answer) : null;
      showTable(table !== null);
      if (!table) {
        main.summary.textContent = answer.note || 'This scheme has no table.';
        main.side.textContent = answer.scheme || '';
        return;
      }
      drawSlider(waves, 'Dimension', table.columns, dimension());
      drawSlider(near, 'Position', table.rows, position());
      drawTable(answer.scheme);
      drawCurves();
    } catch (error) {
      asked = null;
      table = null;
      showTable(false);
      main.side.textContent = '';
      main.summary.textContent = error.message;
    }
  }

  return {
    element,
    update(changed) {
      if (changed.has('trace') || changed.has('model') || changed.has('view')) fetchTable();
      if (table && (changed.has('dimension') || changed.has('position'))) drawCurves();
    },
  };
}
