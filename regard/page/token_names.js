// Tokens by name, for those who do not know how a vocabulary writes them.

/** A token as it is shown: what marks the begin and the end goes by name. */
export const tokenLabel = (text) =>
    text === '</s>' ? '⟨end⟩' : text === '<s>' ? '⟨begin⟩' : text;

/** Without the mark that it begins a word, or is joined to the word before it. */
export const withoutMark = (text) => text.replace(/^[▁‿]/, '');

/** Whether these tokens are subwords, of which the first of a word is marked. */
export const areSubwords = (tokens) => tokens.some(({text}) => text.startsWith('▁'));

/** Without its marks; a subword that continues a word begins with a dot. */
export function tokenName({text}, subwords, continues) {
  if (tokenLabel(text) !== text) return tokenLabel(text);
  if (text.startsWith('▁')) return withoutMark(text) || '␣';
  if (/^‿|‿$/.test(text)) return withoutMark(text).replace(/‿$/, '') || text;
  return subwords && continues && /[\p{L}\p{N}]/u.test(text) ? `·${text}` : text;
}

export function tokenNames(tokens) {
  const subwords = areSubwords(tokens);
  return tokens.map((token, i) => {
    const continues = i > 0 && token.word >= 0 && tokens[i - 1].word === token.word;
    return tokenName(token, subwords, continues);
  });
}
