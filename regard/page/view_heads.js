// All heads of a kind, large.

import {make} from './dom.js';
import {GridPanel} from './grid_panel.js';
import {mergeTick} from './head_picker.js';

export function headsView(app) {
  const panel =
      new GridPanel(app, (entry) => app.chooseHead(entry, {view: 'head'}), () => mergeTick(app));
  panel.element.classList.add('large');
  const element = make(
      'div', {class: 'view'}, make('h1', {class: 'unseen'}, 'Heads'),
      make('div', {class: 'card'}, panel.element));
  return {element, update: (changed) => app.trace && panel.update(changed)};
}
