// Menus for kind, layer and head.

import {choice, labelled, put, segments} from './dom.js';

/** Fills the holder; more controls may follow. */
export function headPicker(app, holder, ...more) {
  const entry = app.entry();
  if (!entry) return;
  const all = app.trace.of(entry.kind);
  const numbers = (list) => [...new Set(list)].map((number) => [number, String(number + 1)]);
  put(holder,
      segments(
          app.trace.kinds().map(([kind, text]) => [kind, text]), entry.kind,
          (kind) => app.set({kind}), 'Kind of attention (keys e, d, c)'),
      labelled(
          'Layer',
          choice(
              numbers(all.map((each) => each.layer)), entry.layer,
              (layer) => app.set({layer: Number(layer), head: entry.head}))),
      labelled(
          'Head',
          choice(
              numbers(all.filter((each) => each.layer === entry.layer).map((each) => each.head)),
              entry.head, (head) => app.set({head: Number(head), layer: entry.layer}))),
      ...more);
}
