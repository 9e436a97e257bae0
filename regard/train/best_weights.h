#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "regard/model/run_folder.h"
#include "regard/model/weights.h"
#include "regard/train/progress.h"

namespace regard {

/// The weights of a run's best validations, as files best/step-N.safetensors. The run's progress
/// lists them; a file that the newest checkpoint names is never removed.
class BestWeights {
 public:
  BestWeights(RunFolder folder, Index most);

  /// Puts a validation among the best if it belongs there, and writes its weights. If the disk
  /// cannot take them, they are kept in memory, with a warning.
  void keep(std::vector<Kept>& best, Index step, const ValidationScore& score,
            std::span<const NamedParameter> weights);

  /// Writes the weights kept in memory. Throws Error(io); before that a list that names them must
  /// not be relied on.
  void write_waiting(const std::vector<Kept>& best);

  /// The files of the best, best first. One that is gone or not what was written leaves the list,
  /// with a warning. Throws Error(io) or Error(input) if one cannot be read.
  std::vector<std::string> intact_files(std::vector<Kept>& best, Index largest) const;

  /// Removes the files of all others; for when the list is safe on disk.
  void remove_others(const std::vector<Kept>& best) const;

  /// Files there, of the best and others.
  Index count() const { return static_cast<Index>(steps().size()); }

 private:
  std::vector<Index> steps() const;  // none if they cannot be listed

  RunFolder folder_;
  std::size_t most_;
  std::map<Index, std::string> waiting_;  // files by their step
};

}  // namespace regard
