// Four doors from the translation to what is inside, each with a drawing of this very sentence.

import {make} from './dom.js';
import {arcs, bars, maps, tracks} from './door_drawings.js';
import {icon} from './icons.js';
import {settingsOf} from './own_settings.js';
import {several} from './wording.js';

const looked = ({length: number}) => number === 1 ?
    '1 head: where each word of the output looked.' :
    `${several(number, 'head')}: where each one looked.`;

const doors = [
  ['story', 'Story', () => 'This sentence, step by step, no formulas needed.', arcs],
  ['heads', 'Heads', (app) => looked(app.trace.heads), maps],
  ['query', 'Query & key', () => 'Why a word got the weight it got, number by number.', bars],
  ['beam', 'Beam', () => 'What else might have been said, and how likely it was.', tracks],
];

/** Those that lead somewhere: additive attention, as of a recurrent model, multiplies nothing. */
function openTo(app) {
  const {attention} = settingsOf(app.ownModel()?.spec || {}, app.entry()?.kind || 'cross');
  return doors.filter(([view]) => view !== 'query' || attention !== 'additive');
}

export class Doors {
  constructor(app) {
    this.app = app;
    this.element = make('nav', {class: 'doors', 'aria-label': 'Look inside'});
  }

  update(changed) {
    const {app} = this;
    if (!changed.has('trace') || app.trace.heads.length === 0) return;
    this.element.replaceChildren(...openTo(app).map(([view, name, text, drawing]) => make(
        'a', {
          class: 'card door',
          href: app.address({view}),
          on: {
            click: (event) => {
              if (event.metaKey || event.ctrlKey || event.shiftKey) return;
              event.preventDefault();
              app.set({view});
            },
          },
        },
        drawing(app), make('h2', {}, name, icon('next')), make('p', {}, text(app)))));
  }
}
