// Tokens by name, for those who do not know how a vocabulary writes them.

import {tokenLabel} from './trace.js';

/** Without the mark of a word's begin; letters that go on with a word begin with an ellipsis. */
export function tokenNames(tokens) {
  return tokens.map(({text, word}, i) => {
    const bare = text.replace(/^▁/, '') || text;
    const inside = word >= 0 && i > 0 && tokens[i - 1].word === word && /^\p{L}/u.test(bare);
    return inside ? `…${bare}` : tokenLabel(bare);
  });
}
