// The views of the page. The module of one comes when it is first needed; those that nobody has asked
// for follow the first translation.

/** [name, text, module, group]; by group: the text, inside the translation, the model. */
export const views = [
  ['translate', 'Translate', () => import('./view_translate.js'), 0],
  ['caption', 'Caption', () => import('./view_caption.js'), 0],
  ['story', 'Story', () => import('./view_story.js'), 0],
  ['heads', 'Heads', () => import('./view_heads.js'), 1],
  ['head', 'One head', () => import('./view_head.js'), 1],
  ['query', 'Query & key', () => import('./view_query.js'), 1],
  ['positions', 'Positions', () => import('./view_positions.js'), 1],
  ['beam', 'Beam', () => import('./view_beam.js'), 1],
  ['model', 'Model', () => import('./view_model.js'), 2],
  ['training', 'Training', () => import('./view_training.js'), 2],
];
const openers = new Map();

/** The function that opens a view; undefined: its module has not come. */
export const opener = (name) => openers.get(name);

/** Fetches the module of a view; a later call tries again what did not come. */
export async function load(name) {
  if (openers.has(name)) return;
  const [, , module] = views.find(([each]) => each === name);
  openers.set(name, (await module())[`${name}View`]);
}
