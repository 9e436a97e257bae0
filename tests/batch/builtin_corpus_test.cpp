#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <sstream>
#include <unordered_map>
#include <unordered_set>

#include "regard/base/check.h"
#include "regard/batch/builtin/corpus.h"
#include "regard/batch/builtin/draw.h"
#include "regard/batch/builtin/lexicon.h"
#include "regard/batch/builtin/split.h"
#include "regard/tokens/normalise.h"
#include "regard/tokens/word_parts.h"
#include "regard/tokens/words.h"

namespace regard {
namespace {

using builtin::held_out;

std::vector<std::string> words(const std::string& line) {
  std::istringstream in(line);
  return {std::istream_iterator<std::string>(in), {}};
}

const std::vector<Pair>& train() {
  static const std::vector<Pair> pairs = builtin_en_fr({.pairs = 200000});
  return pairs;
}
const std::vector<Pair>& valid() {
  static const std::vector<Pair> pairs =
      builtin_en_fr({.split = Split::valid, .pairs = 3000, .seed = 2});
  return pairs;
}
const std::vector<Pair>& test() {
  static const std::vector<Pair> pairs =
      builtin_en_fr({.split = Split::test, .pairs = 10000, .seed = 3});
  return pairs;
}

/// Content words of a sentence by dictionary form, read from its English alone.
std::vector<std::string_view> lemmas(const std::string& english) {
  static const auto kLemma = [] {
    std::unordered_map<std::string_view, std::string_view> map;
    const auto enter = [&](std::string_view word, std::string_view lemma) {
      const auto [entry, added] = map.emplace(word, lemma);
      EXPECT_EQ(entry->second, lemma) << word << " belongs to two entries";
    };
    for (const auto& noun : builtin::nouns()) {
      enter(noun.english, noun.english);
      if (!noun.english_plural.empty()) enter(noun.english_plural, noun.english);
    }
    for (const auto& verb : builtin::verbs())
      for (const auto word : {verb.english, verb.english_third, verb.english_past})
        enter(word, verb.english);
    for (const auto& adjective : builtin::adjectives()) enter(adjective.english, adjective.english);
    return map;
  }();
  std::vector<std::string_view> result;
  const auto enter = [&](std::string_view word) {
    const auto found = kLemma.find(word);
    if (found != kLemma.end()) result.push_back(found->second);
    return found != kLemma.end();
  };
  for (const WordPart& part : word_parts(english, {}))
    if (!enter(part.text) && part.start == 0) enter(lower_case(part.text));
  return result;
}

bool holds_out(const Pair& pair) {
  const auto found = lemmas(pair.source);
  for (std::size_t i = 0; i < found.size(); ++i)
    for (std::size_t j = i + 1; j < found.size(); ++j)
      if (held_out(found[i], found[j])) return true;
  return false;
}

TEST(BuiltinCorpus, two_hundred_thousand_different_training_pairs) {
  std::unordered_set<std::string_view> seen;
  for (const Pair& pair : train()) seen.insert(pair.source);
  EXPECT_EQ(seen.size(), 200000u);
  EXPECT_TRUE(seen.contains("I'm home."));
  using namespace builtin;
  constexpr std::size_t kFunctionWords =
      7 + 11 + 1 + 1 + 3;  // pronouns, determiners, very, home, ?
  EXPECT_GE(kFunctionWords + nouns().size() + verbs().size() + adjectives().size() +
                numbers().size() + present_times().size() + past_times().size() +
                future_times().size() + days().size() + frequencies().size() + manners().size() +
                place_relations().size(),
            300u);
}

TEST(BuiltinCorpus, every_word_of_both_sides_is_aligned) {
  for (const auto* pairs : {&train(), &valid(), &test()})
    for (std::size_t i = 0; i < std::min<std::size_t>(pairs->size(), 20000); ++i) {
      const Pair& pair = (*pairs)[i];
      const std::size_t n = words(pair.source).size(), m = words(pair.target).size();
      std::set<std::pair<std::size_t, std::size_t>> links;
      std::set<std::size_t> sources, targets;
      for (const std::string& link : words(pair.alignment)) {
        const std::size_t dash = link.find('-');
        const std::size_t source = std::stoul(link), target = std::stoul(link.substr(dash + 1));
        EXPECT_TRUE(links.emplace(source, target).second) << pair.alignment;
        sources.insert(source);
        targets.insert(target);
      }
      ASSERT_TRUE(sources.size() == n && *sources.rbegin() == n - 1) << pair.source;
      ASSERT_TRUE(targets.size() == m && *targets.rbegin() == m - 1) << pair.target;
      ASSERT_TRUE(n >= 1 && n <= 14) << pair.source;
    }
}

TEST(BuiltinCorpus, the_same_spec_gives_the_same_pairs_and_fewer_are_a_prefix) {
  const auto all = builtin_en_fr({.split = Split::test, .pairs = 500, .seed = 9});
  EXPECT_EQ(all, builtin_en_fr({.split = Split::test, .pairs = 500, .seed = 9}));
  const auto few = builtin_en_fr({.split = Split::test, .pairs = 100, .seed = 9});
  EXPECT_TRUE(std::equal(few.begin(), few.end(), all.begin()));
  EXPECT_NE(all, builtin_en_fr({.split = Split::test, .pairs = 500, .seed = 10}));
}

TEST(BuiltinCorpus, splits_of_any_seeds_share_no_sentence) {
  std::unordered_map<std::string, Split> split_of;
  for (const std::uint64_t seed : {4, 5, 6})
    for (const Split split : {Split::train, Split::valid, Split::test})
      for (const Pair& pair : builtin_en_fr(
               {.split = split, .pairs = split == Split::train ? 20000 : 1000, .seed = seed})) {
        const auto [entry, added] = split_of.emplace(pair.source, split);
        ASSERT_EQ(entry->second, split) << pair.source;
      }
}

TEST(BuiltinCorpus, english_settles_the_french) {
  std::unordered_map<std::string, Pair> known;
  const Rng rng(7);
  int repeated = 0;
  for (std::uint64_t i = 0; i < 40000; ++i) {
    const Pair pair = builtin::draw(rng.fork(i)).pair;
    const auto [entry, added] = known.emplace(pair.source, pair);
    repeated += !added;
    ASSERT_EQ(entry->second, pair);
  }
  EXPECT_GT(repeated, 500);
}

TEST(BuiltinCorpus, drawn_content_words_are_those_of_the_sentence) {
  const Rng rng(8);
  for (std::uint64_t i = 0; i < 20000; ++i) {
    builtin::Drawn drawn = builtin::draw(rng.fork(i));
    auto read = lemmas(drawn.pair.source);
    std::ranges::sort(read);
    std::ranges::sort(drawn.lemmas);
    ASSERT_EQ(read, drawn.lemmas) << drawn.pair.source;
  }
}

TEST(BuiltinCorpus, test_sentences_hold_words_never_seen_together) {
  for (const auto* pairs : {&train(), &valid()})
    for (const Pair& pair : *pairs) ASSERT_FALSE(holds_out(pair)) << pair.source;
  for (const Pair& pair : test()) ASSERT_TRUE(holds_out(pair)) << pair.source;

  // The same from the corpora alone, with no word of held_out.
  std::unordered_map<std::string_view, std::unordered_set<std::string_view>> together;
  const auto each_two = [](const Pair& pair, const auto& visit) {
    auto found = lemmas(pair.source);
    std::ranges::sort(found);
    for (std::size_t i = 0; i < found.size(); ++i)
      for (std::size_t j = i + 1; j < found.size(); ++j) visit(found[i], found[j]);
  };
  for (const auto* pairs : {&train(), &valid()})
    for (const Pair& pair : *pairs) each_two(pair, [&](auto a, auto b) { together[a].insert(b); });
  for (const Pair& pair : test()) {
    bool unseen = false;
    each_two(pair, [&](auto a, auto b) { unseen = unseen || !together[a].contains(b); });
    ASSERT_TRUE(unseen) << pair.source;
  }
}

TEST(BuiltinCorpus, every_test_word_is_known_from_training_and_text_comes_back) {
  for (const auto side : {&Pair::source, &Pair::target}) {
    std::vector<std::string> lines;
    for (std::size_t i = 0; i < 50000; ++i) lines.push_back(train()[i].*side);
    const auto tokens = word_vocabulary(lines, {.min_frequency = 1});
    for (const auto* pairs : {&train(), &valid(), &test()})
      for (std::size_t i = 0; i < std::min<std::size_t>(pairs->size(), 50000); ++i) {
        const std::string& line = (*pairs)[i].*side;
        ASSERT_EQ(tokens->decode(tokens->encode(line)), line);
      }
  }
}

/// Whether a mark of the sentence stands where the language wants it.
void check_written(const std::string& line, bool space_before_stop) {
  ASSERT_TRUE((line.front() >= 'A' && line.front() <= 'Z') || line.starts_with("É")) << line;
  const char stop = line.back();
  ASSERT_TRUE(stop == '.' || stop == '?' || stop == '!') << line;
  const bool spaced = stop != '.' && space_before_stop;
  ASSERT_EQ(line[line.size() - 2] == ' ', spaced) << line;
  for (const std::string part : {" ,", " .", "' ", " '", "  ", " n't"})
    ASSERT_EQ(line.find(part), std::string::npos) << line;
  ASSERT_EQ(line.find_first_of(".?!"), line.size() - 1) << line;
  ASSERT_EQ(normalise(line), line);
}

TEST(BuiltinCorpus, lines_are_written_as_people_write) {
  for (const auto* pairs : {&train(), &valid(), &test()})
    for (const Pair& pair : *pairs) {
      check_written(pair.source, false);
      check_written(pair.target, true);
      if (HasFatalFailure()) return;
    }
}

TEST(BuiltinCorpus, everyday_words_are_there) {
  std::unordered_set<std::string> seen;
  for (const Pair& pair : train())
    for (const WordPart& part : word_parts(pair.source, {})) seen.emplace(part.text);
  for (const char* word : {"cat", "sits", "sat", "mat", "because", "it", "hungry", "tired", "home",
                           "I", "n't", "'m", "'s", "'ll", "Anna", "Monday", "French", "Hello"})
    EXPECT_TRUE(seen.contains(word)) << word;
}

TEST(BuiltinCorpus, too_many_pairs_are_refused_with_the_most_there_are) {
  for (const Split split : {Split::train, Split::valid, Split::test}) {
    const Index most = max_builtin_pairs(split);
    try {
      builtin_en_fr({.split = split, .pairs = most + 1});
      FAIL() << "not refused";
    } catch (const Error& error) {
      EXPECT_EQ(error.fault, Fault::usage);
      EXPECT_NE(std::string(error.what()).find(std::to_string(most)), std::string::npos);
    }
  }
  EXPECT_TRUE(builtin_en_fr({.pairs = 0}).empty());
}

TEST(BuiltinCorpus, is_found_by_its_name_and_knows_its_languages) {
  EXPECT_EQ(find_builtin("train.en"), nullptr);
  EXPECT_EQ(find_builtin(""), nullptr);
  EXPECT_THROW(find_builtin("builtin:en-de"), Error);
  EXPECT_THROW(find_builtin(kBuiltinScenes), Error);  // pictures
  const BuiltinCorpus* corpus = find_builtin(kBuiltinEnFr);
  ASSERT_NE(corpus, nullptr);
  EXPECT_EQ(corpus->make({.pairs = 5}), builtin_en_fr({.pairs = 5}));
  for (const auto& [from, to, reversed] :
       std::vector<std::tuple<const char*, const char*, bool>>{{"", "", false},
                                                               {"en", "fr", false},
                                                               {"fr", "en", true},
                                                               {"fr", "", true},
                                                               {"", "en", true}})
    EXPECT_EQ(corpus->is_reversed(from, to), reversed) << from << ' ' << to;
}

}  // namespace
}  // namespace regard
