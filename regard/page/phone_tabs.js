// On a telephone: four tabs at the bottom. Other views of the same group are in a row under the
// title.

import {make} from './dom.js';
import {icon} from './icons.js';
import {shows} from './model_views.js';

const tabs = [
  ['translate', 'Translate', 'letter', 0],
  ['caption', 'Caption', 'picture', 0],
  ['story', 'Story', 'play', 0],
  ['heads', 'Look inside', 'grid', 1],
  ['model', 'Model', 'cube', 2],
];

export class PhoneTabs {
  constructor(app, holder) {
    this.app = app;
    this.links = tabs.map(
        ([name, text, glyph]) => make(
            'a', {
              on: {
                click: (event) => {
                  event.preventDefault();
                  app.set({view: name});
                }
              }
            },
            icon(glyph), text));
    holder.replaceChildren(...this.links);
  }

  /** group: of the view; those of the text have a tab each, the others share one. */
  update(view, group) {
    document.documentElement.dataset.group = String(group);
    const current = group === 0 ? view : tabs.find((tab) => tab[3] === group)[0];
    tabs.forEach(([name], i) => {
      this.links[i].hidden = !shows(this.app.model, name);
      this.links[i].href = this.app.address({view: name});
      if (name === current)
        this.links[i].setAttribute('aria-current', 'page');
      else
        this.links[i].removeAttribute('aria-current');
    });
  }
}
