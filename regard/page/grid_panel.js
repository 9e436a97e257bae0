// The grid of heads with its controls: kind, scale, order.

import {put, segments} from './dom.js';
import {Figure} from './figure.js';
import {HeadGrid} from './head_grid.js';
import {kindName} from './trace.js';
import {axisNames, several} from './wording.js';

const drawn = ['trace', 'kind', 'scale', 'sort', 'end', 'merge'];

export class GridPanel {
  /** enlarge(entry) decides what opening a head means here; more() gives another control. */
  constructor(app, enlarge, more = () => null) {
    this.app = app;
    this.more = more;
    this.figure = new Figure(
        {title: 'All heads', name: 'heads', data: () => this.data(), json: () => this.data()});
    this.figure.element.classList.add('grid-panel');
    this.element = this.figure.element;
    this.grid = new HeadGrid({enlarge});
    this.figure.body.append(this.grid.element, this.grid.scale);
    this.figure.note.replaceWith(this.grid.note);
  }

  update(changed) {
    const {app, figure, grid} = this;
    const entry = app.entry();
    if (drawn.some((name) => changed.has(name)))
      this.draw(entry);
    else if (changed.has('layer') || changed.has('head'))
      grid.choose(entry);
    figure.refresh(Boolean(entry));
  }

  draw(entry) {
    const {app, figure, grid} = this;
    const {scale, sort, end, merge} = app.state;
    const kind = entry ? entry.kind : 'cross';
    const entries = app.trace ? app.trace.of(kind) : [];
    const kinds = app.trace ? app.trace.kinds().map(([value, text]) => [value, text]) : [];
    put(figure.controls,
        kinds.length > 1 ? segments(
                               kinds, kind, (value) => app.set({kind: value}),
                               'Kind of attention (keys e, d, c)') :
                           null,
        // One head alone has no order and shares its scale with nobody.
        ...(entries.length > 1 ?
                [
                  segments(
                      [['own', 'Per head'], ['shared', 'Shared']], scale,
                      (value) => app.set({scale: value}), 'Colour scale'),
                  segments(
                      [['place', 'By layer'], ['entropy', 'By entropy']], sort,
                      (value) => app.set({sort: value}), 'Order')
                ] :
                []),
        this.more());
    figure.side.textContent = kindName(kind);
    grid.show({
      entries,
      scale,
      sort,
      chosen: entry,
      matrix: end && !(merge && app.trace.hasSubwords()) ?
          (each) => app.trace.matrix(each) :
          (each) => app.trace.shown(each, {end, merge}).matrix,
      label: `Heads of ${
          kindName(
              kind)}: layers by heads. Arrow keys walk, Enter enlarges, e, d and c switch the kind.`,
    });
    const axes = axisNames(kind, app.trace.unit(merge));
    const tags = new Map();
    for (const each of entries) tags.set(each.tag, (tags.get(each.tag) || 0) + 1);
    const list = [...tags].map(([tag, number]) => `${number} ${tag}`).join(', ');
    figure.summary.textContent = `${several(entries.length, 'head')}: ${
        list}. The number is the mean entropy in bits: low is sharp. Rows: ${axes.rows}. Columns: ${
        axes.columns}.`;
  }

  data() {
    const entries = this.app.trace.of(this.app.entry().kind);
    return {
      columns: ['head', 'kind', 'layer', 'number', 'tag', 'entropy in bits'],
      rows: entries.map(
          (each) =>
              [`${each.layer + 1}.${each.head + 1}`, each.kind, each.layer + 1, each.head + 1,
               each.tag, each.entropy]),
    };
  }
}
