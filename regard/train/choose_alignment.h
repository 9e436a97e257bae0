#pragma once

#include "regard/model/model_folder.h"
#include "regard/model/run_folder.h"
#include "regard/train/validation.h"

namespace regard {

/// The attention that tells words from words best, on the first sentences of a set: against the
/// gold alignments where all of them have one, else the surest.
AlignmentHead choose_alignment_head(const SequenceModel& model, const ModelInfo& info,
                                    const ValidationSet& set);

/// The same with the weights that the run has kept; loads them into the model, and notes the head
/// in config.json.
void save_alignment_head(const RunFolder& folder, SequenceModel& model, ModelInfo& info,
                         const ValidationSet& set);

}  // namespace regard
