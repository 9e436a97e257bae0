#include "regard/batch/builtin/phrase.h"

#include <algorithm>
#include <utility>

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

namespace {

std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find(' ', begin), text.size());
    words.emplace_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return words;
}

}  // namespace

Phrase phrase(const Expression& expression) {
  Phrase result;
  result.english = words_of(expression.english);
  for (const std::string& word : words_of(expression.french)) result.render(word, {});
  const std::size_t n = result.english.size(), m = result.french.size();
  for (std::size_t k = 0; k < std::max(n, m); ++k)
    result.french[std::min(k, m - 1)].from.push_back(static_cast<Index>(std::min(k, n - 1)));
  return result;
}

bool begins_with_vowel(std::string_view french) {
  static constexpr std::string_view kVowels[] = {"a", "e", "i", "o", "u", "â", "à",
                                                 "é", "è", "ê", "î", "ô", "œ", "h"};
  // h aspiré, and the numbers that refuse elision.
  static constexpr std::string_view kClosed[] = {"héros", "hibou",  "hiboux", "haricot", "haricots",
                                                 "hache", "haches", "huit",   "onze"};
  if (french == "y") return true;
  if (std::ranges::find(kClosed, french) != std::end(kClosed)) return false;
  return std::ranges::any_of(kVowels, [&](auto vowel) { return french.starts_with(vowel); });
}

namespace {

void merge(std::vector<FrenchWord>& words, std::size_t i, std::string_view text) {
  words[i].text = text;
  const Links& from = words[i + 1].from;
  words[i].from.insert(words[i].from.end(), from.begin(), from.end());
  words.erase(words.begin() + static_cast<std::ptrdiff_t>(i) + 1);
}

void contract(std::vector<FrenchWord>& words) {
  for (std::size_t i = 0; i + 2 < words.size(); ++i) {
    const bool de = words[i].text == "de";
    if (!de && words[i].text != "à") continue;
    const std::string& article = words[i + 1].text;
    if (article == "le" && !begins_with_vowel(words[i + 2].text))
      merge(words, i, de ? "du" : "au");
    else if (article == "les")
      merge(words, i, de ? "des" : "aux");
  }
}

void elide(std::vector<FrenchWord>& words) {
  static constexpr std::string_view kElided[] = {"le", "la", "je", "ne", "de", "que", "me", "ce"};
  for (std::size_t i = 0; i + 1 < words.size(); ++i) {
    std::string& text = words[i].text;
    if (std::ranges::find(kElided, text) == std::end(kElided)) continue;
    if (!begins_with_vowel(words[i + 1].text)) continue;
    text.back() = '\'';
  }
}

}  // namespace

Pair finished(Phrase phrase) {
  contract(phrase.french);
  elide(phrase.french);
  Pair pair;
  std::vector<std::pair<Index, Index>> links;
  for (const std::string& word : phrase.english)
    pair.source += (pair.source.empty() ? "" : " ") + word;
  for (std::size_t i = 0; i < phrase.french.size(); ++i) {
    pair.target += (i ? " " : "") + phrase.french[i].text;
    for (const Index from : phrase.french[i].from) links.emplace_back(from, static_cast<Index>(i));
  }
  // "some" gives both halves of "du".
  std::ranges::sort(links);
  links.erase(std::unique(links.begin(), links.end()), links.end());
  for (const auto& [source, target] : links) {
    if (!pair.alignment.empty()) pair.alignment += ' ';
    pair.alignment += std::to_string(source) + '-' + std::to_string(target);
  }
  return pair;
}

}  // namespace regard::builtin
