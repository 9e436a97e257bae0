// What one query of a head looked at, to be read: bars of its largest weights, the sentence itself
// shaded, and what the head does.

import {choosing, sideOf} from './chosen_word.js';
import {inkOn, weightColour} from './colour.js';
import {make} from './dom.js';
import {explained, headSentences, tagPill} from './head_tag.js';
import {quoted, weight} from './wording.js';

const mostBars = 6;
const leastShade = 0.02;  // below, a word stands on the paper

export class HeadReading {
  constructor(app) {
    this.app = app;
    this.element = make('div', {class: 'reading'});
  }

  /**
   * shown: the head as it is shown; row: of it; column: the key that "why" leads to; high: the
   * weight of the strongest colour.
   */
  show(entry, shown, row, {column, high, title}) {
    const {app} = this;
    const breadth = app.trace.breadth(entry, app.state.merge);
    this.element.replaceChildren(
        ...(title ? [make('p', {class: 'reading-head'}, title)] : []),
        part(`${quoted(shown.rows[row])} looked at`, bars(entry, shown, row, high)),
        part('Read as text', text(app.trace.reading(entry, shown.rowTokens[row]), high)),
        part(
            'What this head does',
            make(
                'p', {class: 'reading-does', title: explained(entry, breadth)}, tagPill(entry),
                headSentences(entry, breadth, app.trace.isLate(entry))),
            this.why(entry.kind, shown, row, column)));
  }

  /** The way to the query and the key; null where the model has neither. */
  why(kind, shown, row, column) {
    const {app} = this;
    if (app.ownModel()?.recurrent) return null;
    const place = {
      view: 'query',
      ...choosing(sideOf(kind), shown.rowTokens[row][0], shown.columnTokens[column]?.[0] ?? 0),
    };
    return make(
        'a', {
          class: 'reading-why',
          href: app.address(place),
          on: {
            click: (event) => {
              event.preventDefault();
              app.set(place);
            }
          },
        },
        'Why this weight?');
  }
}

const part = (title, ...children) => make(
    'section', {class: 'reading-part'}, make('h3', {dir: 'auto'}, title),
    ...children.filter(Boolean));

function bars(entry, {matrix, columns}, row, high) {
  const exact = entry.dtype === 'f32' ? '' : '≈ ';
  const order = columns.map((_, i) => i)
                    .filter((i) => !matrix.hidden(row, i))
                    .sort((a, b) => matrix.at(row, b) - matrix.at(row, a))
                    .slice(0, mostBars);
  const most = order.length ? matrix.at(row, order[0]) : 0;
  return make('ol', {class: 'reading-bars'}, ...order.map((i) => {
    const value = matrix.at(row, i);
    return make(
        'li', {title: `${exact}${weight(value)}`},
        make('span', {class: 'reading-word', dir: 'auto'}, columns[i]),
        make('span', {class: 'reading-track', 'aria-hidden': 'true'}, make('span', {
               class: 'reading-bar',
               style: {
                 width: `${most > 0 ? Math.max(0.5, 100 * value / most) : 0}%`,
                 'background-color': weightColour(Math.max(0.12, value / high)),
               },
             })),
        make('span', {class: 'reading-number'}, value.toFixed(2)));
  }));
}

function text(words, high) {
  return make('p', {class: 'reading-text', dir: 'auto'}, ...words.flatMap((word, i) => {
    const shaded = !word.hidden && word.weight / high >= leastShade;
    if (word.mark && !shaded) return [];
    const style = shaded ?
        {'background-color': weightColour(word.weight / high), color: inkOn(word.weight / high)} :
        {};
    return [
      i > 0 ? ' ' : '',
      make(
          'span', {
            class: `reading-key${word.hidden ? ' reading-unseen' : ''}`,
            style,
            title: word.hidden ? 'not written yet' : weight(word.weight)
          },
          word.text)
    ];
  }));
}
