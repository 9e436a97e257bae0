// Menus for kind, layer and head, and the tick that turns tokens into words.

import {choice, labelled, put, segments, tick} from './dom.js';

/** One in each view: it holds for all that the view shows. Null where no word is in pieces. */
export function mergeTick(app) {
  if (!app.trace || !app.trace.hasSubwords()) return null;
  return tick('Merge subwords', app.state.merge, (merge) => app.set({merge}));
}

/** Fills the holder, without menus of one; more controls may follow. */
export function headPicker(app, holder, ...more) {
  const entry = app.entry();
  if (!entry) return;
  const all = app.trace.of(entry.kind);
  const numbers = (list) => [...new Set(list)].map((number) => [number, String(number + 1)]);
  const kinds = app.trace.kinds().map(([kind, text]) => [kind, text]);
  const layers = numbers(all.map((each) => each.layer));
  const heads = numbers(all.filter((each) => each.layer === entry.layer).map((each) => each.head));
  const several = (list, control) => list.length > 1 ? control() : null;
  put(holder,
      several(
          kinds,
          () => segments(
              kinds, entry.kind, (kind) => app.set({kind}), 'Kind of attention (keys 1, 2, 3)')),
      several(layers, () => labelled('Layer', choice(layers, entry.layer, (layer) => app.set({
                                       layer: Number(layer),
                                       head: entry.head
                                     })))),
      several(heads, () => labelled('Head', choice(heads, entry.head, (head) => app.set({
                                      head: Number(head),
                                      layer: entry.layer
                                    })))),
      ...more);
}
