#include "regard/image/scenes/caption.h"

#include <algorithm>
#include <array>
#include <utility>

#include "regard/base/check.h"
#include "regard/base/nearest.h"

namespace regard::scenes {
namespace {

class Sentence;

/// How a language says a scene. In its sentences A, B and C stand for the objects, > for the first
/// direction and ^ for the second; alone, > is a place.
struct Grammar {
  std::array<std::string_view, 5> places;      // by Direction
  std::array<std::string_view, 4> directions;  // by Direction
  std::array<std::string_view, 5> sentences;   // by Arrangement
  void (*name)(Sentence& sentence, const Content& content, std::size_t object);
};

/// A caption that grows word by word.
class Sentence {
 public:
  void say(std::string_view word) {
    if (!caption_.text.empty() && !caption_.text.ends_with('\'')) caption_.text += ' ';
    caption_.text += word;
  }
  void name(std::string_view word, std::size_t object) {
    say(word);
    caption_.words.push_back({caption_.text.size() - word.size(), caption_.text.size(), object});
  }
  /// Before a vowel: de un, d'un.
  void elide() {
    if (caption_.text.ends_with(" de")) caption_.text.back() = '\'';
  }
  Caption end() && {
    // All sentences begin with an article or a plain word in ASCII.
    caption_.text.front() = static_cast<char>(caption_.text.front() - 'a' + 'A');
    caption_.text += '.';
    return std::move(caption_);
  }

 private:
  Caption caption_;
};

void name_in_english(Sentence& sentence, const Content& content, std::size_t object) {
  const Content::Object& named = content.objects[object];
  sentence.say("a");
  sentence.name(word(named.size).english, object);
  sentence.name(colours()[named.colour].word.english, object);
  sentence.name(shapes()[named.shape].english, object);
}

void name_in_french(Sentence& sentence, const Content& content, std::size_t object) {
  const Content::Object& named = content.objects[object];
  const Shape& shape = shapes()[named.shape];
  const auto agreeing = [&](const Adjective& adjective) {
    return shape.feminine ? adjective.feminine : adjective.masculine;
  };
  sentence.elide();
  sentence.say(shape.feminine ? "une" : "un");
  sentence.name(agreeing(word(named.size)), object);
  sentence.name(shape.french, object);
  sentence.name(agreeing(colours()[named.colour].word), object);
}

constexpr std::string_view kLanguages[]{"en", "fr"};

constexpr Grammar kGrammars[]{
    {.places = {"on the left", "on the right", "at the top", "at the bottom", "in the middle"},
     .directions = {"to the left of", "to the right of", "above", "below"},
     .sentences = {"there is A >", "A is > B", "A is between B and C", "A is > B and ^ C",
                   "A and B are > C"},
     .name = name_in_english},
    {.places = {"à gauche", "à droite", "en haut", "en bas", "au milieu"},
     .directions = {"à gauche de", "à droite de", "au-dessus de", "en dessous de"},
     .sentences = {"il y a A >", "A est > B", "A est entre B et C", "A est > B et ^ C",
                   "A et B sont > C"},
     .name = name_in_french}};

std::string_view direction(const Grammar& grammar, const Content& content, Direction direction) {
  const auto i = static_cast<std::size_t>(direction);
  return content.arrangement == Arrangement::alone ? grammar.places[i] : grammar.directions[i];
}

}  // namespace

std::span<const std::string_view> languages() {
  return kLanguages;
}

Caption caption(const Content& content, std::string_view language) {
  std::size_t spoken = 0;
  while (spoken < std::size(kLanguages) && kLanguages[spoken] != language) ++spoken;
  check(spoken < std::size(kLanguages), "builtin:scenes has no captions in '", language, "'",
        known_values(language, kLanguages));
  const Grammar& grammar = kGrammars[spoken];
  Sentence sentence;
  std::string_view pattern = grammar.sentences[static_cast<std::size_t>(content.arrangement)];
  while (!pattern.empty()) {
    const std::string_view part = pattern.substr(0, pattern.find(' '));
    pattern.remove_prefix(std::min(part.size() + 1, pattern.size()));
    if (part == ">")
      sentence.say(direction(grammar, content, content.direction));
    else if (part == "^")
      sentence.say(direction(grammar, content, content.second));
    else if (part.size() == 1 && part.front() >= 'A' && part.front() <= 'C')
      grammar.name(sentence, content, static_cast<std::size_t>(part.front() - 'A'));
    else
      sentence.say(part);
  }
  return std::move(sentence).end();
}

}  // namespace regard::scenes
