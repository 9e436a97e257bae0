#pragma once

#include <span>
#include <string>
#include <vector>

#include "regard/model/weights.h"
#include "regard/train/progress.h"

namespace regard {

/// The weights of a run's best validations, as files best/step-N.safetensors. Which they are stands
/// in the run's progress; a file that the newest checkpoint names is never removed.
class BestWeights {
 public:
  BestWeights(std::string folder, Index most);

  /// Puts a validation among the best where it belongs there, and writes its weights. A disk that
  /// cannot take them costs the validation its place and a warning.
  void keep(std::vector<Kept>& best, Index step, const ValidationScore& score,
            std::span<const NamedParameter> weights) const;

  /// The files of the best, best first. One that is not what was written leaves the list, with a
  /// warning.
  std::vector<std::string> whole_files(std::vector<Kept>& best) const;

  /// Removes the files of all others; for when the list is safe on disk.
  void remove_others(const std::vector<Kept>& best) const;

  /// Files there, of the best and others.
  Index count() const { return static_cast<Index>(names().size()); }

 private:
  std::vector<std::string> names() const;
  std::string path(Index step) const;

  std::string folder_;
  std::size_t most_;
};

}  // namespace regard
