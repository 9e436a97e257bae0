#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "regard/base/real.h"

namespace regard {

/// How likely a language looks.
struct Detection {
  std::string language;
  double confidence = 0;  ///< from 0 to 100; of all languages together at most 100
};

/// Tells languages apart by the letters that follow each other: for each, a trigram model of its
/// commonest words (Dunning 1994, "Statistical identification of language"). Languages that nobody
/// asks about compete too, and one of even letters, so that a text in none of those asked about is
/// not taken for one with certainty.
class Detector {
 public:
  /// Each language with words of it, which matter only if we know none ourselves.
  explicit Detector(const std::map<std::string, std::vector<std::string>>& languages);

  /// All languages, likeliest first; of a text of no letter, each with confidence 0.
  std::vector<Detection> detect(std::string_view text) const;

 private:
  struct Profile {
    std::string language;
    bool asked = true;                                   // not only a rival
    std::unordered_map<std::uint64_t, double> counts{};  // of one, two and three letters
  };
  void learn(Profile& profile, std::string_view text) const;
  double log_probability(const Profile& profile, const std::u32string& letters) const;

  std::vector<Profile> profiles_;
};

/// The commonest words of a language, separated by spaces; empty if we have none.
std::string_view common_words(std::string_view language);

/// The languages that we have common words of.
std::vector<std::string> common_languages();

}  // namespace regard
