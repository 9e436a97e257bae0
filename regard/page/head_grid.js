// All heads of one kind at a glance: layers down, heads across, with shared names of rows and
// columns, and one frame around the same row of each. Walked with the arrow keys.

import {columnStep, leaningSpans, nameSpans, rowStep} from './axis_names.js';
import {picture} from './colour.js';
import {drawnToWidth, make, say} from './dom.js';
import {gridSizes} from './grid_sizes.js';
import {explained, lookedAt, spokenHead, tagPill} from './head_tag.js';
import {bySharpness} from './trace.js';
import {spread} from './wording.js';

export class HeadGrid {
  /**
   * enlarge(entry): a head was opened; chosen(row): a row that is shown was; drawn(): all was
   * drawn, and `note` says how.
   */
  constructor({enlarge, chosen = () => {}, drawn = () => {}}) {
    Object.assign(this, {enlarge, chosen, drawn});
    this.grid = make('div', {
      class: 'heads-grid',
      role: 'grid',
      on: {keydown: (event) => this.walk(event), click: (event) => this.clicked(event)}
    });
    this.below = make('div', {class: 'heads-columns', 'aria-hidden': 'true'});
    this.element = make('div', {class: 'heads'}, this.grid, this.below);
    this.cells = [];
    this.named = [];
    [this.block, this.step, this.cellSize] = [1, 1, [1, 1]];
    this.note = '';
    this.redraw = drawnToWidth(this.element, () => this.data && this.layout());
  }

  /**
   * data: {entries, matrix(entry), breadth(entry), rows, columns (names), scale, sort, entry, row,
   * column, label}: entry is the chosen head, row and column what is marked.
   */
  show(data) {
    this.data = data;
    this.grid.setAttribute('aria-label', data.label);
    const {entries, sort, matrix} = data;
    this.heads = Math.max(1, ...entries.map((each) => each.head + 1));
    this.ordered = (sort === 'entropy' ? [...entries].sort(bySharpness) : entries)
                       .map((entry) => ({entry, matrix: matrix(entry)}));
    this.redraw();
  }

  layout() {
    const {element, data} = this;
    const focused = element.contains(document.activeElement);
    const font = `700 12px ${getComputedStyle(element).fontFamily}`;
    const {rows, columns} = data;
    const sizes = gridSizes({width: element.clientWidth, heads: this.heads, rows, columns, font});
    const {block, cellWidth, cellHeight, mapWidth} = sizes;
    const pixels = {
      '--cell-width': cellWidth,
      '--cell-height': cellHeight,
      '--map-width': mapWidth,
      '--map-height': sizes.mapHeight,
      '--label-width': sizes.label,
      '--gap': sizes.gap,
      '--slant-height': sizes.slantHeight,
    };
    for (const [name, value] of Object.entries(pixels))
      element.style.setProperty(name, `${value}px`);
    this.block = block;
    this.most = sizes.most;
    this.cellSize = [cellWidth, cellHeight];
    this.step = rowStep(cellHeight);
    element.style.setProperty('--step', String(this.step));
    element.classList.toggle('lined', Math.min(cellWidth, cellHeight) >= 8);
    element.classList.toggle('short', mapWidth < 236);
    element.classList.toggle('shorter', mapWidth < 165);
    const named = (labels) => labels.filter((_, i) => i % block === 0);
    this.rowCount = named(rows).length;
    this.fill(sizes.across, nameSpans(named(rows), this.step), named(columns));
    this.explain(columnStep(cellWidth));
    this.mark(data.row, data.column, data.entry);
    if (focused) this.current()?.focus();
    this.drawn();
  }

  fill(across, nameList, columnNames) {
    const {data, ordered} = this;
    const lines = [];
    ordered.forEach((each) => {
      const line = lines.at(-1);
      const fits = line && line.length < across &&
          (data.sort === 'entropy' || line[0].entry.layer === each.entry.layer);
      if (fits)
        line.push(each);
      else
        lines.push([each]);
    });
    this.element.classList.toggle('many', lines.length > 12);
    this.cells = [];
    this.named = [];
    const names = make('div', {class: 'heads-names', 'aria-hidden': 'true'}, ...nameList);
    this.grid.replaceChildren(...lines.map((line) => this.line(line, names)));
    const [cell] = this.cellSize;
    this.below.replaceChildren(...(lines.at(-1) || [])
                                   .map(
                                       () => make(
                                           'div', {class: 'leaning-names'},
                                           ...leaningSpans(columnNames, columnStep(cell), cell))));
  }

  line(list, names) {
    const {sort, breadth} = this.data;
    const {entry} = list[0];
    const spoken =
        sort === 'entropy' ? `from ${spread(breadth(entry).bits)}` : `layer ${entry.layer + 1}`;
    const own = names.cloneNode(true);
    const here = make('span', {class: 'heads-name-here', dir: 'auto'});
    own.append(here);
    this.named.push({names: own.children, here});
    const cells = list.map(
        ({entry: each, matrix}) =>
            ({entry: each, cell: this.head(each, matrix.pooled(this.most))}));
    this.cells.push(cells);
    return make(
        'div', {class: 'heads-row', role: 'row'},
        make(
            'div', {class: 'heads-side', role: 'rowheader'},
            make('span', {class: 'unseen'}, spoken), own),
        ...cells.map(({cell}) => cell));
  }

