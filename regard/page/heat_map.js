// One matrix, enlarged: a canvas with labels that stay while it scrolls, the names of its sides,
// what its colours stand for, and a cell one can point at or walk to.

import {inkOn, picture} from './colour.js';
import {colourScale, numbersBetween} from './colour_scale.js';
import {drawnToWidth, make, say, textWidth} from './dom.js';
import {attends, quoted, weight} from './wording.js';

const clamp = (value, low, high) => Math.min(high, Math.max(low, value));
const widest = (labels, font) =>
    labels.reduce((most, label) => Math.max(most, textWidth(label, font)), 0);
const spans = (labels) => labels.map((text) => make('span', {dir: 'auto'}, text));

export class HeatMap {
  /**
   * pointed(row, column) is called for each cell the reader points at, picked when one is clicked;
   * most: the largest cell, in pixels.
   */
  constructor({pointed, picked = () => {}, most = [62, 32]}) {
    this.pointed = pointed;
    this.picked = picked;
    this.most = most;
    this.zoom = 1;
    this.cell = [0, 0];
    this.canvas = make('canvas', {class: 'map-canvas'});
    this.band = make('div', {class: 'map-band'});
    this.mark = make('div', {class: 'map-mark'});
    this.columns = make('div', {class: 'map-columns', 'aria-hidden': 'true'});
    this.rows = make('div', {class: 'map-rows', 'aria-hidden': 'true'});
    this.cells = make('div', {class: 'map-cells'}, this.canvas, this.band, this.mark);
    this.columnName = make('p', {class: 'map-column-name', 'aria-hidden': 'true'});
    this.rowName = make('p', {class: 'map-row-name', 'aria-hidden': 'true'});
    this.scale = make('div', {class: 'map-scale'});
    this.scroller = make(
        'div', {
          class: 'map',
          tabindex: '0',
          role: 'application',
          'aria-roledescription': 'heat map',
          on: {keydown: (event) => this.walk(event), focus: () => this.point(...this.cell, true)},
        },
        make(
            'div', {class: 'map-grid'}, make('div', {class: 'map-corner'}), this.columns, this.rows,
            this.cells));
    this.element =
        make('div', {class: 'map-frame'}, this.columnName, this.rowName, this.scroller, this.scale);
    this.cells.addEventListener('pointermove', (event) => this.point(...this.under(event), false));
    this.cells.addEventListener('click', (event) => {
      const cell = this.under(event);
      this.point(...cell, true);
      this.picked(...cell);
    });
    this.redraw = drawnToWidth(this.scroller, () => this.data && this.layout());
  }

  /**
   * data: {matrix, rows, columns, high, label, axes, measure}: axes: {rows, columns} says what
   * stands on either side, measure: {name, note} what the colours measure; spoken(row, column) may
   * replace the usual sentence.
   */
  show(data) {
    this.data = data;
    const {matrix, axes, high, low = 0} = data;
    this.cell =
        [clamp(this.cell[0], 0, matrix.rows - 1), clamp(this.cell[1], 0, matrix.columns - 1)];
    this.columnName.textContent = axes.columns;
    this.rowName.textContent = axes.rows;
    this.scale.replaceChildren(colourScale(
        {...data.measure, ticks: numbersBetween(low, high), hidden: matrix.seen !== null}));
    this.scroller.setAttribute(
        'aria-label',
        `${data.label}. Rows: ${axes.rows}. Columns: ${axes.columns}. ` +
            'Arrow keys move from cell to cell.');
    this.redraw();
  }

  layout() {
    const {matrix, rows, columns} = this.data;
    const width = this.scroller.clientWidth;
    const font = `13px ${getComputedStyle(this.element).fontFamily}`;
    const labelWidth = Math.round(Math.min(150, width / 3, widest(rows, font) + 14));
    const room = (width - labelWidth - 2) / Math.max(1, matrix.columns);
    this.cellWidth = Math.round(clamp(Math.floor(room), 12, this.most[0]) * this.zoom);
    this.cellHeight = Math.round(clamp(this.cellWidth, 12, this.most[1] * this.zoom));
    const flat = widest(columns, font) + 8 <= this.cellWidth;
    this.element.classList.toggle('map-flat', flat);
    this.element.classList.toggle('map-dense', this.cellHeight < 15);
    this.element.style.setProperty('--cell-width', `${this.cellWidth}px`);
    this.element.style.setProperty('--cell-height', `${this.cellHeight}px`);
    this.element.style.setProperty('--label-width', `${labelWidth}px`);
    this.columns.replaceChildren(...spans(columns));
    this.rows.replaceChildren(...spans(rows));
    this.paint();
    this.place();
  }

