// Why this weight: one query meets every key, scores become weights, and the weights mix the values
// into what the head puts out; then one pair number by number.

import {explain, furthestApart, mixed, slopeOf} from './attention_sum.js';
import {choosing, chosenQuery, sideOf} from './chosen_word.js';
import {colourScale} from './colour_scale.js';
import {make, put, segments} from './dom.js';
import {Figure} from './figure.js';
import {headPicker} from './head_picker.js';
import {KeyTable} from './key_table.js';
import {settingsOf} from './own_settings.js';
import {PairPanel} from './pair_panel.js';
import {SentenceStrip} from './sentence_strip.js';
import {tokenNames} from './token_names.js';
import {attends, brief, headName, percent, quoted} from './wording.js';

const agreeing = 0.003;  // weights of the trace may come as bytes

const lede =
    'A query asks, every key answers: the better they match, the more of that word’s value is passed on.';

export function queryView(app) {
  const picker = make('div', {class: 'controls'});
  const pieces = make('div', {class: 'controls query-pieces'});
  const strip = new SentenceStrip(app);
  const figure = new Figure(
      {title: 'One query, every key', name: 'query-key', data: () => table(), json: () => current});
  const keys = new KeyTable((column) => app.set({column}));
  const pair = new PairPanel();
  const colours = make('div', {class: 'figure-colours'});
  figure.side.after(colours);
  const element = make(
      'div', {class: 'view query-view'},
      make(
          'div', {class: 'view-head query-head'}, make('h1', {}, 'Query & key'),
          make('p', {class: 'lede'}, lede), picker),
      strip.element, pieces, make('div', {class: 'card'}, figure.element), pair.element);
  let current = {};
  let kept = {};  // the vectors of the head that was drawn last

  /** In place of the picture, and of menus that would lead nowhere where there is none at all. */
  function lack(text, ...more) {
    current = {};
    figure.side.textContent = '';
    figure.summary.textContent = '';
    colours.replaceChildren();
    figure.body.replaceChildren(make('p', {class: 'hint'}, text, ...more));
    figure.refresh(false);
    pair.hide();
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

  function vectorsOf(entry) {
    if (kept.entry !== entry || kept.query !== entry.query)
      kept = {entry, query: entry.query, vectors: app.trace.vectors(entry)};
    return kept.vectors;
  }

  function table() {
    return {
      columns: ['key', 'score', 'softmax', 'weight in the trace'],
      rows: current.keys.map(
          (key, i) =>
              [key, Number.isFinite(current.scores[i]) ? current.scores[i] : 'hidden',
               current.weights[i], current.recorded[i]]),
    };
  }

  /** The query and the key that are chosen, as far as this sentence has them. */
  function chosenPair(entry) {
    const {trace, state} = app;
    const [queries, columns] = [trace.rowTokens[entry.kind], trace.columnTokens[entry.kind]];
    const row = chosenQuery(app, entry.kind);
    const column = state.column < 0 ? trace.matrix(entry).peak(row) :
                                      Math.min(state.column, columns.length - 1);
    return {row, column, queries, rows: tokenNames(queries), columns: tokenNames(columns)};
  }

  /** A word in pieces has as many queries: which one is looked at. */
  function drawPieces(side, {row, queries, rows}) {
    const {word} = queries[row];
    const own = queries.map((token, i) => i).filter((i) => word >= 0 && queries[i].word === word);
    pieces.hidden = own.length < 2;
    if (pieces.hidden) return pieces.replaceChildren();
    put(pieces,
        make('span', {class: 'hint'}, 'This word is in pieces, each with a query of its own:'),
        segments(
            own.map((i) => [i, rows[i]]), row, (chosen) => app.set(choosing(side, chosen)),
            'Piece of the word'));
  }

  /** Whose value the output is, in words. */
  function outputNote(weights, columns) {
    const most = weights.indexOf(Math.max(...weights));
    const share = percent(weights[most]);
    return weights[most] >= 0.5 ?
        `the values mixed by the weights: ${share} ${quoted(columns[most])}` :
        `the values mixed by the weights: ${quoted(columns[most])} is the largest part, ${share}`;
  }

  function agreement(apart, slope) {
    if (apart < agreeing)
      return 'The softmax computed here agrees with the weights of the trace.' +
          (slope ? ' The scores count what this head takes off for distance.' : '');
    return `Softmax here and weights in the trace differ by up to ${
               brief(
                   apart)}: this model adds something to its scores, such as a bias by distance. ` +
        'The weights shown are those of the trace.';
  }

  function show(entry, vectors, place) {
    const {row, column, rows, columns} = place;
    const slope = slopeOf(app.ownModel(), entry);
    const hidden = (i) => app.trace.matrix(entry).hidden(row, i);
    const parts = explain(vectors, row, column, {hidden, slope});
    const recorded = [...app.trace.matrix(entry).row(row)];
    const apart = furthestApart(parts.weights, recorded);
    const weights = apart < agreeing ? parts.weights : recorded;
    const output = vectors.value ? mixed(vectors.value, weights) : null;
    current = {
      ...parts,
      keys: columns,
      queryToken: rows[row],
      keyToken: columns[column],
      scale: vectors.scale,
      recorded,
      ...(output ? {value: [...vectors.value.row(column)], output} : {}),
    };
    if (keys.element.parentNode !== figure.body) figure.body.replaceChildren(keys.element);
    keys.show(vectors, columns);
    keys.update(
        {...parts, name: rows[row], weights, output, note: outputNote(weights, columns)}, column);
    pair.show({
      ...parts,
      queryName: rows[row],
      keyName: columns[column],
      scale: vectors.scale,
      column,
      penalty: slope * Math.abs(row - column),
      weight: parts.weights[column],
    });
    figure.summary.title = `largest difference: ${brief(apart)}`;
    figure.summary.textContent =
        `${attends(rows[row], columns[column], weights[column])}. ${agreement(apart, slope)}` +
        (output ? '' : ' The values of this head did not come with the trace.');
  }

  /** What the colours stand for; where they are strongest, on hover. */
  function drawColours() {
    const {query, key, value} = keys.sizes;
    colours.title = `strongest at ±${brief(query)} (query), ±${brief(key)} (keys)` +
        (keys.vectors.value ? `, ±${brief(value)} (values)` : '');
    colours.replaceChildren(
        colourScale({name: 'numbers', ticks: ['−', '+'], palette: 'signed'}),
        colourScale({name: 'weight', ticks: ['0', '1']}));
  }

  function update(changed) {
    if (!app.trace ||
        !['trace', 'exact', 'kind', 'layer', 'head', 'side', 'row', 'column', 'end', 'merge'].some(
            (name) => changed.has(name)))
      return;
    const entry = app.entry();
    strip.update();
    pieces.hidden = true;
    if (!entry) {
      picker.replaceChildren();
      return lack('This translation came without weights.');
    }
    const vectors = vectorsOf(entry);
    const mechanism = settingsOf(app.ownModel()?.spec || {}, entry.kind).attention || '';
    if (!vectors && (entry.vectorsCame || !app.source.live || mechanism === 'additive')) {
      picker.replaceChildren();
      return lack(
          mechanism === 'additive' ?
              'Nothing to multiply here: this model’s attention is additive. Its score is not the ' +
                  'dot product of a query and a key but what a small network makes of their sum.' :
              'No queries and keys here: this attention is no dot product, or the file lacks them.');
    }
    headPicker(app, picker);
    if (!vectors) return fetchVectors(entry);
    const place = chosenPair(entry);
    drawPieces(sideOf(entry.kind), place);
    figure.title.replaceChildren(
        make('bdi', {}, quoted(place.rows[place.row])), ' meets every key');
    figure.side.textContent = headName(entry);
    show(entry, vectors, place);
    drawColours();
    figure.refresh();
  }
  return {element, update};
}
