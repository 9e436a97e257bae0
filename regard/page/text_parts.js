// A long text in parts that a server takes: cut at the end of a line, else of a sentence, else
// between words. Together they are the text.

const sentenceEnd = /[.!?…]["'”’»)\]]*\s+|[。！？]/g;

/** Where a part ends: after the last break within `piece`, in the order of what is best cut at. */
function lastBreak(piece) {
  const line = piece.lastIndexOf('\n') + 1;
  if (line > 0) return line;
  const sentence = [...piece.matchAll(sentenceEnd)].at(-1);
  if (sentence) return sentence.index + sentence[0].length;
  const word = piece.search(/\s\S*$/) + 1;
  if (word > 0) return word;
  const half = piece.length > 1 && /[\uD800-\uDBFF]$/.test(piece);
  return half ? piece.length - 1 : piece.length;
}

/** Parts of `most` characters each, or fewer. */
export function textParts(text, most) {
  const parts = [];
  for (let at = 0; at < text.length;) {
    const piece = text.slice(at, at + most);
    parts.push(at + most < text.length ? piece.slice(0, lastBreak(piece)) : piece);
    at += parts.at(-1).length;
  }
  return parts;
}

export const linesIn = (text) => text.split('\n').length - (text.endsWith('\n') ? 1 : 0);
