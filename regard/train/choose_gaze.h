#pragma once

#include "regard/model/model_folder.h"
#include "regard/train/caption_task.h"

namespace regard {

/// The head that shows best where a model looked as it said a word: the one with the most weight in
/// the boxes of what words name, or where no box is known, the one that aligns best.
AlignmentHead choose_gaze(const SequenceModel& model, const ModelInfo& info,
                          const CaptionExamples& examples);

}  // namespace regard
