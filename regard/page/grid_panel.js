// The grid of heads with its controls: kind, order, colours.

import {choosing, chosenQuery, sideOf} from './chosen_word.js';
import {colourScale} from './colour_scale.js';
import {make, put, segments, tick} from './dom.js';
import {Figure} from './figure.js';
import {HeadGrid} from './head_grid.js';
import {kindSegments} from './head_picker.js';
import {tagOf} from './head_tag.js';
import {kindName, placeOf} from './trace.js';
import {axisNames, quoted, several, tagWord} from './wording.js';

const drawn = ['trace', 'kind', 'scale', 'sort', 'end', 'merge'];
const marked = ['exact', 'layer', 'head', 'side', 'row', 'column'];

export class GridPanel {
  /** enlarge(entry) decides what opening a head means here; more() gives another control. */
  constructor(app, enlarge, more = () => null) {
    this.app = app;
    this.more = more;
    this.figure = new Figure(
        {title: 'All heads', name: 'heads', data: () => this.data(), json: () => this.data()});
    this.figure.element.classList.add('grid-panel');
    this.element = this.figure.element;
    this.grid = new HeadGrid({
      enlarge,
      chosen: (row) => app.set(choosing(sideOf(app.entry().kind), this.shown.rowTokens[row][0])),
      drawn: () => this.explain(app.entry()),
    });
    this.scale = make('div', {class: 'figure-scale'});
    this.ticks = make('div', {class: 'controls'});
    this.figure.side.after(
        this.figure.controls,
        make('div', {class: 'figure-tools'}, this.scale, this.figure.saving.element));
    this.figure.body.append(this.grid.element);
    this.figure.body.after(this.ticks);
  }

  update(changed) {
    const {app, figure} = this;
    const entry = app.entry();
    if (!entry) {
      figure.summary.textContent = 'This translation came without weights.';
      figure.controls.replaceChildren();
      this.ticks.replaceChildren();
      this.scale.replaceChildren();
    } else if (drawn.some((name) => changed.has(name)) || this.tags !== this.tagsNow(entry)) {
      this.draw(entry);
    } else if (marked.some((name) => changed.has(name))) {
      this.grid.mark(...this.place(entry), entry);
      this.explain(entry);
    }
    this.grid.element.hidden = !entry;
    figure.refresh(Boolean(entry));
  }

  /** The chosen row as it is shown, and what the chosen head looks at from there. */
  place(entry) {
    const {end, merge} = this.app.state;
    this.shown = this.app.trace.shown(entry, {end, merge});
    const at = placeOf(this.shown.rowTokens, chosenQuery(this.app, entry.kind));
    return [at, at >= 0 && this.shown.matrix.columns > 0 ? this.shown.matrix.peak(at) : -1];
  }

  /** What the heads of a kind are called, which is judged over many sentences once those came. */
  tagsNow({kind}) { return this.app.trace.of(kind).map(tagOf).join(); }

  draw(entry) {
    const {app, grid} = this;
    this.tags = this.tagsNow(entry);
    const {scale, sort, end, merge} = app.state;
    const {kind} = entry;
    const entries = app.trace.of(kind);
    const [row, column] = this.place(entry);
    this.drawControls(kind, entries);
    grid.show({
      entries,
      scale,
      sort,
      entry,
      row,
      column,
      rows: this.shown.rows,
      columns: this.shown.columns,
      breadth: (each) => app.trace.breadth(each, merge),
      matrix: end && !(merge && app.trace.hasSubwords()) ?
          (each) => app.trace.matrix(each) :
          (each) => app.trace.shown(each, {end, merge}).matrix,
      label: `Heads of ${kindName(kind)}: layers down, heads across. Arrow keys walk, Enter ` +
          'enlarges, 1, 2 and 3 switch the kind.',
    });
    this.scale.replaceChildren(colourScale({
      name: 'weight',
      ticks: scale === 'own' ? ['0', 'largest'] : ['0', '1'],
      note: scale === 'own' ? 'of each head' : '',
      hidden: this.shown.matrix.seen !== null,
    }));
    this.figure.side.textContent = kindName(kind);
  }

  drawControls(kind, entries) {
    const {app} = this;
    const {scale, sort} = app.state;
    const alone = entries.length < 2;  // one head has no order
    put(this.figure.controls, kindSegments(app, kind),
        alone ? null :
                segments(
                    [['place', 'By layer'], ['entropy', 'By sharpness']], sort,
                    (value) => app.set({sort: value}), 'Order'));
    put(this.ticks,
        alone ? null :
                tick(
                    'Own scale for each head', scale === 'own',
                    (own) => app.set({scale: own ? 'own' : 'shared'})),
        this.more());
  }

  explain(entry) {
    const {app, figure, grid} = this;
    const {kind} = entry;
    const entries = app.trace.of(kind);
    const tags = new Map();
    for (const each of entries.map(tagOf).map(tagWord)) tags.set(each, (tags.get(each) || 0) + 1);
    const list = [...tags].map(([tag, number]) => `${number} ${tag}`).join(', ');
    const unit = app.trace.unit(app.state.merge);
    const axes = axisNames(kind, unit);
    const framed = this.shown.rows[grid.data.row];
    figure.note.textContent =
        framed === undefined ? '' : `Framed: ${quoted(framed)}. Click a cell or a word to move it.`;
    figure.summary.textContent = `${several(entries.length, 'head')}: ${list}. “≈ 2 ${
        unit}s” is how many ${unit}s a head looks at, on average. Rows: ${axes.rows}. Columns: ${
        axes.columns}.${grid.note ? ` ${grid.note}` : ''}`;
  }

  /** What each head is called, and what it looks at most from the framed row. */
  data() {
    const {app} = this;
    const {trace, state: {end, merge}} = app;
    const framed = this.grid.data.row;
    const name = this.shown.rows[framed];
    const strongest = (each) => {
      const {matrix, columns} = trace.shown(each, {end, merge});
      const key = matrix.peak(framed);
      return matrix.columns > 0 ? [columns[key], matrix.at(framed, key)] : ['', ''];
    };
    return {
      columns: [
        'head', 'kind', 'layer', 'number', 'tag', 'entropy in bits', 'largest weight',
        ...(name === undefined ? [] : [`strongest key of ${quoted(name)}`, 'its weight'])
      ],
      rows: trace.of(app.entry().kind)
                .map(
                    (each) =>
                        [`${each.layer + 1}.${each.head + 1}`, each.kind, each.layer + 1,
                         each.head + 1, tagOf(each), each.entropy, trace.matrix(each).largest(),
                         ...(name === undefined ? [] : strongest(each))]),
    };
  }
}
