// The sentence at hand above each inside view: what was read, and what was generated. The chosen
// query is filled, its strongest key tinted; it is the same word in every view. Each side runs the
// way its text is written.

import {choosing, chosenQuery, sideOf} from './chosen_word.js';
import {make, roving} from './dom.js';
import {placeOf} from './trace.js';

const strongest = ({matrix}, at) => matrix.columns > 0 ? matrix.peak(at) : -1;

export class SentenceStrip {
  /** tinted(shown, at): which key is tinted for the query at a place, -1: none. */
  constructor(app, {tinted = strongest} = {}) {
    Object.assign(this, {app, tinted});
    this.element = make('div', {class: 'strip-line', role: 'group', 'aria-label': 'The sentence'});
  }

  update() {
    const {app, element} = this;
    const entry = app.entry();
    element.hidden = !entry;
    if (!entry) return;
    const {end, merge} = app.state;
    const shown = app.trace.shown(entry, {end, merge});
    const at = placeOf(shown.rowTokens, chosenQuery(app, entry.kind));
    const key = at >= 0 ? this.tinted(shown, at) : -1;
    const focused = element.contains(document.activeElement);
    this.tokens = shown.rowTokens.map(([first]) => first);
    this.write(entry.kind, shown);
    this.queries.forEach((word, i) => {
      word.setAttribute('tabindex', i === at ? '0' : '-1');
      word.setAttribute('aria-pressed', String(i === at));
    });
    this.keys.forEach((word, i) => word.classList.toggle('key-word', i === key));
    if (focused) this.queries[at]?.focus();
    this.reveal(this.queries[at]);
  }

  /** The words, unless they stand there already. */
  write(kind, {rows, columns}) {
    const written = JSON.stringify([kind === 'encoder', rows, columns]);
    if (this.written === written) return;
    this.written = written;
    this.queries = rows.map((word, i) => this.query(word, i));
    this.keys = columns.map((word) => make('span', {class: 'strip-word'}, word));
    const side = (words) => make('bdi', {dir: 'auto'}, ...words);
    const arrow = make('span', {class: 'strip-arrow', 'aria-hidden': 'true'}, '→');
    this.element.replaceChildren(
        ...(kind === 'encoder' ? [] : [side(this.keys), arrow]), side(this.queries));
  }

  /** Where the strip scrolls, the chosen word is in sight; by hand, so that the page stays. */
  reveal(word) {
    const {element} = this;
    if (!word || element.scrollHeight <= element.clientHeight) return;
    const [frame, box] = [element, word].map((each) => each.getBoundingClientRect());
    if (box.top < frame.top + 4 || box.bottom > frame.bottom - 4)
      element.scrollTop += box.top - frame.top - (frame.height - box.height) / 2;
  }

  choose(index) {
    const {app} = this;
    app.set(choosing(sideOf(app.entry().kind), this.tokens[index]));
  }

  query(word, index) {
    return make(
        'button', {
          type: 'button',
          class: 'strip-word',
          on: {
            click: () => this.choose(index),
            keydown: (event) => {
              const rightToLeft =
                  getComputedStyle(event.currentTarget.parentElement).direction === 'rtl';
              const next = roving(this.queries, index, event.key, rightToLeft);
              if (next < 0) return;
              event.preventDefault();
              this.choose(next);
            },
          },
        },
        word);
  }
}
