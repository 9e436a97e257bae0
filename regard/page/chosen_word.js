// The word that is chosen: a token of the source or of the translation, the same in every view. A
// view of the other side shows the token that the alignment joins with it.

/** The side of a head's queries. */
export const sideOf = (kind) => kind === 'encoder' ? 'source' : 'target';

/** The token of the other side that a token has most to do with; that of an end is the end. */
export function partner(trace, side, token) {
  const {source, target} = trace.data;
  const [own, other] = side === 'source' ? [source, target] : [target, source];
  const end = other.tokens.length - 1;
  const {weights, sourceGroups, targetGroups, none} = trace.alignment('model', null, true);
  const [groups, partners] =
      side === 'source' ? [sourceGroups, targetGroups] : [targetGroups, sourceGroups];
  const word = own.tokens[token].word < 0 ? -1 : groups.findIndex((all) => all.includes(token));
  if (none || word < 0 || partners.length === 0) return end;
  const weight = (i) => side === 'source' ? weights.at(i, word) : weights.at(word, i);
  let best = 0;
  for (let i = 1; i < partners.length; ++i)
    if (weight(i) > weight(best)) best = i;
  return partners[best][0];
}

/** The chosen token as a side shows it; none is chosen: `otherwise`. */
export function chosenToken({state, trace}, side, otherwise = 0) {
  const within = (token, {tokens}) => Math.min(token, tokens.length - 1);
  if (state.side === '') return within(otherwise, trace.data[side]);
  const token = within(state.row, trace.data[state.side]);
  return state.side === side ? token : partner(trace, state.side, token);
}

/** The chosen query of a kind of attention. */
export const chosenQuery = (app, kind) => chosenToken(app, sideOf(kind));

/** What chooses a token; its key is then the one it attends to most, unless another is named. */
export const choosing = (side, row, column = -1) => ({side, row, column});
