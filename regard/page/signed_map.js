// A table of signed numbers that fits its place: panels side by side, rows named where there is
// room, one row framed. One can point at a cell and walk from row to row.

import {picture} from './colour.js';
import {drawnToWidth, make} from './dom.js';

const labelRoom = 16;  // pixels between the names of two rows
const tickRoom = 44;   // and between the numbers of two columns

/** Whole steps that leave room: 1, 2, 4, 8, ... */
function stepFor(size, least) {
  let step = 1;
  while (step * size < least && step < 4096) step *= 2;
  return step;
}

class Panel {
  constructor(map, index) {
    this.canvas = make('canvas', {class: 'signed-cells', 'aria-hidden': 'true'});
    this.frame = make('span', {class: 'signed-frame'});
    this.line = make('span', {class: 'signed-line'});
    this.cells = make('div', {class: 'signed-panel'}, this.canvas, this.line, this.frame);
    this.ticks = make('div', {class: 'signed-ticks'});
    this.name = make('p', {class: 'signed-name'});
    this.element = make('div', {class: 'signed-side'}, this.cells, this.ticks, this.name);
    const under = (event) => {
      const box = this.cells.getBoundingClientRect();
      const {matrix} = this;
      const cell = (share, count) => Math.min(count - 1, Math.max(0, Math.floor(share * count)));
      return [
        cell((event.clientY - box.top) / box.height, matrix.rows), index,
        cell((event.clientX - box.left) / box.width, matrix.columns)
      ];
    };
    this.cells.addEventListener('pointermove', (event) => map.pointed(...under(event)));
    this.cells.addEventListener('pointerleave', () => map.left());
    this.cells.addEventListener('click', (event) => map.picked(...under(event)));
  }

  paint({matrix, name}, most, height) {
    this.matrix = matrix;
    [this.canvas.width, this.canvas.height] = [matrix.columns, matrix.rows];
    this.canvas.getContext('2d').putImageData(picture(matrix, most, -most, 'signed'), 0, 0);
    this.cells.style.setProperty('height', `${height}px`);
    this.name.textContent = name;
    const width = this.cells.clientWidth;
    const step = stepFor(width / matrix.columns, tickRoom);
    const places = Array.from({length: matrix.columns}, (_, i) => i)
                       .filter(
                           (i) => i === 0 || i === matrix.columns - 1 ||
                               ((i + 1) % step === 0 &&
                                (matrix.columns - 1 - i) * width / matrix.columns > tickRoom &&
                                i * width / matrix.columns > tickRoom));
    this.ticks.replaceChildren(...places.map(
        (i) =>
            make('span', {style: {left: `${100 * (i + 0.5) / matrix.columns}%`}}, String(i + 1))));
  }

  mark(row, column) {
    const {rows, columns} = this.matrix;
    this.frame.style.setProperty('top', `${100 * row / rows}%`);
    this.frame.style.setProperty('height', `${100 / rows}%`);
    this.line.hidden = column === null;
    if (column === null) return;
    this.line.style.setProperty('left', `${100 * column / columns}%`);
    this.line.style.setProperty('width', `${100 / columns}%`);
  }
}

export class SignedMap {
  /**
   * pointed(row, panel, column) is called for each cell that is pointed at, picked for one that is
   * clicked, left when the pointer leaves.
   */
  constructor({pointed, picked, left}) {
    Object.assign(this, {pointed, picked, left});
    this.labels = make('div', {class: 'signed-rows', 'aria-hidden': 'true'});
    this.sideName = make('p', {class: 'signed-side-name', 'aria-hidden': 'true'});
    this.holder = make('div', {class: 'signed-panels'});
    this.element = make('div', {class: 'signed-map'}, this.sideName, this.labels, this.holder);
    this.panels = [];
    this.redraw = drawnToWidth(this.holder, () => this.data && this.layout());
  }

  /**
   * data: {panels: [{matrix, name}], most, names: [{number, word}] of the rows, side, row, column}
   */
  show(data) {
    this.data = data;
    if (this.panels.length !== data.panels.length) {
      this.panels = data.panels.map((_, i) => new Panel(this, i));
      this.holder.replaceChildren(...this.panels.map((panel) => panel.element));
    }
    this.sideName.textContent = data.side;
    this.redraw();
  }

  layout() {
    const {panels, most} = this.data;
    const rows = panels[0].matrix.rows;
    this.height = Math.min(520, Math.max(240, Math.round(rows * 7.2)));
    this.panels.forEach((panel, i) => panel.paint(panels[i], most, this.height));
    this.mark(this.data.row, this.data.column);
  }

  /** Frames a row and, if any, a column; its name is always shown. */
  mark(row, column) {
    Object.assign(this.data, {row, column});
    if (!this.height) return;
    const {names} = this.data;
    const size = this.height / names.length;
    const step = stepFor(size, labelRoom);
    const far = (i) => Math.abs(i - row) * size >= labelRoom;
    this.labels.style.setProperty('height', `${this.height}px`);
    this.labels.replaceChildren(...names.map((name, i) => ({...name, i}))
                                    .filter(({i}) => i === row || (i % step === 0 && far(i)))
                                    .map(
                                        ({number, word, i}) => make(
                                            'span', {
                                              class: `signed-row${i === row ? ' here' : ''}`,
                                              title: word || null,
                                              style: {top: `${(i + 0.5) * size}px`}
                                            },
                                            word ? make('bdi', {class: 'signed-word'}, word) : null,
                                            make('span', {}, String(number)))));
    this.panels.forEach((panel) => panel.mark(row, column));
  }
}
