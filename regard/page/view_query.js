// Why this weight: the query and the key of a pair, their product number by number, its sum, the
// scale, and the softmax over all keys.

import {bars} from './bars.js';
import {choice, labelled, make} from './dom.js';
import {Figure} from './figure.js';
import {headPicker} from './head_picker.js';
import {attends, axisNames, brief, headName, quoted, weight} from './wording.js';

/** Scores and weights of one query against all keys: {products, scores, weights}. */
export function explain(vectors, row, column, hidden) {
  const query = Array.from(vectors.query.row(row));
  const scores = Array.from(
      {length: vectors.key.rows},
      (_, i) => hidden(i) ?
          -Infinity :
          vectors.key.row(i).reduce((sum, value, d) => sum + value * query[d], 0) * vectors.scale);
  const peak = Math.max(...scores);
  const powers = scores.map((score) => Math.exp(score - peak));
  const total = powers.reduce((sum, power) => sum + power, 0);
  const key = Array.from(vectors.key.row(column));
  return {
    query,
    key,
    products: query.map((value, d) => value * key[d]),
    scores,
    weights: powers.map((power) => power / total)
  };
}

const largest = (values) => values.reduce(
    (most, value) => Number.isFinite(value) ? Math.max(most, Math.abs(value)) : most, 0);

