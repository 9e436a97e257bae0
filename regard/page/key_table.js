// One query against every key, in four aligned columns: the key under the query, the score, the
// weight, and the value as strong as its weight; below them what the head puts out.

import {weightColour} from './colour.js';
import {make, roving} from './dom.js';
import {theme} from './theme.js';
import {paintStrip, stripCanvas, usualSize} from './vector_strip.js';
import {brief, fixed, minus, weight as exact} from './wording.js';

const mostCells = 128;   // of a strip; more would be thinner than a pixel or two
const scrollsFrom = 25;  // keys
const percent = (share) => `${(100 * share).toFixed(1)}%`;

/** 0.84; a small one is not called 0. */
const shortWeight = (value) => value >= 0.005 ? value.toFixed(2) : value > 0 ? '< 0.01' : '0';
const shortScore = (value) =>
    minus(fixed(value, Math.abs(value) < 100 ? 1 : 0)).replace(/^−(0\.0)$/, '$1');

/** The scale as it is usually written: "÷ √64". */
export function scaleText(scale, width) {
  return Math.abs(scale * Math.sqrt(width) - 1) < 1e-3 ? `÷ √${width}` :
      scale === 1 ? '× 1' :
                    `× ${brief(scale)}`;
}

/** Styles that are another than before: hundreds that are not would cost as much. */
function restyle(element, styles) {
  element.styled ||= {};
  for (const [name, value] of Object.entries(styles))
    if (element.styled[name] !== value)
      element.style.setProperty(name, element.styled[name] = value);
}

const someOf = (shown, all) => shown < all ? `${shown} of ${all} numbers` : `${all} numbers`;

export class KeyTable {
  /** picked(column): called for the key that the reader chooses. */
  constructor(picked) {
    this.picked = picked;
    this.table = make('table', {class: 'keys', role: 'table'});
    this.scroller = make('div', {class: 'scroll keys-frame'}, this.table);
    this.element = this.scroller;
    this.vectors = null;
  }

  /** The vectors of a head: rows that stay, whatever the query is. names: of the keys. */
  show(vectors, names) {
    const same = this.vectors === vectors && this.names.join('\n') === names.join('\n');
    if (same && this.theme === theme()) return;
    const {scrollTop} = this.scroller;
    Object.assign(this, {vectors, names, theme: theme()});
    this.cells = Math.min(vectors.width, mostCells);
    this.valueCells = vectors.value ? Math.min(vectors.value.columns, mostCells) : 0;
    this.sizes = {
      query: usualSize(vectors.query.values),
      key: usualSize(vectors.key.values),
      value: vectors.value ? usualSize(vectors.value.values) : 1,
    };
    const long = names.length >= scrollsFrom;
    this.scroller.classList.toggle('tall', long);
    this.table.classList.toggle('without-values', !vectors.value);
    if (long) {
      this.scroller.setAttribute('tabindex', '0');
      this.scroller.setAttribute('role', 'region');
      this.scroller.setAttribute('aria-label', 'All keys of this query');
    } else {
      ['tabindex', 'role', 'aria-label'].forEach((name) => this.scroller.removeAttribute(name));
    }
    this.rows = names.map((name, i) => this.makeRow(name, i));
    this.table.replaceChildren(
        make('caption', {class: 'unseen'}, 'Every key of this query: score, weight and value'),
        this.makeHead(), make('tbody', {role: 'rowgroup'}, ...this.rows.map((row) => row.element)),
        ...(vectors.value ? [this.makeFoot()] : []));
    this.scroller.scrollTop = same ? scrollTop : 0;
  }

  makeHead() {
    const {vectors} = this;
    const title = (number, name, text) => make(
        'th', {scope: 'col', role: 'columnheader', class: `cell-${number}`},
        make(
            'span', {class: 'column-title'},
            make('span', {class: 'column-number', 'aria-hidden': 'true'}, String(number)), name),
        make('span', {class: 'column-text'}, text));
    this.queryName = make('th', {scope: 'row', role: 'rowheader', dir: 'auto', class: 'cell-0'});
    this.queryStrip = stripCanvas();
    const seen = someOf(this.cells, vectors.width);
    return make(
        'thead', {role: 'rowgroup'},
        make(
            'tr', {role: 'row', class: 'titles'}, make('td', {role: 'cell', class: 'cell-0'}),
            title(1, 'Query meets key', `${seen} each. Multiply one by one, add up.`),
            title(
                2, 'Score',
                `the sum ${scaleText(vectors.scale, vectors.width)}; more: a better match`),
            title(3, 'Weight', 'softmax: positive, and together 1'),
            vectors.value ? title(4, 'Value', 'what each offers, as strong as its weight') : null),
        make(
            'tr', {role: 'row', class: 'query-line'}, this.queryName,
            make('td', {role: 'cell', class: 'cell-1'}, this.queryStrip),
            make(
                'td', {role: 'cell', class: 'cell-2', colspan: vectors.value ? '3' : '2'},
                'the query, times each key below')));
  }

