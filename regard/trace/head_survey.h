#pragma once

#include <span>
#include <string>
#include <vector>

#include "regard/trace/head_tag.h"
#include "regard/trace/trace.h"

namespace regard {

/// What a head does over several sentences.
struct SurveyedHead {
  AttentionKind kind = AttentionKind::encoder;
  Index layer = 0, head = 0;
  HeadTag tag = HeadTag::other;
  double entropy = 0;  ///< bits, mean over the rows of all sentences
};

/// Translates the sentences greedily, to 64 tokens at most, and looks at every head over all of
/// them. By kind, layer, head.
std::vector<SurveyedHead> survey_heads(const LoadedModel& model,
                                       std::span<const std::string> sentences);

}  // namespace regard
