// What is too long to be traced: its translation, without anything of the inside. The panes show it
// as they show a trace.

const refusedAsTooMuch = (error) => error.status === 400 && !error.wantsKey;

/**
 * The translation of a whole text that was refused a trace; where the beam is too wide for so long a
 * text, too, with the server's own. Throws the refusal where there is no translation either.
 */
export async function translateUntraced(source, {top, beam, ...wish}, refusal, signal) {
  if (!refusedAsTooMuch(refusal)) throw refusal;
  const unless = (error) => {
    if (signal.aborted || refusedAsTooMuch(error)) return null;
    throw error;
  };
  const answer = await source.translate({...wish, beam, words: true}, signal).catch(unless) ||
      await source.translate({...wish, words: true}, signal).catch(unless);
  if (!answer) throw refusal;
  return answer;
}

/** One sentence of it in the shape of a trace without tokens. */
export function untraced(wish, whole) {
  const sentence = Math.min(wish.sentence, Math.max(0, whole.sentences.length - 1));
  return {
    request: wish,
    data: {
      ...whole,
      translatedText: whole.sentences[sentence]?.translatedText ?? whole.translatedText,
      sentence,
      source: {text: wish.q, words: []},
      target: {words: [], tokens: []},
    },
  };
}

/** Why only the translation is there. */
export const withoutViews = (refusal) =>
    `Translated, but the views inside cannot show it: ${refusal.message.replace('Invalid request: ', '')}.`;