  makeRow(name, i) {
    const button = make(
        'button', {
          type: 'button',
          class: 'token',
          dir: 'auto',
          tabindex: '-1',
          on: {
            keydown: (event) => {
              const next = roving(this.rows.map((row) => row.button), i, event.key);
              if (next < 0) return;
              event.preventDefault();
              this.picked(next);
            },
          },
        },
        name);
    const key =
        paintStrip(stripCanvas(), this.vectors.key.row(i).subarray(0, this.cells), this.sizes.key);
    const zero = make('span', {class: 'score-zero'});
    const bar = make('span', {class: 'score-bar'});
    const score = make('span', {class: 'score-number'});
    const share = make('span', {class: 'weight-bar'});
    const weight = make('span', {class: 'weight-number'});
    const value = this.vectors.value ? stripCanvas() : null;
    const cell = (number, ...content) =>
        make('td', {role: 'cell', class: `cell-${number}`}, ...content);
    const element = make(
        'tr', {role: 'row', on: {click: () => this.picked(i)}},
        make('th', {scope: 'row', role: 'rowheader', class: 'cell-0'}, button), cell(1, key),
        cell(2, make('span', {class: 'bar-room'}, zero, bar, score)),
        cell(3, make('span', {class: 'bar-room'}, share, weight)), value ? cell(4, value) : null);
    return {element, button, zero, bar, score, share, weight, value};
  }

  makeFoot() {
    this.outputNote = make('span', {class: 'output-note'});
    this.outputStrip = stripCanvas();
    return make(
        'tfoot', {role: 'rowgroup'},
        make(
            'tr', {role: 'row', class: 'output-line'},
            make(
                'th', {scope: 'row', role: 'rowheader', colspan: '4', class: 'cell-0'},
                make('span', {class: 'output-name'}, 'Output of this head'), this.outputNote),
            make('td', {role: 'cell', class: 'cell-4'}, this.outputStrip)));
  }

  /**
   * Shows one query: {name, query, scores, weights, output, note}; column: the key that is chosen;
   * note: on the output, in words.
   */
  update({name, query, scores, weights, output, note}, column) {
    const seen = scores.filter(Number.isFinite);
    const low = Math.min(0, ...seen);
    const span = Math.max(0, ...seen) - low || 1;
    const largest = Math.max(...weights) || 1;
    const zero = -low / span;
    this.queryName.textContent = name;
    paintStrip(this.queryStrip, query.slice(0, this.cells), this.sizes.query);
    this.rows.forEach((row, i) => this.updateRow(row, {
      i,
      chosen: i === column,
      score: scores[i],
      weight: weights[i],
      place: (score) => (score - low) / span,
      zero,
      largest,
    }));
    if (output) {
      // On the scale of the values above, unless so many add up that all would be strongest.
      const most = Math.max(usualSize(output), this.sizes.value * largest);
      paintStrip(this.outputStrip, output.slice(0, this.valueCells), most);
      this.outputNote.textContent = note;
    }
    this.reveal(this.rows[column].element);  // last: the note makes the foot higher
  }

  /** Where the keys scroll, the chosen one is in sight between head and foot. */
  reveal(row) {
    const {scroller, table} = this;
    if (!scroller.classList.contains('tall') || !scroller.isConnected) return;
    const [frame, box] = [scroller, row].map((each) => each.getBoundingClientRect());
    const head = table.tHead.offsetHeight;
    const foot = table.tFoot ? table.tFoot.getBoundingClientRect().top : Infinity;
    const [low, high] = [frame.top + head, Math.min(frame.bottom, foot)];
    if (box.top < low || box.bottom > high)
      scroller.scrollTop += (box.top + box.bottom) / 2 - (low + high) / 2;
  }

  updateRow(row, {i, chosen, score, weight, place, zero, largest}) {
    const hidden = !Number.isFinite(score);
    const {element, button, bar, score: number, share, weight: text, value} = row;
    element.classList.toggle('chosen', chosen);
    element.classList.toggle('hidden-key', hidden);
    element.title = hidden ? 'hidden from the query: not generated yet, or outside its window' :
                             `score ${minus(score.toFixed(3))}, weight ${exact(weight)}`;
    button.setAttribute('aria-pressed', String(chosen));
    button.setAttribute('tabindex', chosen ? '0' : '-1');
    const end = hidden ? zero : place(score);
    bar.classList.toggle('below', score < 0);
    bar.classList.toggle('above', score >= 0);
    restyle(row.zero, {left: percent(zero)});
    restyle(
        bar,
        {left: percent(Math.min(end, zero)), width: hidden ? '0' : percent(Math.abs(end - zero))});
    number.textContent = hidden ? 'hidden' : shortScore(score);
    restyle(number, {left: percent(Math.max(end, zero))});
    restyle(
        share, {width: percent(weight / largest), background: weightColour(Math.max(0.2, weight))});
    text.textContent = hidden ? '' : shortWeight(weight);
    text.classList.toggle('strong', weight >= 0.05);
    restyle(text, {left: percent(weight / largest)});
    if (!value) return;
    // Most weights are next to nothing whatever the query is: those values need no new paint.
    const factor = Math.round(100 * weight / largest) / 100;
    if (row.factor === factor) return;
    row.factor = factor;
    const numbers = this.vectors.value.row(i).subarray(0, this.valueCells);
    paintStrip(value, numbers.map((each) => each * factor), this.sizes.value);
  }
}
