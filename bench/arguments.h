#pragma once

#include <cstdlib>
#include <map>
#include <string>
#include <vector>

#include "regard/base/real.h"

namespace regard::bench {

/// The words of a command line, and its options, each followed by its value: --steps 20.
struct Arguments {
  std::vector<std::string> words;
  std::map<std::string, std::string> options;

  Arguments(int argc, char** argv) {
    for (int i = 1; i < argc; ++i) {
      const std::string word = argv[i];
      if (!word.starts_with("--"))
        words.push_back(word);
      else if (i + 1 < argc)
        options[word] = argv[++i];
    }
  }
  std::string get(const std::string& name, const std::string& otherwise) const {
    const auto found = options.find(name);
    return found == options.end() ? otherwise : found->second;
  }
  Index number(const std::string& name, Index otherwise) const {
    return std::atoll(get(name, std::to_string(otherwise)).c_str());
  }
};

}  // namespace regard::bench
