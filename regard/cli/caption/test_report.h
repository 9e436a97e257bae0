#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "regard/decode/hypothesis.h"
#include "regard/image/captioned.h"
#include "regard/model/model_folder.h"
#include "regard/train/box_mass.h"

namespace regard {

/// How well some pictures were captioned.
struct CaptionScore {
  std::string name;  ///< which pictures: "unseen pairs"
  Index pictures = 0, exact = 0;
  double bleu = 0;
  Index boxed = 0;  ///< pictures where it is known what words name
  BoxMass looks{};  ///< of the captions as they should be
};

/// All pictures, and where some hold pairs that training never showed, both kinds apart.
std::vector<CaptionScore> caption_scores(const LoadedModel& model, const CaptionedSet& pictures,
                                         const std::vector<std::vector<Hypothesis>>& found);

/// A table for people. Of pictures without boxes it says that they would be in that file.
std::string as_text(const std::vector<CaptionScore>& scores, const AlignmentHead& head,
                    const std::string& boxes_file);
nlohmann::ordered_json as_json(const std::vector<CaptionScore>& scores, const AlignmentHead& head);

}  // namespace regard