export function queryView(app) {
  const picker = make('div', {class: 'controls picker'});
  const figure = new Figure(
      {title: 'Query and key', name: 'query-key', data: () => table(), json: () => current});
  const element = make(
      'div', {class: 'view'}, make('h1', {class: 'unseen'}, 'Query and key'),
      make('div', {class: 'card'}, picker, figure.element));
  let current = {};

  /** In place of the picture, and of menus that would lead nowhere where there is none at all. */
  function lack(text, ...more) {
    current = {};
    figure.side.textContent = '';
    figure.summary.textContent = '';
    figure.body.replaceChildren(make('p', {class: 'hint'}, text, ...more));
    figure.refresh(false);
  }

  function fetchVectors(entry) {
    lack('Fetching queries and keys…');
    app.askExact(entry).then((came) => {
      if (came || entry !== app.entry()) return;
      const again =
          make('button', {type: 'button', on: {click: () => fetchVectors(entry)}}, 'Try again');
      lack('Queries and keys did not come. ', again);
    });
  }

  function table() {
    return {
      columns: ['key', 'scaled score', 'softmax', 'weight in the trace'],
      rows: current.keys.map(
          (key, i) =>
              [key, Number.isFinite(current.scores[i]) ? current.scores[i] : 'hidden',
               current.weights[i], current.recorded[i]]),
    };
  }

  function strip(name, values, most, note) {
    return make(
        'div', {class: 'strip'}, make('h3', {}, name), bars(values, {
          most,
          label: `${name}: ${values.length} numbers from ${brief(Math.min(...values))} to ${
              brief(Math.max(...values))}`
        }),
        make(
            'p', {class: 'hint'},
            `${note}, dimension 1 on the left; half the height is ${brief(most)}`));
  }

  function keyRow(i, column, most) {
    const score = current.scores[i];
    const seen = Number.isFinite(score);
    return make(
        'tr', {class: i === column ? 'chosen' : ''},
        make(
            'th', {scope: 'row'},
            make(
                'button', {
                  type: 'button',
                  class: 'plain token',
                  dir: 'auto',
                  'aria-pressed': String(i === column),
                  on: {click: () => app.set({column: i})}
                },
                current.keys[i])),
        make('td', {class: 'number'}, seen ? score.toFixed(2) : 'hidden'),
        make(
            'td', {class: 'bar-cell', 'aria-hidden': 'true'},
            make(
                'span', {class: 'meter'},
                make('span', {style: {width: `${(current.weights[i] / most) * 100}%`}}))),
        make('td', {class: 'number'}, weight(current.weights[i])),
        make('td', {class: 'number muted'}, weight(current.recorded[i])));
  }

  function show(entry, vectors, {row, column, rows, columns}) {
    const hidden = (i) => entry.kind === 'decoder' && i > row;
    const parts = explain(vectors, row, column, hidden);
    current = {
      ...parts,
      keys: columns,
      queryToken: rows[row],
      keyToken: columns[column],
      scale: vectors.scale,
      recorded: [...app.trace.matrix(entry).row(row)]
    };
    const most = Math.max(largest(parts.query), largest(parts.key));
    const axes = axisNames(entry.kind, 'token');
    const sum = parts.products.reduce((total, value) => total + value, 0);
    figure.body.replaceChildren(
        make(
            'div', {class: 'strips'},
            strip(
                `q · ${quoted(rows[row])}`, parts.query, most,
                `the query of the ${axes.rows}: ${vectors.width} numbers`),
            strip(
                `k · ${quoted(columns[column])}`, parts.key, most,
                `the key of the ${axes.columns}`),
            strip(
                'q × k', parts.products, largest(parts.products),
                'their product, number by number')),
        make(
            'p', {class: 'equation'}, make('span', {}, 'sum ', make('b', {}, sum.toFixed(3))),
            make('span', {class: 'operator'}, '×'),
            make('span', {}, 'scale ', make('b', {}, brief(vectors.scale))),
            make('span', {class: 'operator'}, '='),
            make('span', {}, 'score ', make('b', {}, (sum * vectors.scale).toFixed(3))),
            make('span', {class: 'operator'}, '→'),
            make('span', {}, 'softmax ', make('b', {}, weight(parts.weights[column])))),
        make(
            'div', {
              class: 'scroll tall',
              tabindex: '0',
              role: 'region',
              'aria-label': 'All keys of this query'
            },
            make(
                'table', {class: 'keys'},
                make('caption', {}, `Softmax over every key of this query. Rows: ${axes.columns}.`),
                make(
                    'thead', {},
                    make(
                        'tr', {},
                        ...['key', 'score', '', 'softmax', 'in the trace'].map(
                            (name) => name ?
                                make(
                                    'th', {scope: 'col', class: name === 'key' ? '' : 'number'},
                                    name) :
                                make('td', {})))),
                make(
                    'tbody', {},
                    ...columns.map((_, i) => keyRow(i, column, largest(parts.weights)))))));
    const apart =
        Math.max(...parts.weights.map((value, i) => Math.abs(value - current.recorded[i])));
    figure.summary.textContent = `${attends(rows[row], columns[column], parts.weights[column])}. ` +
        (apart < 0.003 ?
             'The softmax computed here agrees with the weights of the trace.' :
             `Softmax here and weights in the trace differ by up to ${
                 brief(
                     apart)}: this model adds something to its scores, such as a bias by distance.`);
  }

  /** Menus of query and key: the places chosen, as far as this sentence has them. */
  function drawPicker(entry) {
    const rows = app.trace.rowTokens[entry.kind].map((token) => token.text);
    const columns = app.trace.columnTokens[entry.kind].map((token) => token.text);
    const row = Math.min(app.state.row, rows.length - 1);
    const column = Math.min(app.state.column, columns.length - 1);
    const menu = (texts, value, change) => choice(
        texts.map((text, i) => [i, `${i + 1} ${text}`]), value, (chosen) => change(Number(chosen)));
    headPicker(
        app, picker, labelled('Query', menu(rows, row, (value) => app.set({row: value}))),
        labelled('Key', menu(columns, column, (value) => app.set({column: value}))));
    return {row, column, rows, columns};
  }

  function update(changed) {
    if (!app.trace ||
        !['trace', 'exact', 'kind', 'layer', 'head', 'row', 'column'].some(
            (name) => changed.has(name)))
      return;
    const entry = app.entry();
    if (!entry) {
      picker.replaceChildren();
      return lack('This translation came without weights.');
    }
    const vectors = app.trace.vectors(entry);
    const mechanism = (app.model && app.model.spec && app.model.spec.attention) || '';
    if (!vectors && (entry.dtype === 'f32' || !app.source.live || mechanism === 'additive')) {
      picker.replaceChildren();
      return lack(
          mechanism === 'additive' ?
              'Nothing to multiply here: this model’s attention is additive. Its score is not the ' +
                  'dot product of a query and a key but what a small network makes of their sum.' :
              'No queries and keys here: this attention is no dot product, or the file lacks them.');
    }
    const place = drawPicker(entry);
    if (!vectors) return fetchVectors(entry);
    figure.side.textContent = `${headName(entry)} · ${quoted(place.rows[place.row])} looks at ${
        quoted(place.columns[place.column])}`;
    show(entry, vectors, place);
    figure.refresh();
  }
  return {element, update};
}
