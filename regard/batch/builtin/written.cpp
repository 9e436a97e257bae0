#include <algorithm>
#include <utility>

#include "regard/batch/builtin/phrase.h"

namespace regard::builtin {

bool begins_with_vowel(std::string_view french) {
  static constexpr std::string_view kVowels[] = {"a", "e", "i", "o", "u", "â", "à", "é",
                                                 "è", "ê", "î", "ô", "œ", "h", "A", "E"};
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
  static constexpr std::string_view kElided[] = {"le", "la",  "je", "ne", "de",
                                                 "se", "que", "me", "ce"};
  for (std::size_t i = 0; i + 1 < words.size(); ++i) {
    std::string& text = words[i].text;
    if (std::ranges::find(kElided, text) == std::end(kElided)) continue;
    if (!begins_with_vowel(words[i + 1].text)) continue;
    text.back() = '\'';
  }
}

/// A line as its words are added, and which word between spaces each of them became part of.
class Line {
 public:
  void add(std::string_view word, bool joined) {
    if (!joined && !text.empty()) {
      text += ' ';
      ++last_;
    }
    text += word;
    places.push_back(last_);
  }

  std::string text;
  std::vector<Index> places;

 private:
  Index last_ = 0;
};

Line written_english(const std::vector<std::string>& words) {
  Line line;
  for (const std::string& word : words)
    line.add(word, word == "n't" || std::string_view("'.,?!").find(word[0]) != std::string::npos);
  return line;
}

Line written_french(const std::vector<FrenchWord>& words) {
  Line line;
  bool elided = false;
  for (const FrenchWord& word : words) {
    line.add(word.text, elided || word.text == "." || word.text == ",");
    elided = word.text.ends_with('\'');
  }
  return line;
}

}  // namespace

Pair finished(Phrase phrase) {
  contract(phrase.french);
  elide(phrase.french);
  const Line english = written_english(phrase.english), french = written_french(phrase.french);
  std::vector<std::pair<Index, Index>> links;
  for (std::size_t i = 0; i < phrase.french.size(); ++i)
    for (const Index from : phrase.french[i].from)
      links.emplace_back(english.places[static_cast<std::size_t>(from)], french.places[i]);
  // "some" gives both halves of "du", "doesn't" has two parts.
  std::ranges::sort(links);
  links.erase(std::unique(links.begin(), links.end()), links.end());
  Pair pair{.source = english.text, .target = french.text, .alignment = ""};
  for (const auto& [source, target] : links) {
    if (!pair.alignment.empty()) pair.alignment += ' ';
    pair.alignment += std::to_string(source) + '-' + std::to_string(target);
  }
  return pair;
}

}  // namespace regard::builtin
