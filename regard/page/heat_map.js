// One matrix, enlarged: a canvas with labels that stay while it scrolls, the names of its sides,
// what its colours stand for, a framed row, and a cell one can point at or walk to.

import {columnStep, leaning, leaningSpans, nameSpans, past, rowStep, widest} from './axis_names.js';
import {inkOn, picture} from './colour.js';
import {colourScale} from './colour_scale.js';
import {drawnToWidth, make, say} from './dom.js';
import {attends, quoted, weight} from './wording.js';

const clamp = (value, low, high) => Math.min(high, Math.max(low, value));
const withNumbers = 40;  // pixels of a cell from which on its weight stands in it

export class HeatMap {
  /**
   * pointed(row, column) is called for each cell the reader points at or walks to, moved when it is
   * walked to, picked when one is clicked or entered, named(row) when a row's name is; follow(row,
   * column) says which column is marked after a step to another row; most: the largest cell, in
   * pixels; least: its least width, below which the map scrolls.
   */
  constructor({
    pointed,
    picked = () => {},
    moved = () => {},
    named = null,
    follow = (row, column) => column,
    most = [62, 32],
    least = 14
  }) {
    Object.assign(this, {pointed, picked, moved, named, follow, most, least});
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
    this.element = make(
        'div', {class: 'map-frame'}, make('div', {class: 'map-top'}, this.columnName, this.scale),
        this.rowName, this.scroller);
    this.cells.addEventListener('pointermove', (event) => this.hover(...this.under(event)));
    this.cells.addEventListener('pointerleave', () => this.hover(...this.cell));
    this.cells.addEventListener('click', (event) => {
      const cell = this.under(event);
      this.point(...cell, true);
      this.picked(...cell);
    });
    this.rows.addEventListener('click', (event) => this.named?.(this.under(event)[0]));
    this.rows.classList.toggle('map-named', named !== null);
    this.redraw = drawnToWidth(this.scroller, () => this.data && this.layout());
  }

  /**
   * data: {matrix, rows, columns, high, label, axes, measure}: high: the weight of the strongest
   * colour; axes: {rows, columns} says what stands on either side, measure: {name, note, ticks}
   * what the colours measure.
   */
  show(data) {
    this.data = data;
    const {matrix, axes} = data;
    this.cell =
        [clamp(this.cell[0], 0, matrix.rows - 1), clamp(this.cell[1], 0, matrix.columns - 1)];
    this.columnName.textContent = axes.columns;
    this.rowName.textContent = axes.rows;
    this.scale.replaceChildren(colourScale({...data.measure, hidden: matrix.seen !== null}));
    this.scroller.setAttribute(
        'aria-label',
        `${data.label}. Rows: ${axes.rows}. Columns: ${axes.columns}. ` +
            'Arrow keys move from cell to cell.');
    this.redraw();
  }

  layout() {
    const {matrix, rows, columns} = this.data;
    const width = this.scroller.clientWidth;
    const family = getComputedStyle(this.element).fontFamily;
    const dense = matrix.columns > 32;
    const font = `600 ${dense ? 11.5 : 13}px ${family}`;
    const slant = leaning(widest(columns, font));
    const labelWidth = Math.round(Math.min(width / 3, widest(rows, font) + 24));
    const fit = (space) =>
        clamp(Math.floor(space / Math.max(1, matrix.columns)), this.least, this.most[0]);
    let cell = fit(width - labelWidth - 4);
    const flat = widest(columns, font) + 6 <= cell;
    let beyond = 2;
    for (let turn = 0; turn < 2 && !flat; ++turn) {
      beyond = past(columns, font, cell);
      cell = fit(width - labelWidth - beyond - 4);
    }
    this.cellWidth = cell;
    this.cellHeight = Math.round(clamp(cell * (cell < 24 ? 0.86 : 0.7), 14, this.most[1]));
    const {style, classList} = this.element;
    classList.toggle('map-flat', flat);
    classList.toggle('map-dense', dense);
    classList.toggle('map-lined', Math.min(this.cellWidth, this.cellHeight) >= 12);
    classList.toggle(
        'map-whole', cell * matrix.columns + labelWidth + beyond <= width && matrix.rows <= 100);
    const sizes = {
      '--cell-width': cell,
      '--cell-height': this.cellHeight,
      '--label-width': labelWidth,
      '--slant-height': slant.height,
      '--past': beyond,
    };
    for (const [name, value] of Object.entries(sizes)) style.setProperty(name, `${value}px`);
    this.step = columnStep(cell);
    this.columns.replaceChildren(
        ...(flat ? nameSpans(columns, 1) : leaningSpans(columns, this.step, cell)));
    if (flat) this.step = 1;
    this.rows.replaceChildren(...nameSpans(rows, rowStep(this.cellHeight)));
    this.paint();
    this.place();
  }

