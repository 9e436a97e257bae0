#include "regard/serve/text/detect.h"

#include <utf8proc.h>

#include <algorithm>
#include <cmath>

#include "regard/tokens/normalise.h"

namespace regard {
namespace {

/// Characters of a text that are looked at.
constexpr std::size_t kMaxLetters = 600;
/// What a shorter context weighs against the counts of a longer one, and the letters there may be.
constexpr double kTrust = 8, kUnseen = 0.5, kAlphabet = 100;
/// log p of a letter in no language in particular: text in its own language has about -2.8, in
/// another of the same script -3.7.
constexpr double kStranger = -3.5;
/// Trigrams overlap, so their evidence counts less than that of independent draws.
constexpr double kEvidence = 0.4;

/// One to three letters as a number; a code point has 21 bits.
std::uint64_t key(std::u32string_view letters) {
  std::uint64_t result = 0;
  for (const char32_t letter : letters) result = result << 21 | letter;
  return result;
}

/// Words in lower case with a space before and after each; all else is left out.
std::u32string letters_of(std::string_view text, std::size_t most) {
  std::u32string letters = U" ";
  while (!text.empty() && letters.size() < most) {
    const Character c = first_character(text);
    text.remove_prefix(c.size);
    const auto category = utf8proc_category(c.code);
    const bool letter = category >= UTF8PROC_CATEGORY_LU && category <= UTF8PROC_CATEGORY_MN;
    if (letter)
      letters += static_cast<char32_t>(utf8proc_tolower(c.code));
    else if (letters.back() != U' ')
      letters += U' ';
  }
  if (letters.back() != U' ') letters += U' ';
  return letters;
}

}  // namespace

Detector::Detector(const std::map<std::string, std::vector<std::string>>& languages) {
  for (const auto& [language, words] : languages) {
    Profile profile{.language = language};
    learn(profile, common_words(language));
    // A vocabulary is no text, and may be shared by two languages: only if there is no better.
    if (profile.counts.empty())
      for (const std::string& word : words) learn(profile, word);
    profiles_.push_back(std::move(profile));
  }
  for (const std::string& language : common_languages()) {
    if (languages.contains(language)) continue;
    Profile rival{.language = language, .asked = false};
    learn(rival, common_words(language));
    profiles_.push_back(std::move(rival));
  }
}

void Detector::learn(Profile& profile, std::string_view text) const {
  const std::u32string letters = letters_of(text, text.size() + 2);
  for (std::size_t i = 0; i + 3 <= letters.size(); ++i)
    for (std::size_t length = 0; length <= 3; ++length)
      profile.counts[key(std::u32string_view(letters).substr(i, length))] += 4;
}

// Each context is backed by the shorter one (Witten and Bell 1991, with a constant weight).
double Detector::log_probability(const Profile& profile, const std::u32string& letters) const {
  const std::u32string_view all = letters;
  const auto count = [&](std::size_t begin, std::size_t length) {
    const auto found = profile.counts.find(key(all.substr(begin, length)));
    return found == profile.counts.end() ? 0.0 : found->second;
  };
  const double total = count(0, 0);
  double sum = 0;
  for (std::size_t i = 0; i + 3 <= letters.size(); ++i) {
    const double one = (count(i + 2, 1) + kUnseen) / (total + kUnseen * kAlphabet);
    const double two = (count(i + 1, 2) + kTrust * one) / (count(i + 1, 1) + kTrust);
    sum += std::log((count(i, 3) + kTrust * two) / (count(i, 2) + kTrust));
  }
  return sum;
}

std::vector<Detection> Detector::detect(std::string_view text) const {
  const std::u32string letters = letters_of(text, kMaxLetters);
  std::vector<Detection> found;
  if (letters.size() < 3) {
    for (const Profile& profile : profiles_)
      if (profile.asked) found.push_back({profile.language, 0});
    return found;
  }
  const auto steps = static_cast<double>(letters.size() - 2);
  std::vector<double> logs{steps * kStranger * kEvidence};
  for (const Profile& profile : profiles_)
    logs.push_back(log_probability(profile, letters) * kEvidence);
  const double peak = *std::ranges::max_element(logs);
  double total = 0;
  for (double& each : logs) total += each = std::exp(each - peak);
  for (std::size_t i = 0; i < profiles_.size(); ++i)
    if (profiles_[i].asked)
      found.push_back({profiles_[i].language, std::round(1000 * logs[i + 1] / total) / 10});
  std::ranges::stable_sort(found, std::greater{}, &Detection::confidence);
  return found;
}

}  // namespace regard
