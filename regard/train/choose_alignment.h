#pragma once

#include "regard/model/model_folder.h"
#include "regard/train/validation.h"

namespace regard {

/// The head that aligns words best on the first sentences of a set: by the lowest alignment error
/// rate if all of them have gold alignments, else as best_alignment_head without gold.
AlignmentHead choose_alignment_head(const SequenceModel& model, const ModelInfo& info,
                                    const ValidationSet& set);

}  // namespace regard
