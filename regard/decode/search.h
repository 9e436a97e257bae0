#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "regard/decode/hypothesis.h"
#include "regard/decode/sentence_search.h"
#include "regard/decode/spec.h"
#include "regard/model/sequence_model.h"

namespace regard {

/// What a caller of `translate` may add.
struct SearchHooks {
  /// What each translation must begin with; none: nothing. One for each source.
  std::span<const std::vector<std::int32_t>> prefixes{};
  /// Where each source stands in the whole input, which samples follow. One for each source; none:
  /// the first is line 0, the next line 1.
  std::span<const SourcePlace> places{};
  /// Gets the tree of each search. One for each source, empty; none: nothing is recorded.
  std::span<BeamLog> logs{};
  /// Told the hypotheses of source 0, 1, 2 as soon as it and all before it are ready.
  std::function<void(Index source, const std::vector<Hypothesis>& best)> done{};
};

/// The best translations of each source, best first: greedy (beam 1), beam search or samples.
/// Sources end with kEos; one of nothing else is translated like any other. A finished sentence
/// leaves at once; others come in when an eighth of the room is free. Where there is enough to do,
/// each core has sentences of its own, up to batch_tokens(model, spec) each, and the model is used
/// by several threads at once.
///
/// The same bits come out for a sentence alone, among any others in any order, with any
/// batch_tokens and any number of threads; samples follow the number of the line, so they are the
/// same if that is. Several threads may use one model.
///
/// Where all ways on have probability 0, or a limit is reached, a hypothesis ends where it stands.
/// kPad and kBos are never generated. Throws Error(usage) if n_best > beam or a prefix holds what
/// cannot be generated, before anything is translated; Error(input) if the model gives NaN, when
/// all sentences before that one are told.
std::vector<std::vector<Hypothesis>> translate(const SequenceModel& model,
                                               std::span<const std::vector<std::int32_t>> sources,
                                               const DecodeSpec& spec,
                                               const SearchHooks& hooks = {});

/// Source tokens, once for each hypothesis, that a thread of `translate` has at work at most:
/// spec.batch_tokens, or where that is 0 what suits the model: 1024, up to four times that where it
/// is wide and of f32.
Index batch_tokens(const SequenceModel& model, const DecodeSpec& spec);

}  // namespace regard
