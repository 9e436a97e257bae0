#pragma once

#include <string>
#include <vector>

#include "regard/model/examples.h"
#include "regard/model/model_folder.h"
#include "regard/train/validation.h"

namespace regard {

/// Sources of a set to try the model with, kMaxExamples at most: of the first ones with 3 to 14
/// tokens, none unknown, those that greedy search translates best by chrF, two of each length: 6 to
/// 8 tokens, 9 to 11, 3 to 5, 12 to 14, in this order. What scores less than half of the best is
/// left out.
std::vector<std::string> choose_examples(const SequenceModel& model, const ModelInfo& info,
                                         const ValidationSet& set);

}  // namespace regard