  paint() {
    const {matrix, high, low = 0, numbers = true} = this.data;
    const [width, height] = [matrix.columns * this.cellWidth, matrix.rows * this.cellHeight];
    const density = Math.min(devicePixelRatio || 1, 8192 / Math.max(1, width, height));
    this.canvas.width = Math.max(1, Math.round(width * density));
    this.canvas.height = Math.max(1, Math.round(height * density));
    this.canvas.style.width = `${width}px`;
    this.canvas.style.height = `${height}px`;
    const cells = document.createElement('canvas');
    cells.width = Math.max(1, matrix.columns);
    cells.height = Math.max(1, matrix.rows);
    cells.getContext('2d').putImageData(picture(matrix, high, low), 0, 0);
    const context = this.canvas.getContext('2d');
    context.imageSmoothingEnabled = false;
    context.drawImage(cells, 0, 0, this.canvas.width, this.canvas.height);
    if (numbers && this.cellWidth >= 34 && this.cellHeight >= 18) this.write(context, density);
  }

  /** The weights as numbers in their cells, where there is room. */
  write(context, density) {
    const {matrix, high, low = 0} = this.data;
    context.font = `${12 * density}px ${getComputedStyle(this.element).fontFamily}`;
    context.textAlign = 'center';
    context.textBaseline = 'middle';
    for (let row = 0; row < matrix.rows; ++row)
      for (let column = 0; column < matrix.columns; ++column) {
        const value = matrix.at(row, column);
        if (value < 0.005) continue;
        context.fillStyle = inkOn(high > low ? (value - low) / (high - low) : 0);
        context.fillText(
            value >= 0.995 ? '1' : value.toFixed(2).slice(1),
            (column + 0.5) * this.cellWidth * density, (row + 0.54) * this.cellHeight * density);
      }
  }

  under(event) {
    const box = this.canvas.getBoundingClientRect();
    const {matrix} = this.data;
    return [
      clamp(Math.floor((event.clientY - box.top) / this.cellHeight), 0, matrix.rows - 1),
      clamp(Math.floor((event.clientX - box.left) / this.cellWidth), 0, matrix.columns - 1),
    ];
  }

  /** Shows a cell; says it too where the reader went there on purpose. */
  point(row, column, aloud) {
    const {matrix, rows, columns} = this.data;
    if (row < 0 || column < 0 || row >= matrix.rows || column >= matrix.columns) return;
    this.cell = [row, column];
    this.place();
    this.pointed(row, column);
    if (!aloud) return;
    if (this.data.spoken)
      say(this.data.spoken(row, column));
    else if (matrix.hidden(row, column))
      say(`${quoted(columns[column])} is hidden from ${quoted(rows[row])}`);
    else
      say(attends(rows[row], columns[column], matrix.at(row, column)));
  }

  /** The readout of a cell: "man ← Mann 0.943". */
  static text({matrix, rows, columns, exact = true}, row, column) {
    const value = matrix.hidden(row, column) ?
        'hidden' :
        `${exact ? '' : '≈ '}${weight(matrix.at(row, column))}`;
    return `${quoted(rows[row])} ← ${quoted(columns[column])}  ${value}`;
  }

  place() {
    const [row, column] = this.cell;
    this.band.style.transform = `translateY(${row * this.cellHeight}px)`;
    this.mark.style.transform =
        `translate(${column * this.cellWidth}px, ${row * this.cellHeight}px)`;
    this.rows.querySelector('.here')?.classList.remove('here');
    this.columns.querySelector('.here')?.classList.remove('here');
    this.rows.children[row]?.classList.add('here');
    this.columns.children[column]?.classList.add('here');
  }

  walk(event) {
    const step = {ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [
                    0, 1
                  ]}[event.key];
    if (event.key === 'Enter') this.picked(...this.cell);
    if (!step || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    const {matrix} = this.data;
    this.point(
        clamp(this.cell[0] + step[0], 0, matrix.rows - 1),
        clamp(this.cell[1] + step[1], 0, matrix.columns - 1), true);
    this.mark.scrollIntoView({block: 'nearest', inline: 'nearest'});
  }

  magnify(factor) {
    this.zoom = clamp(this.zoom * factor, 0.5, 4);
    this.layout();
  }
}
