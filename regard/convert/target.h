#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "regard/model/model_folder.h"

namespace regard {

/// A form that a model can be written in: what it is called and how to write one.
struct ConvertTarget {
  std::string_view name, summary;

  /// The names of the files, in the order in which they take their places: last what no program
  /// takes the folder for a model without. Throws Error(input) for a model that has no such form.
  std::vector<std::string> (*files)(const ModelInfo& info);

  /// Writes them all to the folder. The model is not to be used any more.   REQUIRES one that
  /// `files` did not refuse, not packed
  void (*write)(Loaded<Model>& loaded, const std::string& folder);

  /// The weights are rounded: they must be finite, and what that costs can be told, for regard
  /// reads the form again.
  bool rounds = false;
};

/// Every form of this build, in the order of their names; made from the files in targets/.
std::span<const ConvertTarget* const> all_convert_targets();

/// The form of that name. Throws Error(usage), with the nearest name, if there is none.
const ConvertTarget& find_convert_target(std::string_view name);

}  // namespace regard
