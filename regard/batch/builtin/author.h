#pragma once

#include <algorithm>
#include <string_view>
#include <vector>

#include "regard/base/rng.h"
#include "regard/batch/builtin/draw.h"
#include "regard/batch/builtin/sentences.h"

namespace regard::builtin {

/// Which kinds of noun phrase a place in the sentence takes.
struct Wanted {
  std::uint32_t kinds;
  bool definite = false;  ///< the, this, my
  bool names = true;
};

/// Draws one sentence: a pure function of the generator.
class Author {
 public:
  explicit Author(Rng rng) : rng_(rng) {}

  Pair write();
  std::vector<std::string_view> lemmas;  ///< content words so far; none is drawn twice
  Topic topic;

 private:
  std::size_t below(std::size_t n) { return rng_.below(calls_++, n); }
  bool chance(std::size_t percent) { return below(100) < percent; }
  template <class T>
  const T& pick(std::span<const T> from) {
    return from[below(from.size())];
  }
  template <class T, class Fits>
  const T* pick_where(std::span<const T> from, Fits fits) {
    const auto count = static_cast<std::size_t>(std::ranges::count_if(from, fits));
    if (count == 0) return nullptr;
    std::size_t skip = below(count);
    for (const T& entry : from)
      if (fits(entry) && skip-- == 0) return &entry;
    return nullptr;
  }
  bool is_new(std::string_view lemma) const {
    return std::ranges::find(lemmas, lemma) == lemmas.end();
  }

  // draw.cpp: parts of sentences
  const Noun& noun(const Wanted& wanted);
  const Adjective* adjective(const Noun& noun, bool precedes);
  const Adjective* quality(std::uint32_t kinds, bool precedes, std::uint32_t rivals = 0);
  Determiner determiner(const Noun& noun, bool plural, bool definite);
  NounPhrase noun_phrase(const Wanted& wanted);
  void describe(NounPhrase& phrase);
  Nominal subject(const Wanted& wanted, std::size_t pronoun_percent);
  NounPhrase topic_phrase(const Wanted& wanted);
  Pronoun other_than(const Nominal& subject);
  Place place(bool furniture);
  Tense tense();
  void time(Clause& clause);
  void denial(Clause& clause);
  void shorten(Clause& clause);
  void object_of(Clause& clause);
  void place_of(Clause& clause);
  Clause action();
  Clause being();

  // write.cpp: whole sentences
  Clause statement(std::size_t action_percent);
  Pair question();
  Pair special();
  Pair reasoned();
  Pair command();
  Pair exclaimed();
  Pair greeting();

  Rng rng_;
  std::uint64_t calls_ = 0;
  bool asks_who_ = false;
  bool commands_ = false;  ///< objects are nouns: "help me" would need "aidez-moi"
  Question asks_ = Question::none;
};

}  // namespace regard::builtin
