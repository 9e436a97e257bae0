// On a telephone: four tabs at the bottom. Those of "Look inside" are in a row under the title.

import {draw, make} from './dom.js';

const tabs = [
  ['translate', 'Translate', 'M5 6V4h14v2M12 4v16M9 20h6'],
  ['story', 'Story', 'M7 4.500v15l12-7.500z'],
  ['heads', 'Look inside', 'M4 4h6v6H4zM14 4h6v6h-6zM4 14h6v6H4zM14 14h6v6h-6z'],
  ['model', 'Model', 'M12 3l8 4.500v9L12 21l-8-4.500v-9zM4 7.500l8 4.5 8-4.500M12 12v9'],
];

export class PhoneTabs {
  constructor(app, holder) {
    this.app = app;
    this.links = tabs.map(
        ([name, text, path]) => make(
            'a', {
              on: {
                click: (event) => {
                  event.preventDefault();
                  app.set({view: name});
                }
              }
            },
            draw('svg', {viewBox: '0 0 24 24', 'aria-hidden': 'true'}, draw('path', {d: path})),
            text));
    holder.replaceChildren(...this.links);
  }

  /** inside: whether the view is one of those behind "Look inside". */
  update(view, inside) {
    document.documentElement.classList.toggle('inside', inside);
    const current = inside ? 'heads' : view === 'training' ? 'model' : view;
    tabs.forEach(([name], i) => {
      this.links[i].href = this.app.address({view: name});
      if (name === current)
        this.links[i].setAttribute('aria-current', 'page');
      else
        this.links[i].removeAttribute('aria-current');
    });
  }
}
