// One head, with the whole width of the page.

import {make} from './dom.js';
import {HeadPanel} from './head_panel.js';
import {headPicker, mergeTick} from './head_picker.js';
import {headName} from './wording.js';

export function headView(app) {
  const title = make('h1', {}, 'One head');
  const picker = make('div', {class: 'controls head-picker'});
  const panel = new HeadPanel(app, [84, 46], () => mergeTick(app));
  const element = make(
      'div', {class: 'view'}, make('div', {class: 'head-line'}, title, picker),
      make('div', {class: 'card'}, panel.element));
  function update(changed) {
    if (!app.trace) return;
    const entry = app.entry();
    title.textContent =
        !entry || app.trace.of(entry.kind).length < 2 ? 'One head' : headName(entry);
    if (['trace', 'kind', 'layer', 'head'].some((name) => changed.has(name)))
      headPicker(app, picker);
    panel.update(changed);
  }
  return {element, update};
}
