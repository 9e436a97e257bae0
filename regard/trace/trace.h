#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "regard/decode/alignment.h"
#include "regard/decode/beam_log.h"
#include "regard/decode/spec.h"
#include "regard/model/model_folder.h"
#include "regard/tokens/unknown.h"
#include "regard/trace/head_tag.h"
#include "regard/trace/traced_text.h"

namespace regard {

/// The longest text that is traced, in tokens of either side: what is drawn grows with the square.
inline constexpr Index kMaxTracedTokens = 256;

/// What to trace.
struct TraceRequest {
  DecodeSpec decode{};                     ///< how the translation is found; the best one is traced
  std::optional<std::string> reference{};  ///< read this translation instead of finding one
  std::vector<std::int32_t> prefix{};      ///< what the translation that is found begins with
  std::vector<AttentionKind> kinds{AttentionKind::encoder, AttentionKind::decoder,
                                   AttentionKind::cross};
  std::vector<Index> layers{}, heads{};  ///< from 0; none: all
  Index top = 5;                         ///< tokens shown of each step
  bool vectors = false;                  ///< queries, keys and values too
  bool embedding = false;                ///< what the source's tokens enter the encoder as
  std::function<bool()> wanted{};        ///< asked every few milliseconds; false: stop; none: go on
};

/// A token that could have come next.
struct Contender {
  std::string text;
  std::int32_t id = 0;
  double probability = 0;
};

/// How one token of the translation was chosen.
struct TracedStep {
  double log_probability = 0;
  std::vector<Contender> top;  ///< likeliest first
};

/// The weights of one head over the whole sentence, exactly as the model used them.
struct TracedHead {
  AttentionKind kind = AttentionKind::encoder;
  Index layer = 0, head = 0;
  Index rows = 0, cols = 0;
  std::vector<float> weights;  ///< [rows, cols]; rows sum to 1, what a row may not see is 0
  double entropy = 0;          ///< bits, mean over rows
  HeadTag tag = HeadTag::other;
  /// [rows, width] and [cols, width] where asked for and weights are the softmax of scale <q, k>
  /// (plus what positions add to scores, if theirs do); else empty.
  std::vector<float> query, key;
  Index width = 0;
  double scale = 0;
  /// [cols, value_width] and [rows, value_width], the latter what the head hands on: weights times
  /// values. Where vectors were asked for; else empty.
  std::vector<float> value, output;
  Index value_width = 0;

  Index window = 0;  ///< how far a row sees to each side, or back; 0: to the end

  HeadWeights matrix() const { return {kind, rows, cols, weights, window}; }
};

/// Which words correspond, by the head config.json names.
struct TracedAlignment {
  AlignmentHead from;
  Links links;
  Index rows = 0, cols = 0;  ///< target words, source words
  std::vector<float> soft;   ///< [rows, cols]

  float weight(Index source, Index target) const {
    return soft[static_cast<std::size_t>(target * cols + source)];
  }
};

/// A node of the beam's tree and the token as it is shown.
struct TracedNode {
  BeamNode node;
  std::string text;
};

/// Numbers [rows, cols]; none: not asked for, or there are none.
struct TracedTable {
  Index rows = 0, cols = 0;
  std::vector<float> values;
};

/// A label that was weighed.
struct TracedLabel {
  std::string label;
  double probability = 0;
};

/// Everything about one translation, or one text that was labelled.
struct Trace {
  std::string model;     ///< its name
  std::string from, to;  ///< languages
  ModelSpec spec;
  TracedText source, target;
  std::vector<UnknownText>
      unknown;              ///< what the source vocabulary does not have, in the text given
  bool forced = false;      ///< the translation was given; nothing was searched
  Index forced_tokens = 0;  ///< of the target, from the first: a prefix, or all where it was given
  double score = 0, log_probability = 0;
  std::vector<TracedStep> steps;    ///< one a target token, the end included
  std::vector<TracedLabel> labels;  ///< likeliest first; of a model that labels, else none
  TracedAlignment alignment;
  std::vector<TracedNode> beam;
  /// By kind, layer, head. Rows of cross and decoder belong to target tokens, of encoder to source
  /// tokens. Columns of cross and encoder belong to source tokens, of decoder to begin and then the
  /// target tokens without the end.
  std::vector<TracedHead> attention;
  /// Where asked for, of the source's tokens: their vectors, and what positions add to them.
  TracedTable embedding, position;
  double encode_ms = 0, decode_ms = 0;
};

/// Translates a text, or reads the reference as its translation, and records everything. The
/// weights are those of reading the surviving hypothesis at once, which is what the search did
/// token by token. Empty text gives an empty translation. A model that reads no source reads the
/// text itself: the trace's target is the text, its source empty.
///
/// Throws Error(usage) for a layer or head the model does not have, what translate() refuses and
/// once the trace is not wanted any more, Error(input) for a text or reference of more tokens than
/// kMaxTracedTokens or than the model has positions for.
Trace trace_translation(const LoadedModel& model, const std::string& name, const std::string& text,
                        const TraceRequest& request = {});

/// The longest text of a model that can be traced, the end not counted.
Index max_traced_tokens(const ModelSpec& spec);

}  // namespace regard
