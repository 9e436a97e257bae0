#pragma once

#include "regard/model/model_folder.h"
#include "regard/train/validation.h"

namespace regard {

/// The attention that tells words from words best, on the first sentences of a set: against the
/// gold alignments where all of them have one, else the surest.
AlignmentHead choose_alignment_head(const SequenceModel& model, const ModelInfo& info,
                                    const ValidationSet& set);

}  // namespace regard
