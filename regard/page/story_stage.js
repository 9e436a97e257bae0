// The figure of the story: one row per source token, which stays where it is from step to step, and
// the columns of the step at hand.

import {draw} from './dom.js';
import {fitted, text, widthOf} from './story_marks.js';

const sizes = {
  wide:
      {row: 37, top: 68, bottom: 12, label: 15, number: 13, title: 13.5, strip: 21, mostName: 150},
  phone:
      {row: 22, top: 42, bottom: 6, label: 13, number: 11.5, title: 12, strip: 13, mostName: 88},
};

export class Stage {
  /** chosen(token): a row was chosen. */
  constructor({chosen}) {
    this.svg = draw('svg', {
      class: 'story-svg',
      role: 'application',
      tabindex: '0',
      'aria-roledescription': 'figure',
      on: {
        keydown: (event) => this.walk(event),
        click: (event) => this.pick(event),
      },
    });
    this.choose = chosen;
    this.shown = new Set();  // names of the columns of the step before
    this.facts = null;
  }

  /** Lays the rows out; then columns may be drawn. */
  begin(facts, width) {
    this.facts = facts;
    this.phone = width < 560;
    this.size = {...sizes[this.phone ? 'phone' : 'wide']};
    if (!this.phone && facts.rows.length > 12) this.size.row = facts.rows.length > 14 ? 33 : 35;
    if (this.phone && facts.rows.length > 12) this.size.row = 20;
    this.width = width;
    this.rows = facts.rows;
    const {row, top, bottom, label, mostName} = this.size;
    const longest = Math.max(...facts.rows.map((each) => widthOf(each.label, label, 650)));
    this.names = Math.ceil(Math.min(mostName, Math.max(44, longest)) + 9);  // where labels end
    this.left = this.names + 12;
    this.room = width - this.left;
    this.end = top + facts.rows.length * row;
    this.height = 0;
    this.reach(this.end + bottom);
    this.svg.replaceChildren();
    this.before = this.shown;
    this.shown = new Set();
  }

  /** Makes the figure as high as what is drawn under the rows. */
  reach(height) {
    this.height = Math.max(this.height, Math.ceil(height));
    this.svg.setAttribute('width', this.width);
    this.svg.setAttribute('height', this.height);
    this.svg.setAttribute('viewBox', `0 0 ${this.width} ${this.height}`);
  }

  middle(i) { return this.size.top + (i + 0.5) * this.size.row; }
  /** The row that shows a token. */
  rowOf(token) { return this.rows.findIndex(({tokens}) => tokens.includes(token)); }
  /** Whether the chosen token sees nothing of a row. */
  hides(i) { return this.rows[i].tokens.every(this.facts.hidden); }
  /** Numbers of tokens as numbers of rows: those of a gap are summed. */
  summed(values) {
    return this.rows.map(({tokens}) => tokens.reduce((sum, token) => sum + values[token], 0));
  }

  /** A group for a column; one that was not there a step before fades in. */
  column(name) {
    const fresh = !this.before.has(name) && this.before.size > 0;
    this.shown.add(name);
    const group = draw('g', {class: `story-column${fresh ? ' fresh' : ''}`, 'data-column': name});
    this.svg.append(group);
    return group;
  }

  /** Above a column, line 0 just over it. */
  title(group, x, words, {anchor = 'start', line = 0} = {}) {
    const {top, title} = this.size;
    return text(
        group, x, top - 12 - line * (title + 5), words, {kind: 'quiet', anchor, size: title});
  }

  /** Soft bands behind rows. */
  bands(tokens) {
    const {row, top} = this.size;
    const group = this.column('bands');
    for (const i of new Set(tokens.map((token) => this.rowOf(token))))
      group.append(draw('rect', {
        class: 'story-band',
        x: this.left - 5,
        y: top + i * row + 1,
        width: this.room + 5,
        height: row - 2,
        rx: 7
      }));
  }

  /** The tokens, the chosen one filled; dim(i): row i matters little here. */
  labels({filled = true, dim = () => false} = {}) {
    const {row, label} = this.size;
    const group = this.column('tokens');
    this.rows.forEach((each, i) => {
      const on = filled && each.tokens.includes(this.facts.chosen);
      const shown = fitted(each.label, this.names - 9, label, on ? 650 : 400);
      if (on) {
        const width = widthOf(shown, label, 650) + 18;
        group.append(draw('rect', {
          class: 'story-chosen',
          x: this.names - width + 9,
          y: this.middle(i) - row * 0.38,
          width,
          height: row * 0.76,
          rx: 7
        }));
      }
      const kind = on ? 'on' : each.gap || dim(i) ? 'faint' : '';
      const name = text(
          group, this.names, this.middle(i) + label * 0.35, shown,
          {kind: `name ${kind}`, anchor: 'end', size: label});
      if (shown !== each.label) name.append(draw('title', {}, each.label));
    });
  }

  pick(event) {
    const box = this.svg.getBoundingClientRect();
    const at = Math.floor((event.clientY - box.top - this.size.top) / this.size.row);
    const row = this.rows[at];
    if (row && !row.gap) this.choose(row.tokens[0]);
  }

  walk(event) {
    const {chosen, tokens} = this.facts || {};
    const to = {
      ArrowUp: chosen - 1,
      ArrowDown: chosen + 1,
      Home: 0,
      End: tokens && tokens.length - 1,
    }[event.key];
    if (!tokens || to === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    this.choose(Math.max(0, Math.min(tokens.length - 1, to)));
  }
}
