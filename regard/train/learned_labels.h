#pragma once

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "regard/base/real.h"

namespace regard {

/// Which labels there are among those of all training examples, in the order of their bytes. Throws
/// Error(input) naming the file unless a model can have so many.
/// `example`: what one is called.
std::vector<std::string> learned_labels(const std::vector<std::string>& of_examples,
                                        const std::string& path, std::string_view example);

/// A label that is held out whole would never be learned: its example changes places with one whose
/// label stays. Where there is none such, it serves for both. `label` tells that of an example.
template <class Example>
void keep_each_label(std::vector<Example>& train, std::vector<Example>& valid, const auto& label) {
  std::map<std::string, Index> left;
  for (const Example& each : train) ++left[label(each)];
  for (Example& held : valid) {
    if (left[label(held)] > 0) continue;
    ++left[label(held)];
    const auto other = std::find_if(train.rbegin(), train.rend(),
                                    [&](const Example& each) { return left[label(each)] > 1; });
    if (other == train.rend()) {
      train.push_back(held);
      continue;
    }
    --left[label(*other)];
    std::swap(held, *other);
  }
}

}  // namespace regard
