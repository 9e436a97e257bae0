#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace regard {

/// Which labels there are among those of all training examples, in the order of their bytes. Throws
/// Error(input) naming the file unless a model can have so many, and for what is no label.
/// `example`: what one is called.
std::vector<std::string> learned_labels(const std::vector<std::string>& of_examples,
                                        const std::string& path, std::string_view example);

}  // namespace regard
