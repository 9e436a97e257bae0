// One head enlarged, or two side by side: as a heat map or as lines, by token or by word.

import {choice, make, put, segments, tick} from './dom.js';
import {Figure} from './figure.js';
import {HeatMap} from './heat_map.js';
import {Ribbons} from './ribbons.js';
import {kindName} from './trace.js';
import {axisNames, fixed, headName, headSummary} from './wording.js';

const watched =
    ['trace', 'exact', 'kind', 'layer', 'head', 'other', 'mode', 'end', 'merge', 'scale'];

export class HeadPanel {
  /** most: the largest cell of its maps, in pixels. */
  constructor(app, most) {
    this.app = app;
    this.most = most;
    this.figure = new Figure(
        {title: 'One head', name: 'head', data: () => this.data(), json: () => this.json()});
    this.figure.element.classList.add('head-panel');
    this.element = this.figure.element;
    this.panes = [this.pane(0), this.pane(1)];
    this.wish = 0;
  }

  pane(side) {
    const title = make('h3', {class: 'pane-title'});
    const map = new HeatMap({
      pointed: (row, column) => this.pointed(side, row, column),
      picked: (row, column) => this.pick(side, row, column),
      most: this.most,
    });
    const lines = new Ribbons({down: true});
    const holder = make('div', {class: 'pane-picture'});
    return {title, map, lines, holder, element: make('div', {class: 'pane'}, title, holder)};
  }

  update(changed) {
    if (!watched.some((name) => changed.has(name))) return;
    const {app, figure} = this;
    const entry = app.entry();
    this.entries = [entry, app.other()].filter(Boolean);
    if (!entry) {
      figure.title.textContent = 'No attention weights';
      figure.summary.textContent = 'This translation came without weights.';
      figure.controls.replaceChildren();
      figure.body.replaceChildren();
      figure.refresh(false);
      return;
    }
    this.shown = this.entries.map((each) => app.trace.shown(each, app.state));
    this.axes = axisNames(entry.kind, app.trace.unit(app.state.merge));
    figure.name = `${entry.kind}-${entry.layer + 1}-${entry.head + 1}`;
    figure.title.textContent = headName(entry);
    figure.side.textContent =
        `${kindName(entry.kind)} · ${entry.tag} · ${fixed(entry.entropy, 2)} bits`;
    this.drawControls();
    this.drawPanes();
    figure.summary.textContent =
        this.entries.map((each, i) => headSummary(each, this.shown[i])).join(' ');
    figure.refresh();
    this.askExact();
  }

  drawControls() {
    const {app} = this;
    const entry = this.entries[0];
    const others = app.trace.of(entry.kind)
                       .filter((each) => each !== entry)
                       .map((each) => [`${each.layer}.${each.head}`, headName(each)]);
    const zoom = (text, label, factor) => make(
        'button', {
          type: 'button',
          class: 'plain square',
          'aria-label': label,
          on: {click: () => this.panes.forEach(({map}) => map.data && map.magnify(factor))},
        },
        text);
    put(this.figure.controls,
        segments(
            [['map', 'Map'], ['lines', 'Lines']], app.state.mode, (mode) => app.set({mode}),
            'Draw as'),
        make(
            'span', {class: 'pair'},
            tick('Show <s> and </s>', app.state.end, (end) => app.set({end})),
            app.state.end ? null : make('span', {class: 'hint'}, 'rows renormalised')),
        others.length ? choice(
                            [['', 'Compare with…'], ...others], app.state.other,
                            (other) => app.set({other}), 'Compare with') :
                        null,
        app.state.mode === 'map' ? make(
                                       'span', {class: 'pair'}, zoom('−', 'Smaller cells', 0.8),
                                       zoom('+', 'Larger cells', 1.25)) :
                                   null);
  }

  drawPanes() {
    const {app, figure} = this;
    const shared = app.state.scale === 'shared' ?
        Math.max(
            ...app.trace.of(this.entries[0].kind).map((each) => app.trace.matrix(each).largest())) :
        0;
    // What stays is not taken out and put back: that would lose its scroll position and the focus.
    const wanted = this.entries.map((_, i) => this.panes[i].element);
    [...figure.body.children]
        .filter((each) => !wanted.includes(each))
        .forEach((each) => each.remove());
    figure.body.append(...wanted.filter((each) => each.parentNode !== figure.body));
    figure.body.classList.toggle('two', this.entries.length > 1);
    this.entries.forEach((entry, i) => {
      const {title, map, lines, holder} = this.panes[i];
      const {matrix, rows, columns} = this.shown[i];
      title.textContent = this.entries.length > 1 ?
          `${headName(entry)} · ${entry.tag} · ${fixed(entry.entropy, 2)} bits` :
          '';
      title.hidden = this.entries.length < 2;
      const picture = app.state.mode === 'lines' ? lines : map;
      if (picture.element.parentNode !== holder) holder.replaceChildren(picture.element);
      if (picture === lines)
        lines.show({
          upper: columns,
          lower: rows,
          weights: matrix,
          least: 0.04,
          names: [this.axes.columns, this.axes.rows],
        });
      else
        map.show({
          matrix,
          rows,
          columns,
          high: shared || matrix.largest(),
          axes: this.axes,
          measure: {
            name: 'weight',
            note: shared ? 'one scale for all heads' : 'up to this head’s largest'
          },
          label:
              `${headName(entry)} of ${kindName(entry.kind)}, ${rows.length} by ${columns.length}`,
        });
    });
    if (app.state.mode === 'map')
      this.readout(0, ...this.panes[0].map.cell);
    else
      figure.note.replaceChildren('Point at one to see only its lines.');
  }

  pointed(side, row, column) {
    this.panes.forEach(({map}, i) => {
      if (i === side || !this.entries[i]) return;
      map.cell = [row, column];
      map.place();
    });
    this.readout(side, row, column);
  }

  readout(side, row, column) {
    const {app, figure} = this;
    const shown = this.shown[side];
    if (!shown || row >= shown.matrix.rows || column >= shown.matrix.columns) return;
    const texts = this.entries.map((entry, i) => {
      const text = HeatMap.text({...this.shown[i], exact: entry.dtype === 'f32'}, row, column);
      return this.entries.length > 1 ? `${headName(entry)}: ${text}` : text;
    });
    const place = {
      view: 'query',
      row: shown.rowTokens[row][0],
      column: shown.columnTokens[column][0]
    };
    const why = make(
        'a', {
          href: app.address(place),
          on: {
            click: (event) => {
              event.preventDefault();
              app.set(place);
            }
          }
        },
        'why this weight?');
    figure.note.replaceChildren(...texts.map((text) => make('span', {class: 'value'}, text)), why);
  }

  pick(side, row, column) {
    const shown = this.shown[side];
    this.app.set({row: shown.rowTokens[row][0], column: shown.columnTokens[column][0]});
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

  data() {
    const {matrix, rows, columns} = this.shown[0];
    const {axes} = this;
    return {
      caption: `${headName(this.entries[0])}. Rows: ${axes.rows}. Columns: ${axes.columns}.`,
      columns: [axes.rows, ...columns],
      rows: rows.map(
          (label, row) =>
              [label,
               ...Array.from(
                   matrix.row(row),
                   (value, column) => matrix.hidden(row, column) ? 'hidden' : value)]),
    };
  }

  json() {
    return this.entries.map(
        (entry, i) => ({
          kind: entry.kind,
          layer: entry.layer,
          head: entry.head,
          tag: entry.tag,
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
