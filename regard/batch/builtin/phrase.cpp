#include "regard/batch/builtin/phrase.h"

#include <algorithm>
#include <utility>

#include "regard/tokens/spaced_words.h"

namespace regard::builtin {

Index Phrase::say(std::string_view word) {
  english.emplace_back(word);
  return static_cast<Index>(english.size()) - 1;
}

Index Phrase::say(const Phrase& part) {
  const Index begin = static_cast<Index>(english.size());
  english.insert(english.end(), part.english.begin(), part.english.end());
  return begin;
}

void Phrase::render(std::string_view word, Links from) {
  french.push_back({std::string(word), std::move(from)});
}

void Phrase::render(const Phrase& part, Index begin) {
  for (const FrenchWord& word : part.french) {
    french.push_back(word);
    for (Index& position : french.back().from) position += begin;
  }
}

void Phrase::append(const Phrase& part) {
  render(part, say(part));
}

Phrase phrase(const Expression& expression) {
  Phrase result;
  result.english = spaced_words(expression.english);
  for (const std::string& word : spaced_words(expression.french)) result.render(word, {});
  const std::size_t n = result.english.size(), m = result.french.size();
  for (std::size_t k = 0; k < std::max(n, m); ++k)
    result.french[std::min(k, m - 1)].from.push_back(static_cast<Index>(std::min(k, n - 1)));
  return result;
}

}  // namespace regard::builtin
