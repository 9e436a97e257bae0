#pragma once

#include <gtest/gtest.h>

#include <regex>
#include <string>
#include <vector>

namespace regard::testing {

/// An English caption taken apart by its words alone.
struct Said {
  struct Named {
    std::string size, colour, shape;
    bool operator==(const Named&) const = default;
  };
  std::vector<Named> objects;
  std::string pattern;  ///< the caption with a # for each object
};

inline Said said(const std::string& caption) {
  static const std::regex object("\\b[Aa] (small|large) (\\w+) (\\w+)");
  Said found{.objects = {}, .pattern = std::regex_replace(caption, object, "#")};
  for (std::sregex_iterator it(caption.begin(), caption.end(), object), end; it != end; ++it)
    found.objects.push_back({(*it)[1], (*it)[2], (*it)[3]});
  return found;
}

}  // namespace regard::testing