  head(entry, matrix) {
    const {scale} = this.data;
    const breadth = this.data.breadth(entry);
    const number = spread(breadth.bits);
    const largest = matrix.largest();
    const canvas = make('canvas', {class: 'thumb', width: matrix.columns, height: matrix.rows});
    const image = () => picture(matrix, scale === 'own' ? largest : 1);
    canvas.getContext('2d', {willReadFrequently: true}).putImageData(image(), 0, 0);
    canvas.cells = {get image() { return image(); }};  // for files: in the colours of that moment
    return make(
        'div', {
          class: 'head-cell',
          role: 'gridcell',
          tabindex: '-1',
          'aria-label': `${spokenHead(entry, breadth)}, largest weight ${largest.toFixed(2)}`,
          'data-head': `${entry.layer}.${entry.head}`,
        },
        make(
            'div', {class: 'head-caption', title: explained(entry, breadth)},
            make('span', {class: 'head-name'}, `${entry.layer + 1}.${entry.head + 1}`),
            tagPill(entry),
            make(
                'span', {class: 'head-spread'}, number,
                make('span', {class: 'head-unit'}, lookedAt(breadth).slice(number.length)))),
        make('div', {class: 'head-map'}, canvas, make('div', {class: 'head-frame'})));
  }

  /** Which names were left out, and what a cell stands for where it is more than a pair. */
  explain(columns) {
    const {rows, columns: keys} = this.data;
    const parts = [];
    const most = Math.max(rows.length, keys.length);
    if (this.block > 1)
      parts.push(`${most} tokens: each cell is the largest weight of a block of ${this.block} by ${
          this.block}.`);
    const ordinal = (n) => n === 1 ? 'each' :
        n === 2                    ? 'every second' :
        n === 3                    ? 'every third' :
                                     `every ${n}th`;
    const [down, along] = [this.step * this.block, columns * this.block];
    if (down > 1 || along > 1)
      parts.push(`Named: ${ordinal(down)} row, ${ordinal(along)} column. One head names them all.`);
    this.note = parts.join(' ');
  }

  /** Moves the frame and marks the strongest key; draws nothing again. */
  mark(row, column, chosen) {
    Object.assign(this.data, {row, column, entry: chosen});
    const at = Math.floor(row / this.block);
    const {step} = this;
    this.element.style.setProperty('--row', String(at));
    this.element.classList.toggle('framed', at >= 0);
    for (const {names, here} of this.named) {
      here.textContent = this.data.rows[row] ?? '';
      for (let i = 0; i < names.length - 1; ++i)
        names[i].classList.toggle('covered', Math.abs(i * step - at) < step);
    }
    const key = Math.floor(column / this.block) / columnStep(this.cellSize[0]);
    for (const names of this.below.children)
      [...names.children].forEach((name, i) => name.classList.toggle('here', i === key));
    for (const {entry, cell} of this.cells.flat())
      cell.setAttribute('aria-selected', String(entry === chosen));
    this.tabStop(chosen);
  }

  clicked(event) {
    const side = event.target.closest('.heads-side, .head-map');
    const cell = event.target.closest('.head-cell');
    if (side) {
      const at = Math.floor(
          (event.clientY - side.getBoundingClientRect().bottom) / this.cellSize[1] + this.rowCount);
      if (at >= 0 && at < this.rowCount) this.chosen(at * this.block);
    } else if (cell) {
      const found = this.cells.flat().find((each) => each.cell === cell);
      this.open(found.entry);
    }
  }

  open(entry) {
    this.tabStop(entry);
    this.enlarge(entry);
  }

  tabStop(entry) {
    const all = this.cells.flat();
    const stop = all.find((each) => each.entry === entry) || all[0];
    for (const each of all) each.cell.setAttribute('tabindex', each === stop ? '0' : '-1');
  }

  current() { return this.element.querySelector('[tabindex="0"]'); }

  walk(event) {
    const row =
        this.cells.findIndex((line) => line.some(({cell}) => cell === document.activeElement));
    if (row < 0 || event.altKey || event.ctrlKey || event.metaKey) return;
    const column = this.cells[row].findIndex(({cell}) => cell === document.activeElement);
    if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault();
      return this.open(this.cells[row][column].entry);
    }
    const [down, along] = {
      ArrowRight: [0, 1],
      ArrowLeft: [0, -1],
      ArrowDown: [1, 0],
      ArrowUp: [-1, 0],
      Home: [0, -column],
      End: [0, this.cells[row].length - 1 - column],
    }[event.key] ||
        [NaN, NaN];
    if (Number.isNaN(down)) return;
    event.preventDefault();
    const next = this.cells[row + down]?.[column + along];
    if (!next) return;
    this.tabStop(next.entry);
    next.cell.focus();
    say(next.cell.getAttribute('aria-label'));
  }
}
