// All heads of a kind: layers down, heads across.

import {make} from './dom.js';
import {GridPanel} from './grid_panel.js';
import {mergeTick} from './head_picker.js';
import {SentenceStrip} from './sentence_strip.js';
import {theme} from './theme.js';

const sides = {
  encoder: (unit) => `A row is a ${unit} of the source, a column a ${unit} it looks at`,
  decoder: (unit) => `A row is a ${unit} being written, a column a ${unit} written before`,
  cross: (unit) => `A row is a ${unit} being written, a column a ${unit} of the source`,
};

export function headsView(app) {
  const lede = make('p', {class: 'lede'});
  const strip = new SentenceStrip(app);
  const panel =
      new GridPanel(app, (entry) => app.chooseHead(entry, {view: 'head'}), () => mergeTick(app));
  const element = make(
      'div', {class: 'view heads-view'},
      make('div', {class: 'view-head'}, make('h1', {}, 'Heads'), lede), strip.element,
      make('div', {class: 'card'}, panel.element));
  function update(changed) {
    if (!app.trace) return;
    const entry = app.entry();
    const stronger = theme() === 'dark' ? 'brighter' : 'darker';
    lede.textContent = entry ?
        `Each picture is one head. ${sides[entry.kind](app.trace.unit(app.state.merge))}; the ${
            stronger} the cell, the more the head looked there.` :
        '';
    strip.update();
    panel.update(changed);
  }
  return {element, update};
}
