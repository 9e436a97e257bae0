// All heads of one kind at a glance: layers by heads, one thumbnail each, walked with the arrow
// keys.

import {picture} from './colour.js';
import {colourScale, numbersBetween} from './colour_scale.js';
import {make, say} from './dom.js';
import {bySharpness} from './trace.js';
import {fixed, headName, tagMeaning} from './wording.js';

const mostPixels = 128;

export class HeadGrid {
  /** enlarge(entry) is called on a click and on Enter. */
  constructor({enlarge}) {
    this.enlarge = enlarge;
    this.element =
        make('div', {class: 'heads', role: 'grid', on: {keydown: (event) => this.walk(event)}});
    this.scale = make('div', {});
    this.note = make('p', {class: 'hint'});
    this.cells = [];
  }

  /** options: {entries, matrix(entry), scale, sort, chosen, label} */
  show({entries, matrix, scale, sort, chosen, label}) {
    const focused = this.element.contains(document.activeElement);
    const width = Math.max(1, ...entries.map((entry) => entry.head + 1));
    const ordered = sort === 'entropy' ? [...entries].sort(bySharpness) : entries;
    const pooled = ordered.map((entry) => matrix(entry).pooled(mostPixels));
    const shared = Math.max(0, ...pooled.map((each) => each.largest()));
    const rows = new Map();
    ordered.forEach((entry, i) => {
      const place = sort === 'entropy' ? Math.floor(i / width) : entry.layer;
      if (!rows.has(place)) rows.set(place, []);
      rows.get(place).push([entry, pooled[i]]);
    });
    this.element.setAttribute('aria-label', label);
    this.element.style.setProperty('--heads', String(width));
    this.element.classList.toggle('sorted', sort === 'entropy');
    this.cells = [];
    this.element.replaceChildren(
        ...[...rows].map(([place, list]) => this.row(place, list, {scale, shared, sort, chosen})));
    this.tabStop(chosen);
    if (focused) this.current()?.focus();
    this.scale.replaceChildren(colourScale({
      name: 'weight',
      ticks: scale === 'shared' ? numbersBetween(0, shared) : ['0', 'largest'],
      note: scale === 'shared' ? 'one scale for all heads' : 'of each head',
      hidden: pooled.some((each) => each.seen),
    }));
    const longest = Math.max(0, ...entries.map((entry) => Math.max(entry.rows, entry.cols)));
    this.note.textContent = longest > mostPixels ?
        `${longest} tokens: each thumbnail pixel is the largest weight of a block of ${
            Math.ceil(longest / mostPixels)} by ${Math.ceil(longest / mostPixels)}.` :
        '';
  }

  row(place, list, {scale, shared, sort, chosen}) {
    const name = sort === 'entropy' ? `${fixed(list[0][0].entropy, 1)}…` : `L${place + 1}`;
    const spoken = sort === 'entropy' ? `entropy from ${fixed(list[0][0].entropy, 2)} bits` :
                                        `layer ${place + 1}`;
    const line = this.cells.push([]) - 1;
    const cells = list.map(([entry, pooled]) => {
      const largest = pooled.largest();
      const canvas = make(
          'canvas',
          {class: 'thumb', width: pooled.columns, height: pooled.rows, 'aria-hidden': 'true'});
      canvas.getContext('2d', {willReadFrequently: true})
          .putImageData(picture(pooled, scale === 'shared' ? shared : largest), 0, 0);
      const cell = make(
          'div', {
            class: 'head-cell',
            role: 'gridcell',
            tabindex: '-1',
            title: tagMeaning(entry.tag, entry.kind),
            'aria-selected': String(entry === chosen),
            'aria-label':
                `${headName(entry)}, ${entry.tag}, entropy ${fixed(entry.entropy, 2)} bits, ` +
                `largest weight ${fixed(largest, 2)}`,
            'data-head': `${entry.layer}.${entry.head}`,
            on: {click: () => this.open(entry)},
          },
          canvas,
          make(
              'span', {class: 'head-caption', 'aria-hidden': 'true'},
              make(
                  'span', {class: 'head-name'},
                  sort === 'entropy' ? `${entry.layer + 1}.${entry.head + 1}` :
                                       `h${entry.head + 1}`),
              make('span', {class: 'head-entropy'}, fixed(entry.entropy, 2)),
              make('span', {class: 'head-tag'}, entry.tag),
              make('span', {class: 'head-largest'}, `max ${fixed(largest, 2)}`)));
      this.cells[line].push({entry, cell});
      return cell;
    });
    return make(
        'div', {class: 'heads-row', role: 'row'},
        make('span', {class: 'heads-layer', role: 'rowheader', 'aria-label': spoken}, name),
        ...cells);
  }

  open(entry) {
    this.tabStop(entry);
    this.enlarge(entry);
  }

  /** Marks the chosen head without drawing anything again. */
  choose(chosen) {
    for (const {entry, cell} of this.cells.flat())
      cell.setAttribute('aria-selected', String(entry === chosen));
    this.tabStop(chosen);
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
    let [nextRow, nextColumn] = [row, column];
    if (event.key === 'ArrowRight')
      ++nextColumn;
    else if (event.key === 'ArrowLeft')
      --nextColumn;
    else if (event.key === 'ArrowDown')
      ++nextRow;
    else if (event.key === 'ArrowUp')
      --nextRow;
    else if (event.key === 'Home')
      nextColumn = 0;
    else if (event.key === 'End')
      nextColumn = this.cells[row].length - 1;
    else if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault();
      this.open(this.cells[row][column].entry);
      return;
    } else
      return;
    event.preventDefault();
    const next = this.cells[nextRow]?.[nextColumn];
    if (!next) return;
    this.tabStop(next.entry);
    next.cell.focus();
    say(next.cell.getAttribute('aria-label'));
  }
}
