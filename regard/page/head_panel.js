// One head enlarged, or two side by side: as a heat map or as lines, by token or by word, with what
// the chosen query looked at beside it.

import {choosing, chosenQuery, sideOf} from './chosen_word.js';
import {choice, make, put, segments, tick} from './dom.js';
import {Figure} from './figure.js';
import {HeadReading} from './head_reading.js';
import {lookedAt, tagOf} from './head_tag.js';
import {HeatMap} from './heat_map.js';
import {Ribbons} from './ribbons.js';
import {kindName, placeOf} from './trace.js';
import {axisNames, brief, headName, tagWord} from './wording.js';

const watched =
    ['trace', 'exact', 'kind', 'layer', 'head', 'other', 'mode', 'end', 'merge', 'scale'];
const asked = {
  encoder: (unit) => `Every ${unit} of the source, and where it looked`,
  decoder: (unit) => `Every ${unit} of the output, and where it looked back`,
  cross: (unit) => `Every ${unit} of the output, and where it looked`,
};
const wide = 32;  // tokens from which on the map takes the whole width

export class HeadPanel {
  /** most: the largest cell of its maps, in pixels; more() gives another control. */
  constructor(app, most = [62, 32], more = () => null) {
    Object.assign(this, {app, most, more});
    this.figure = new Figure(
        {title: 'One head', name: 'head', data: () => this.data(), json: () => this.json()});
    this.figure.element.classList.add('head-panel');
    this.element = this.figure.element;
    this.readings = make('div', {class: 'readings'});
    this.main = make('div', {class: 'head-main'});
    this.figure.body.replaceWith(this.main);
    this.main.append(
        make('div', {class: 'head-picture'}, this.figure.body, this.figure.note), this.readings);
    this.panes = [this.pane(0), this.pane(1)];
    this.entries = [];
    this.wish = 0;
    this.column = null;  // the key the reader chose; null: the strongest
  }

  pane(side) {
    const title = make('h3', {class: 'pane-title'});
    const map = new HeatMap({
      pointed: (row, column) => this.readout(side, row, column),
      picked: (row, column) => this.pick(side, row, column),
      moved: (row, column) =>
          this.pick(side, row, column === this.shown[side].matrix.peak(row) ? null : column),
      named: (row) => this.pick(side, row, null),
      follow: (row) => this.column ?? this.shown[side].matrix.peak(row),
      most: this.most,
    });
    const lines = new Ribbons({picked: (row) => this.pick(side, row, null)});
    const holder = make('div', {class: 'pane-picture'});
    const reading = new HeadReading(this.app);
    return {
      title,
      map,
      lines,
      holder,
      reading,
      element: make('div', {class: 'pane'}, title, holder)
    };
  }

  update(changed) {
    if (!watched.some((name) => changed.has(name))) {
      if (this.shown && ['side', 'row', 'column'].some((name) => changed.has(name))) this.choose();
      return;
    }
    if (changed.has('trace') || changed.has('kind')) this.column = null;
    const {app, figure} = this;
    const entry = app.entry();
    this.entries = [entry, app.other()].filter(Boolean);
    if (!entry) {
      figure.title.textContent = 'No attention weights';
      figure.summary.textContent = 'This translation came without weights.';
      this.shown = null;
      for (const holder of [figure.controls, figure.body, this.readings]) holder.replaceChildren();
      figure.refresh(false);
      return;
    }
    const unit = app.trace.unit(app.state.merge);
    this.shown = this.entries.map((each) => app.trace.shown(each, app.state));
    this.axes = axisNames(entry.kind, unit);
    const places = this.entries.map(({layer, head}) => `-${layer + 1}-${head + 1}`);
    figure.name = `${entry.kind}${places.join('-and')}`;
    figure.title.replaceChildren(
        make('span', {class: 'title-head'}, `${headName(entry)}: `), asked[entry.kind](unit));
    figure.side.textContent = matchMedia('(hover: none)').matches ?
        'Tap a row to read it.' :
        'Click a row to read it, or use ↑ and ↓.';
    this.drawControls();
    this.drawPanes();
    this.choose();
    figure.refresh();
    this.askExact();
  }

  drawControls() {
    const {app} = this;
    const entry = this.entries[0];
    const others = app.trace.of(entry.kind)
                       .filter((each) => each !== entry)
                       .map((each) => [`${each.layer}.${each.head}`, headName(each)]);
    put(this.figure.controls,
        segments(
            [['map', 'Map'], ['lines', 'Lines']], app.state.mode, (mode) => app.set({mode}),
            'Draw as'),
        others.length ? choice(
                            [['', 'Compare with…'], ...others], app.state.other,
                            (other) => app.set({other}), 'Compare with') :
                        null,
        make(
            'span', {class: 'pair'},
            tick('Show ⟨begin⟩ and ⟨end⟩', app.state.end, (end) => app.set({end})),
            app.state.end ? null : make('span', {class: 'hint'}, 'rows renormalised')),
        app.state.mode === 'map' ? tick(
                                       'Own scale', app.state.scale === 'own',
                                       (own) => app.set({scale: own ? 'own' : 'shared'})) :
                                   null,
        this.more());
  }

