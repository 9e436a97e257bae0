#pragma once

#include <memory>
#include <string>
#include <vector>

#include "regard/image/captioned.h"
#include "regard/train/recipe.h"
#include "regard/train/run_request.h"

namespace regard {

/// Some pictures of a set.
struct PictureExamples {
  std::shared_ptr<const CaptionedSet> pictures{};
  std::vector<Index> chosen{};  ///< of the set

  Index count() const { return static_cast<Index>(chosen.size()); }
  Captioned about(std::size_t i) const { return pictures->about(chosen[i]); }
  Image square(std::size_t i) const { return pictures->square(chosen[i]); }
};

/// The pictures of a run, with what is said of them.
struct RunPictures {
  PictureExamples train{}, valid{};
  std::string note{};  ///< which pictures they are, for the run's checkpoints
};

/// Throws Error(usage) if what the recipe names is neither lists of pictures nor this corpus, in a
/// language that it has.
void check_run_pictures(const Recipe& recipe, const PictureCorpus& corpus);

/// Reads the lists and their pictures; without one for validation, some of those to train on are
/// put aside, and of a corpus there are others.
RunPictures read_run_pictures(const Recipe& recipe, const RunRequest& request,
                              const PictureCorpus& corpus);

}  // namespace regard
