// What the reader has chosen, kept in the address after '#', so that a link or a reload shows the
// same.

const defaults = {
  view: 'translate',
  model: '',    // name; empty: the first
  q: '',        // the text; empty: the model's example
  sentence: 0,  // of the text, the one that is shown
  prefix: '',   // words the reader has chosen, which its translation begins with
  beam: 4,
  penalty: 1,
  kind: 'cross',  // encoder | decoder | cross
  layer: -1,      // -1: the head the model aligns by, or the sharpest
  head: -1,
  other: '',        // "layer.head" beside it, empty: none
  mode: 'map',      // map | lines
  end: true,        // whether begin and end tokens are shown
  merge: true,      // subwords of a word as one
  scale: 'shared',  // shared: 0 to 1 | own: up to the largest of each head
  sort: 'place',    // place | entropy
  side: '',         // source | target: whose token is chosen; empty: none is
  row: 0,           // the chosen token ...
  column: -1,       // ... and of a head its key; -1: the one it attends to most
  align: 'model',   // model | mean.LAYER | head
  least: 0.15,      // ribbons below this weight are left out
  stage: 1,         // of the story
  step: -1,         // of the beam; -1: the last
  dropped: false,   // whether the beam shows what it dropped
  picture: 0,       // of those that a model of pictures offers
  dimension: -1,    // of positions; -1: none is chosen
  block: '',        // of the model, the one that is opened
  open: '0.0',      // which layer of encoder and decoder is unfolded
  run: '',          // of training; empty: the model's own, or the first
  versus: '',       // the run drawn over it; empty: none
  log: false,
  smooth: 0,
};

// An address may come from anywhere. Numbers: least, most, step (the upper ends of places that
// depend on the sentence or the model are only sane; views hold them to what is there).
const numbers = {
  sentence: [0, 9999, 1],
  beam: [1, 64, 1],
  penalty: [0, 3, 0.05],
  layer: [-1, 999, 1],
  head: [-1, 999, 1],
  row: [0, 9999, 1],
  column: [-1, 9999, 1],
  least: [0.02, 0.9, 0.01],
  stage: [1, 8, 1],
  step: [-1, 9999, 1],
  picture: [0, 99, 1],
  dimension: [-1, 99999, 1],
  smooth: [0, 0.95, 0.05],
};
const words = {
  view: /^(translate|caption|story|heads|head|query|positions|beam|training|model)$/,
  kind: /^(encoder|decoder|cross)$/,
  side: /^(source|target)?$/,
  other: /^(\d+\.\d+)?$/,
  mode: /^(map|lines)$/,
  scale: /^(own|shared)$/,
  sort: /^(place|entropy)$/,
  align: /^(model|head|mean\.\d+)$/,
  block: /^([a-z]+(\.\d+)?\.[a-z_]+)?$/,
  open: /^\d{1,3}\.\d{1,3}$/,
};

function parsed(name, text) {
  if (typeof defaults[name] === 'boolean') return text === '1';
  if (typeof defaults[name] === 'string')
    return !Object.hasOwn(words, name) || words[name].test(text) ? text : defaults[name];
  const number = text.trim() === '' ? NaN : Number(text);
  if (!Number.isFinite(number)) return defaults[name];
  const [least, most, step] = numbers[name];
  // Twelve steps of 0.05 are 0.6000000000000001: such tails would look like a change.
  const stepped = Number((Math.round(number / step) * step).toFixed(6));
  return Math.min(most, Math.max(least, stepped));
}

/** Whose token a row is where only its number is given: what the view is about. */
const ownSide = ({view, kind}) => ['story', 'positions'].includes(view) || kind === 'encoder' ?
    'source' :
    'target';

function fromAddress() {
  const chosen = {...defaults};
  const given = new URLSearchParams(location.hash.slice(1));
  for (const [name, text] of given)
    if (Object.hasOwn(defaults, name)) chosen[name] = parsed(name, text);
  if (given.has('row') && chosen.side === '') chosen.side = ownSide(chosen);
  return chosen;
}

/** What a change brings with it: another text has other words, another kind other keys. */
function withFollowing(changes, changed) {
  const words = ['q', 'sentence', 'picture'].some(changed) ? {side: '', row: 0, column: -1} : {};
  const keys = changed('kind') ? {column: -1} : {};
  return {...words, ...keys, ...changes};
}

function toAddress(state) {
  const parts = new URLSearchParams();
  for (const [name, value] of Object.entries(state))
    if (value !== defaults[name])
      parts.set(name, typeof value === 'boolean' ? String(Number(value)) : String(value));
  return '#' + parts.toString();
}

/** Opens the state; changed(names) is called after each change, wherever it came from. */
export function openState(changed) {
  const state = fromAddress();

  function set(wanted) {
    const changes = withFollowing(wanted, (name) => name in wanted && wanted[name] !== state[name]);
    const names = Object.keys(changes).filter((name) => state[name] !== changes[name]);
    if (names.length === 0) return;
    Object.assign(state, changes);
    // A new view, or step of the story, is one that one can go back from; turning a slider is not.
    const record = names.includes('view') || names.includes('stage') ? 'pushState' : 'replaceState';
    history[record](null, '', toAddress(state));
    changed(new Set(names));
  }

  function follow() {
    const now = fromAddress();
    const names = Object.keys(defaults).filter((name) => state[name] !== now[name]);
    Object.assign(state, now);
    if (names.length > 0) changed(new Set(names));
  }
  addEventListener('hashchange', follow);
  addEventListener('popstate', follow);
  return {state, set, address: (changes) => toAddress({...state, ...changes})};
}