  paint() {
    const {matrix, high} = this.data;
    const [width, height] = [matrix.columns * this.cellWidth, matrix.rows * this.cellHeight];
    const written = this.cellWidth >= withNumbers && this.cellHeight >= 18;
    const image = () => picture(matrix, high);
    const words = () => written ? this.numbers() : [];
    this.canvas.style.width = `${width}px`;
    this.canvas.style.height = `${height}px`;
    // For files: in the colours of the moment they are made.
    this.canvas.cells = {get image() { return image(); }, get words() { return words(); }};
    const density = written ?
        Math.min(Math.max(2, devicePixelRatio || 1), 8192 / Math.max(1, width, height)) :
        0;
    const cells = written ? document.createElement('canvas') : this.canvas;
    cells.width = Math.max(1, matrix.columns);
    cells.height = Math.max(1, matrix.rows);
    cells.getContext('2d', {willReadFrequently: true}).putImageData(image(), 0, 0);
    if (!written) return;
    this.canvas.width = Math.max(1, Math.round(width * density));
    this.canvas.height = Math.max(1, Math.round(height * density));
    const context = this.canvas.getContext('2d', {willReadFrequently: true});
    context.imageSmoothingEnabled = false;
    context.drawImage(cells, 0, 0, this.canvas.width, this.canvas.height);
    const {fontFamily} = getComputedStyle(this.element);
    context.textAlign = 'center';
    context.textBaseline = 'middle';
    for (const {text, x, y, size, colour} of words()) {
      context.font = `${size * density}px ${fontFamily}`;
      context.fillStyle = colour;
      context.fillText(text, x * density, y * density);
    }
  }

  /** The weights as numbers in the middle of their cells. */
  numbers() {
    const {matrix, high} = this.data;
    const result = [];
    for (let row = 0; row < matrix.rows; ++row)
      for (let column = 0; column < matrix.columns; ++column) {
        const value = matrix.at(row, column);
        if (value < 0.005 || matrix.hidden(row, column)) continue;
        result.push({
          text: value >= 0.995 ? '1' : value.toFixed(2).slice(1),
          x: (column + 0.5) * this.cellWidth,
          y: (row + 0.53) * this.cellHeight,
          size: 12,
          colour: inkOn(value / high),
        });
      }
    return result;
  }

  under(event) {
    const box = this.canvas.getBoundingClientRect();
    const {matrix} = this.data;
    return [
      clamp(Math.floor((event.clientY - box.top) / this.cellHeight), 0, matrix.rows - 1),
      clamp(Math.floor((event.clientX - box.left) / this.cellWidth), 0, matrix.columns - 1),
    ];
  }

  /** The mouse is on a cell: it is read out, but nothing is chosen. */
  hover(row, column) {
    this.placeMark(row, column);
    this.pointed(row, column);
  }

  /** Chooses a cell; says it too where the reader went there on purpose. */
  point(row, column, aloud) {
    const {matrix, rows, columns} = this.data;
    if (row < 0 || column < 0 || row >= matrix.rows || column >= matrix.columns) return;
    this.choose(row, column);
    this.pointed(row, column);
    if (!aloud) return;
    if (matrix.hidden(row, column))
      say(`${quoted(columns[column])} is hidden from ${quoted(rows[row])}`);
    else
      say(attends(rows[row], columns[column], matrix.at(row, column)));
  }

  /** The readout of a cell: “man” ← “Mann”  0.943, its words in their own direction. */
  static text({matrix, rows, columns, exact = true}, row, column) {
    const value = matrix.hidden(row, column) ?
        'hidden' :
        `${exact ? '' : '≈ '}${weight(matrix.at(row, column))}`;
    return [
      '“', make('bdi', {}, rows[row]), '” ← “', make('bdi', {}, columns[column]), `”  ${value}`
    ];
  }

  /** Frames a row and marks a cell of it, and nothing else. */
  choose(row, column) {
    this.cell = [row, column];
    this.place();
  }

  place() {
    const [row, column] = this.cell;
    this.band.style.transform = `translateY(${row * this.cellHeight}px)`;
    this.placeMark(row, column);
    this.rows.querySelector('.here')?.classList.remove('here');
    this.columns.querySelector('.here')?.classList.remove('here');
    this.rows.children[row]?.classList.add('here');
    if (column % this.step === 0) this.columns.children[column / this.step]?.classList.add('here');
  }

  placeMark(row, column) {
    this.mark.style.transform =
        `translate(${column * this.cellWidth}px, ${row * this.cellHeight}px)`;
  }

  walk(event) {
    const step = {ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [
                    0, 1
                  ]}[event.key];
    if (event.key === 'Enter') this.picked(...this.cell);
    if (!step || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    const {matrix} = this.data;
    const [row, column] = this.cell;
    const nextRow = clamp(row + step[0], 0, matrix.rows - 1);
    const next = [
      nextRow,
      step[0] ? this.follow(nextRow, column) : clamp(column + step[1], 0, matrix.columns - 1)
    ];
    this.point(...next, true);
    this.moved(...next);
    this.mark.scrollIntoView({block: 'nearest', inline: 'nearest'});
  }
}
