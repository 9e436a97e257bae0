// The sentence at hand above each inside view: what was read, and what was generated. The chosen
// query is filled, its strongest key tinted; it is the same word in every view.

import {make, roving} from './dom.js';
import {placeOf} from './trace.js';

/** chosen(token): called when the reader chooses another query of the head that is looked at. */
export class SentenceStrip {
  constructor(app, chosen = (row) => app.set({row})) {
    this.app = app;
    this.chosen = chosen;
    this.element = make('div', {class: 'strip-line', role: 'group', 'aria-label': 'The sentence'});
  }

  update() {
    const {app, element} = this;
    const entry = app.entry();
    element.hidden = !entry;
    if (!entry) return;
    const {end, merge, row} = app.state;
    const shown = app.trace.shown(entry, {end, merge});
    const at = placeOf(shown.rowTokens, row);
    const key = shown.matrix.columns > 0 && at >= 0 ? shown.matrix.peak(at) : -1;
    const focused = element.contains(document.activeElement);
    const queries = shown.rows.map((word, i) => this.query(word, i, i === at));
    this.tokens = shown.rowTokens.map(([first]) => first);
    const keys = shown.columns.map(
        (word, i) => make(
            'span', {class: `strip-word${i === key ? ' key-word' : ''}`, dir: 'auto'}, word));
    const parts = entry.kind === 'encoder' ?
        queries :
        [...keys, make('span', {class: 'strip-arrow', 'aria-hidden': 'true'}, '→'), ...queries];
    element.replaceChildren(...parts);
    this.queries = queries;
    if (focused) queries[at]?.focus();
    this.reveal(queries[at]);
    const chosen = queries[at];
    if (chosen && element.scrollHeight > element.clientHeight)  // a long sentence scrolls
      element.scrollTop += chosen.getBoundingClientRect().top - element.getBoundingClientRect().top - 40;
  }

  /** Where the strip scrolls, the chosen word is in sight; by hand, so that the page stays. */
  reveal(word) {
    const {element} = this;
    if (!word || element.scrollHeight <= element.clientHeight) return;
    const [frame, box] = [element, word].map((each) => each.getBoundingClientRect());
    if (box.top < frame.top + 4 || box.bottom > frame.bottom - 4)
      element.scrollTop += box.top - frame.top - (frame.height - box.height) / 2;
  }

  query(word, index, chosen) {
    return make(
        'button', {
          type: 'button',
          class: 'strip-word',
          dir: 'auto',
          tabindex: chosen ? '0' : '-1',
          'aria-pressed': String(chosen),
          on: {
            click: () => this.chosen(this.tokens[index]),
            keydown: (event) => {
              const next = roving(this.queries, index, event.key);
              if (next < 0) return;
              event.preventDefault();
              this.chosen(this.tokens[next]);
            },
          },
        },
        word);
  }
}
