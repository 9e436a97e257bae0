// Which views say something of a model.

/** Whether it says what pictures show; others translate. */
export const readsPictures = (model) => model?.reads === 'image';

const ofPictures = ['caption', 'model', 'training'];

/** Whether a view means something for a model; any for one that is not known yet. */
export const shows = (model, view) =>
    readsPictures(model) ? ofPictures.includes(view) : view !== 'caption';

/** The view that an address names, or the model's first where that means nothing for it. */
export function viewOf(model, view) {
  if (shows(model, view)) return view;
  return readsPictures(model) ? 'caption' : 'translate';
}
