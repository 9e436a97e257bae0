// One head, with the whole width of the page.

import {labelled, make, segments} from './dom.js';
import {HeadPanel} from './head_panel.js';
import {headPicker, mergeTick} from './head_picker.js';

export function headView(app) {
  const panel = new HeadPanel(app, [104, 40]);
  const picker = make('div', {class: 'controls picker'});
  const element = make(
      'div', {class: 'view'}, make('h1', {class: 'unseen'}, 'One head'),
      make('div', {class: 'card'}, picker, panel.element));
  function update(changed) {
    if (!app.trace) return;
    if (['trace', 'kind', 'layer', 'head', 'scale', 'merge'].some((name) => changed.has(name)))
      headPicker(
          app, picker,
          labelled(
              'Scale',
              segments(
                  [['own', 'Own'], ['shared', 'Shared']], app.state.scale,
                  (scale) => app.set({scale}), 'Colour scale')),
          mergeTick(app));
    panel.update(changed);
  }
  return {element, update};
}
