#pragma once

#include <exception>
#include <functional>
#include <string>
#include <vector>

#include "regard/decode/line.h"
#include "regard/decode/spec.h"
#include "regard/serve/model/served_model.h"
#include "regard/serve/text/document.h"
#include "regard/tokens/unknown.h"

namespace regard {

/// A text and what translates it.
struct TextTask {
  std::string text;
  ServedModelPtr model{};              ///< none: the text stays as it is
  std::vector<std::int32_t> prefix{};  ///< what the translation of one sentence begins with ...
  std::size_t prefixed = 0;            ///< ... which one, from 0; past the last: the last
};

/// A sentence of a plain text and its translation.
struct SentenceAnswer {
  Index start, end;  ///< bytes of the text
  std::string text;  ///< the translation
  double score, log_probability;
  std::vector<WordProbability> words{};  ///< of the translation; where asked for
};

/// What became of it.
struct TextAnswer {
  std::string text;
  std::vector<std::string> others{};        ///< less likely ones, none twice
  std::vector<SentenceAnswer> sentences{};  ///< those that were translated; none of HTML
  std::vector<UnknownText> unknown{};  ///< what the model's vocabulary does not have; of HTML, each
                                       ///< counted from its sentence
};

/// Texts to translate together.
struct TextBatch {
  std::vector<TextTask> tasks;
  bool html = false;
  Splitting splitting = Splitting::lines_sentences;
  bool words = false;  ///< whether the words of sentences are wanted, too
  Index others = 0;    ///< how many more translations of each text
  Index beam = 4;
  double length_penalty = DecodeSpec().length_penalty;
  std::function<bool()> wanted;
  /// Called once, on a thread beside an engine's or on the caller's, unless nobody wants it any
  /// more: an answer for each text, or what went wrong.
  std::function<void(std::vector<TextAnswer> answers, std::exception_ptr error)> done;
};

/// Hands the sentences of the texts to the engines of their models. Whether they were taken: not
/// where too many wait already; then `done` is not called.
bool translate_texts(TextBatch batch);

/// How the server searches with such a model.
DecodeSpec serve_decode_spec(const ModelSpec& model, Index beam, Index n_best);

}  // namespace regard
