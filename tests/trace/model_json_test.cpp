#include "regard/trace/model_json.h"

#include <algorithm>

#include "tests/trace/trace_testing.h"

namespace regard {
namespace {

using testing::Draw;
using testing::law;

using Lines = std::vector<std::string>;

std::string example_of(const std::string& from, std::shared_ptr<const Tokenizer> source) {
  LoadedModel model = testing::traced_model(testing::small_spec(), Rng(2));
  model.info.from = from;
  model.info.source = std::move(source);
  return model_json("small", model)["example"];
}

/// The subwords of some lines, often enough that their words are whole.
std::string example_of_text(const std::string& from, const Lines& lines) {
  return example_of(from, train_subwords(lines, {.size = 400}));
}

bool has_unknown(const Tokenizer& tokenizer, const std::string& text) {
  const std::vector<std::int32_t> ids = tokenizer.encode(text);
  return std::ranges::find(ids, kUnk) != ids.end();
}

TEST(Example, IsOfKnownWordsWhateverTheVocabulary) {
  law("example of a word vocabulary", 200, [](Draw& draw) {
    const Lines words{"The",  "the",  "black", "cat", "does", "not", "see", "dog", "dog.",
                      ".",    "A",    "man",   "in",  "an",   "hat", "is",  "le",  "chat",
                      "noir", "voit", "pas",   "ne",  "x",    "17",  "?",   "été", "猫"};
    std::string line;
    for (const std::string& word : words)
      if (draw.integer(0, 9) > 0) line += word + " ";
    if (line.empty()) line = "x";
    const auto source = word_vocabulary(
        Lines{line},
        {.min_frequency = 1, .lower_case = draw.coin(), .split_punctuation = draw.coin()});
    const Lines languages{"en", "EN-GB", "fr", "fr_CA", "de", "cs", "source", ""};
    const std::string from = languages[static_cast<std::size_t>(draw.integer(0, 7))];
    const std::string example = example_of(from, source);
    EXPECT_FALSE(example.empty()) << from << ": " << line;
    EXPECT_FALSE(has_unknown(*source, example)) << from << ": " << example << " of " << line;
  });
}

TEST(Example, IsASentenceWhereTheModelKnowsOne) {
  const Lines corpus{"the black cat does not see the dog . the the"};
  const auto plain = word_vocabulary(corpus, {.min_frequency = 1});
  const auto free = word_vocabulary(Lines{"the black cat does not see the dog. the the"},
                                    {.min_frequency = 1, .lower_case = true});
  for (const char* from : {"en", "EN", "en-GB"}) {
    EXPECT_EQ(example_of(from, plain), "the black cat does not see the dog .");
    EXPECT_EQ(example_of(from, free), "The black cat does not see the dog.");
  }
  EXPECT_EQ(example_of("fr", plain), "the . black cat does dog") << "its most common words";
}

// Sub-words spell any text, so that nothing is unknown: the sentence must be of their own text.
TEST(Example, OfSubwordsIsLikeTheTextTheyWereMadeOf) {
  const std::string cats = "The black cat does not see the dog.";
  const std::string pictures = "A man in an orange hat is looking at something.";
  Lines lines(20, pictures);
  EXPECT_EQ(example_of_text("en", lines), pictures);
  lines.assign(20, cats);
  EXPECT_EQ(example_of_text("en", lines), cats);
  lines.assign(20, "the black cat does not see the dog .");
  EXPECT_EQ(example_of_text("en", lines), "the black cat does not see the dog .");
}

TEST(Example, OfSubwordsThatKnowSeveralHasNoRareWord) {
  const std::string cats = "The black cat does not see the dog.";
  const std::string pictures = "A man in an orange hat is looking at something.";
  Lines lines(40, pictures);
  lines.insert(lines.end(), 4, cats);
  EXPECT_EQ(example_of_text("en", lines), pictures);
  lines.assign(4, pictures);
  lines.insert(lines.end(), 40, cats);
  EXPECT_EQ(example_of_text("en", lines), cats);
}

TEST(Example, IsTheModelsOwnWhereItHasSome) {
  LoadedModel model = testing::traced_model(testing::small_spec(), Rng(2));
  const Lines words = example_sentences(model.info);
  EXPECT_EQ(words.size(), 1u);
  EXPECT_EQ(familiar_sentences(model.info), Lines());  // nothing of its vocabulary
  model.info.examples = {"b c d", "a b"};
  EXPECT_EQ(model_json("small", model)["examples"], (Lines{"b c d", "a b"}));
  EXPECT_EQ(model_json("small", model)["example"], "b c d");
  std::string endless;
  for (Index i = 0; i <= kMaxTracedTokens; ++i) endless += "a ";
  model.info.examples = {endless, "a b"};
  EXPECT_EQ(example_sentences(model.info), Lines{"a b"});
  model.info.examples = {endless};
  EXPECT_EQ(example_sentences(model.info), words);
}

}  // namespace
}  // namespace regard