  drawPanes() {
    const {app, figure} = this;
    const [{matrix: first}] = this.shown;
    // What stays is not taken out and put back: that would lose its scroll position and the focus.
    const keep = (holder, wanted) => {
      [...holder.children]
          .filter((each) => !wanted.includes(each))
          .forEach((each) => each.remove());
      holder.append(...wanted.filter((each) => each.parentNode !== holder));
    };
    const panes = this.entries.map((_, i) => this.panes[i]);
    const two = panes.length > 1;
    this.main.classList.toggle('beside', !two && Math.max(first.rows, first.columns) <= wide);
    this.main.classList.toggle('two', two);
    keep(this.readings, panes.map(({reading}) => reading.element));
    keep(figure.body, panes.map(({element}) => element));
    figure.body.classList.toggle('two', two);
    panes.forEach((pane, i) => this.drawPane(pane, this.entries[i], this.shown[i], two));
    if (app.state.mode === 'lines')
      figure.note.replaceChildren('Point at one to see only its lines.');
  }

  drawPane({title, map, lines, holder}, entry, {matrix, rows, columns}, two) {
    const {app} = this;
    title.textContent = two ? `${headName(entry)} · ${tagWord(tagOf(entry))} · ${
                                  lookedAt(app.trace.breadth(entry, app.state.merge))}` :
                              '';
    title.hidden = !two;
    const asLines = app.state.mode === 'lines';
    const picture = asLines ? lines : map;
    if (picture.element.parentNode !== holder) holder.replaceChildren(picture.element);
    if (asLines) {
      const names = [this.axes.columns, this.axes.rows];
      lines.show({upper: columns, lower: rows, weights: matrix, least: 0.04, names});
      return;
    }
    const high = this.high(matrix);
    map.show({
      matrix,
      rows,
      columns,
      high,
      axes: this.axes,
      measure: {
        name: 'weight',
        ticks: ['0', brief(high)],
        note: app.state.scale === 'own' ? 'up to this head’s largest' : '',
      },
      label: `${headName(entry)} of ${kindName(entry.kind)}, ${rows.length} by ${columns.length}`,
    });
  }

  /** The weight of the strongest colour. */
  high(matrix) { return this.app.state.scale === 'own' && matrix.largest() || 1; }

  /** Frames the chosen row in each map, and reads it. */
  choose() {
    const {app} = this;
    const at = placeOf(this.shown[0].rowTokens, chosenQuery(app, this.entries[0].kind));
    if (at < 0 || this.shown[0].matrix.columns === 0) return this.readings.replaceChildren();
    if (this.at !== undefined && this.at !== at && this.column !== null && !this.picking)
      this.column = null;  // another row was chosen elsewhere
    this.at = at;
    const two = this.entries.length > 1;
    this.entries.forEach((entry, i) => {
      const {map, reading} = this.panes[i];
      const column = this.column ?? this.shown[i].matrix.peak(at);
      if (map.data) map.choose(at, column);
      reading.show(
          entry, this.shown[i], at,
          {column, high: this.high(this.shown[i].matrix), title: two ? headName(entry) : ''});
    });
    if (app.state.mode === 'map') this.readout(0, ...this.panes[0].map.cell);
  }

  readout(side, row, column) {
    const shown = this.shown?.[side];
    if (!shown || row >= shown.matrix.rows || column >= shown.matrix.columns) return;
    const two = this.entries.length > 1;
    this.figure.note.replaceChildren(...this.entries.map((entry, i) => {
      const text = HeatMap.text({...this.shown[i], exact: entry.dtype === 'f32'}, row, column);
      return make('span', {class: 'value'}, two ? `${headName(entry)}: ` : null, ...text);
    }));
  }

  /** A cell, or with no column a whole row, was chosen here. */
  pick(pane, row, column) {
    const {rowTokens, columnTokens, matrix} = this.shown[pane];
    this.column = column;
    this.picking = true;
    const key = column ?? matrix.peak(row);
    const side = sideOf(this.entries[0].kind);
    this.app.set(choosing(side, rowTokens[row][0], columnTokens[key][0]));
    this.picking = false;
    this.choose();
  }

  /**
   * Bytes are for drawing; the head that is looked at is asked for as it is, once the reader
   * rests.
   */
  askExact() {
    clearTimeout(this.wish);
    const rough = this.entries.filter((entry) => entry.dtype !== 'f32');
    if (rough.length > 0)
      this.wish = setTimeout(() => rough.forEach((entry) => this.app.askExact(entry)), 120);
  }

  /** The weights as a table; of two heads the columns of both, one after the other. */
  data() {
    const {axes, entries, shown} = this;
    const two = entries.length > 1;
    const keys = (entry, i) =>
        shown[i].columns.map((key) => two ? `${headName(entry)}: ${key}` : key);
    const weights = ({matrix}, row) => Array.from(
        matrix.row(row), (value, column) => matrix.hidden(row, column) ? 'hidden' : value);
    return {
      caption:
          `${entries.map(headName).join(' and ')}. Rows: ${axes.rows}. Columns: ${axes.columns}.`,
      columns: [axes.rows, ...entries.flatMap(keys)],
      rows: shown[0].rows.map(
          (label, row) => [label, ...shown.flatMap((each) => weights(each, row))]),
    };
  }

  json() {
    return this.entries.map(
        (entry, i) => ({
          kind: entry.kind,
          layer: entry.layer,
          head: entry.head,
          tag: entry.tag,
          corpus_tag: entry.corpus_tag,
          entropy: entry.entropy,
          exact: entry.dtype === 'f32',
          axes: this.axes,
          rows: this.shown[i].rows,
          columns: this.shown[i].columns,
          weights: Array.from(
              {length: this.shown[i].matrix.rows}, (_, row) => [...this.shown[i].matrix.row(row)]),
        }));
  }
}
