#pragma once

#include <functional>
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

/// Translates the sentences greedily and looks at every head over all of them. By kind, layer,
/// head. `wanted` is asked now and then; once it is false, Error(usage). None: go on.
std::vector<SurveyedHead> survey_heads(const LoadedModel& model,
                                       std::span<const std::string> sentences,
                                       const std::function<bool()>& wanted = {});

}  // namespace regard
