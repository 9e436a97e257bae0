// The frame around every picture: title, controls, a summary in words, the same numbers as a table,
// and a way to take it home.

import {make, say} from './dom.js';
import {SaveMenu} from './save_menu.js';

/** Hands a file to the reader. */
export function download(name, blob) {
  const link = make('a', {href: URL.createObjectURL(blob), download: name});
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
  say(`${name} saved`);
}

/** A field of CSV: quoted where it must be, and never taken for a formula by a spreadsheet. */
function field(value) {
  let text = String(value);
  if (typeof value === 'string' && /^[=+\-@\t]/.test(text)) text = `'${text}`;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

export function csv({columns, rows}) {
  return [columns, ...rows].map((row) => row.map(field).join(',')).join('\r\n') + '\r\n';
}

const mostCells = 1500;

/** The data as an HTML table, or its first rows where it is too long to be read. */
function table({columns, rows, caption}) {
  const fitting = Math.max(1, Math.floor(mostCells / Math.max(1, columns.length)));
  const shown = rows.slice(0, fitting);
  const cell = (value, i) => i === 0 ?
      make('th', {scope: 'row', dir: 'auto'}, String(value)) :
      make(
          'td', {dir: 'auto'},
          typeof value === 'number' ? String(Number(value.toPrecision(4))) : String(value));
  const note = shown.length < rows.length ?
      ` (the first ${shown.length} of ${rows.length} rows; CSV holds all)` :
      '';
  return make(
      'table', {}, make('caption', {}, caption + note),
      make(
          'thead', {},
          make(
              'tr', {},
              ...columns.map((name) => make('th', {scope: 'col', dir: 'auto'}, String(name))))),
      make('tbody', {}, ...shown.map((row) => make('tr', {}, ...row.map(cell)))));
}

let number = 0;

export class Figure {
  /**
   * data() gives {columns, rows} and maybe a caption, json() any object; both are asked only when
   * wanted.
   */
  constructor({title, name, data, json, level = 2}) {
    const heading = `figure-${++number}`;
    this.name = name;
    this.data = data;
    this.json = json || data;
    this.title = make(`h${level}`, {class: 'figure-title', id: heading}, title);
    this.side = make('p', {class: 'figure-side'});
    this.controls = make('div', {class: 'controls'});
    this.body = make('div', {class: 'figure-body'});
    this.note = make('p', {class: 'readout'});
    this.summary = make('p', {class: 'summary'});
    this.twin = make('div', {class: 'twin', tabindex: '0', role: 'region', 'aria-label': 'Table'});
    this.details = make(
        'details', {on: {toggle: () => this.fillTwin()}}, make('summary', {}, 'Table'), this.twin);
    this.foot = make('div', {class: 'figure-foot', hidden: true}, this.details);
    this.saving = new SaveMenu(title, (kind, asShown) => this.save(kind, asShown));
    this.head = make('div', {class: 'figure-head'}, this.title, this.side, this.saving.element);
    this.element = make(
        'section', {class: 'figure', 'aria-labelledby': heading}, this.head, this.controls,
        this.body, this.note, this.summary, this.foot);
  }

  /** To be called when the data has changed; without any there is nothing to save. */
  refresh(any = true) {
    this.foot.hidden = this.saving.element.hidden = !any;
    this.saving.button.setAttribute('aria-label', `Save: ${this.title.textContent}`);
    if (!any) {
      this.saving.close();
      this.details.open = false;
    }
    if (this.details.open) this.fillTwin();
  }

  fillTwin() {
    this.twin.replaceChildren(
        ...(this.details.open ? [table({caption: this.title.textContent, ...this.data()})] : []));
  }

  /** What makes pictures is fetched when the first one is saved. */
  async picture(kind, asShown) {
    const {pictureFile} = await import('./picture_file.js');
    return pictureFile(kind, this.element, this.title.textContent, asShown);
  }

  async save(kind, asShown = false) {
    const name = `regard-${this.name}`;
    const text = async (content, type) => new Blob([content], {type});
    const blobs = {
      CSV: () => text(csv(this.data()), 'text/csv'),
      JSON: () => text(JSON.stringify(this.json()), 'application/json'),
    };
    try {
      const blob = await (blobs[kind] ? blobs[kind]() : this.picture(kind, asShown));
      if (blob)
        download(`${name}.${kind.toLowerCase()}`, blob);
      else
        say(`${name} is too large for a picture; save it as SVG`);
    } catch (error) {
      say(`${name} was not saved: ${error.message}`);
    }
  }
}
