#include "regard/train/learned_labels.h"

#include <set>

#include "regard/base/check.h"
#include "regard/batch/labelled_text.h"
#include "regard/model/labels.h"

namespace regard {

std::vector<std::string> learned_labels(const std::vector<std::string>& of_examples,
                                        const std::string& path, std::string_view example) {
  std::set<std::string> found;
  for (const std::string& label : of_examples) {
    found.insert(label);
    if (found.size() > kMaxLabels)
      fail(Fault::input, path, ": more than ", kMaxLabels, " different labels; expected a ",
           example, ", a tab and its label on each line");
  }
  if (found.size() < kMinLabels)
    fail(Fault::input, path, ": every ", example, " has the label '", shown_label(*found.begin()),
         "'; a model that labels has ", kMinLabels, " or more to choose from");
  return {found.begin(), found.end()};
}

}  // namespace regard
