// Which head: kind, layer and number, and the tick that turns tokens into words.

import {choice, labelled, make, put, segments, tick} from './dom.js';

/** One in each view: it holds for all that the view shows. Null where no word is in pieces. */
export function mergeTick(app) {
  if (!app.trace || !app.trace.hasSubwords()) return null;
  return tick('Whole words', app.state.merge, (merge) => app.set({merge}));
}

const brief = {
  encoder: 'Source',
  decoder: 'Output',
  cross: 'Cross'
};  // on a narrow screen

/** The kinds of attention there are; null where there is one. */
export function kindSegments(app, kind) {
  const kinds = app.trace.kinds().map(
      ([value, text]) =>
          [value,
           make(
               'span', {}, make('span', {class: 'kind-long'}, text),
               make('span', {class: 'kind-brief'}, brief[value]))]);
  if (kinds.length < 2) return null;
  return segments(
      kinds, kind, (value) => app.set({kind: value}), 'Kind of attention (keys 1, 2, 3)');
}

/** A few numbers side by side, more of them as a menu; null where there is one. */
function numbers(name, list, value, change) {
  const pairs = [...new Set(list)].map((number) => [number, String(number + 1)]);
  if (pairs.length < 2) return null;
  if (pairs.length > 4) return labelled(name, choice(pairs, value, (text) => change(Number(text))));
  return make(
      'div', {class: 'field'}, make('span', {class: 'field-name', 'aria-hidden': 'true'}, name),
      segments(pairs, value, change, name));
}

/** Fills the holder, without menus of one; more controls may follow. */
export function headPicker(app, holder, ...more) {
  const entry = app.entry();
  if (!entry) return;
  const all = app.trace.of(entry.kind);
  const same = all.filter((each) => each.layer === entry.layer);
  put(holder, kindSegments(app, entry.kind),
      numbers(
          'Layer', all.map((each) => each.layer), entry.layer,
          (layer) => app.set({layer, head: entry.head})),
      numbers(
          'Head', same.map((each) => each.head), entry.head,
          (head) => app.set({head, layer: entry.layer})),
      ...more);
}
