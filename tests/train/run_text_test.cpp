// The text of a run, above all of one that learns from text alone.
#include "regard/train/run_text.h"

#include "regard/batch/builtin/corpus.h"
#include "regard/model/architecture.h"
#include "regard/tokens/normalise.h"
#include "regard/tokens/subwords.h"
#include "regard/tokens/words.h"
#include "regard/train/run_data.h"
#include "regard/train/run_setup.h"
#include "tests/model/architectures.h"
#include "tests/support/law.h"
#include "tests/support/warnings.h"
#include "tests/train/micro_run.h"

namespace regard {
namespace {

using testing::Draw;
using testing::error_of;
using testing::Scratch;

std::string lines_of(Split split, Index count) {
  std::string text;
  for (const Pair& line : builtin_en({.split = split, .pairs = count})) text += line.target + "\n";
  return text;
}

/// Of the tiniest model that reads no source, with text of `lines` lines.
Recipe writer_recipe(const Scratch& scratch, Index lines = 60) {
  testing::put(scratch / "text.en", lines_of(Split::train, lines));
  Recipe recipe;
  recipe.data.train_source = scratch / "text.en";
  recipe.vocab.type = "words";
  recipe.vocab.min_frequency = 1;
  recipe.model = {.architecture = "language",
                  .width = 8,
                  .hidden = 8,
                  .heads = 1,
                  .decoder_layers = 1,
                  .dropout = 0.1};
  recipe.train = testing::busy_spec();
  return recipe;
}

/// Trains in the folder, or goes on there; stops after `most` updates of this call.
TrainEnd go(const Recipe& recipe, const std::string& folder, Index most = 1 << 30) {
  std::optional<PreparedRun> run = prepare_run(recipe, {.folder = folder});
  struct Counter final : TrainObserver {
    Index updates = 0;
    void stepped(const StepReport&) override { ++updates; }
  } counter;
  Trainer trainer(std::move(run->setup), *run->model, *run->task, counter);
  return trainer.run([&] { return counter.updates >= most; });
}

TEST(RunText, StoppedAnywhereAWriterEndsWithTheSameBits) {
  const Scratch scratch;
  testing::put(scratch / "valid.en", lines_of(Split::valid, 8));
  for (const bool own_valid : {false, true}) {
    Recipe recipe = writer_recipe(scratch);
    recipe.data.max_tokens = 6;  // so that lines are cut
    if (own_valid) recipe.data.valid_source = scratch / "valid.en";
    const Scratch straight;
    ASSERT_EQ(go(recipe, straight.path()), TrainEnd::finished);
    for (const Index k : {1, 5, 8}) {
      const Scratch folder;
      EXPECT_EQ(go(recipe, folder.path(), k), TrainEnd::stopped);
      EXPECT_EQ(go(recipe, folder.path()), TrainEnd::finished);
      EXPECT_EQ(testing::difference(straight.path(), folder.path()), "") << k;
    }
  }
}

/// Every line of text, of any bytes.
std::string some_line(Draw& draw) {
  const std::vector<std::string> parts{"the",    "cat",    " ", ".",    "doesn't",
                                       "\u00e9", "\u6f22", "j", "\xFF", "e\u0301"};
  std::string line = "a";
  for (Index n = draw.integer(0, 20); n > 0; --n)
    line += parts[static_cast<std::size_t>(draw.integer(0, 9))];
  return line;
}

std::string without(std::string text, char gone) {
  std::erase(text, gone);
  return text;
}

/// No token is lost, changed or added where a line is cut, though it be inside a character.
TEST(RunText, ACutLineIsItsOwnTokens) {
  const std::vector<std::string> known{"the cat sleeps . the dog doesn't !", "a b c d e f g h i j"};
  ModelInfo subwords, words;
  subwords.source = subwords.target = train_subwords(known, {.size = 300});
  words.source = words.target = word_vocabulary(known, {.min_frequency = 1});
  subwords.spec.architecture = words.spec.architecture = "language";
  testing::law("tokens of cut lines", 100, [&](Draw& draw) {
    const ModelInfo& info = draw.coin() ? subwords : words;
    const std::string line = some_line(draw);
    DataSpec data;
    data.max_tokens = draw.integer(2, 9);
    const std::vector<Pair> pairs{{.source = "", .target = line}};
    const RunTokens tokens =
        encode_run_text({.train = pairs, .valid = pairs, .note = ""}, data, info);
    EXPECT_EQ(tokens.left_out, 0);
    ASSERT_EQ(tokens.valid.ids.size(), tokens.train.size());
    ASSERT_EQ(tokens.valid.text.size(), tokens.train.size());
    std::vector<std::int32_t> all;
    std::string text;
    for (std::size_t i = 0; i < tokens.train.size(); ++i) {
      const IdPair& ids = tokens.train[i];
      EXPECT_EQ(ids.source, std::vector<std::int32_t>{kEos});
      EXPECT_EQ(tokens.valid.ids[i].target, ids.target);
      EXPECT_FALSE(ids.target.empty());
      EXPECT_LT(static_cast<Index>(ids.target.size()), data.max_tokens);
      all.insert(all.end(), ids.target.begin(), ids.target.end());
      const Pair& read = tokens.valid.text[i];
      EXPECT_EQ(read.source, "");
      EXPECT_EQ(read.target, normalise(read.target));
      text += read.target;
    }
    EXPECT_EQ(all, info.target->encode(line));
    const std::string normal = without(normalise(line), ' ');
    if (text.find("\uFFFD") == std::string::npos) {
      EXPECT_EQ(without(text, ' '), normal);
    }
  });
}

TEST(RunText, TextOfTheWrongKindIsRefusedBeforeItIsRead) {
  struct Case {
    void (*change)(DataSpec& data);
    const char* part;
  };
  const Case cases[]{
      {[](DataSpec& data) { data.max_tokens = 1; }, "data.max_tokens is 1"},
      {[](DataSpec& data) { data.train_source = "/none/a.tsv"; }, "learns from a text alone"},
      {[](DataSpec& data) { data.train_source = "/none/a.tmx.gz"; }, "/none/a.tmx.gz is named"},
      {[](DataSpec& data) { data.valid_source = "/none/a.po"; }, "/none/a.po is named"},
      {[](DataSpec& data) { data.train_target = "a.fr"; }, "leave a.fr out"},
      {[](DataSpec& data) { data.from = "en"; }, "leave data.from 'en' out"},
      {[](DataSpec& data) { data.train_source = kBuiltinEnFr; }, "take builtin:en"},
      {[](DataSpec& data) { data.valid_source = kBuiltinEnFr; }, "take builtin:en"},
  };
  for (const Case& each : cases) {
    const Scratch scratch;
    Recipe recipe = writer_recipe(scratch);
    each.change(recipe.data);
    const Error error = error_of([&] { prepare_run(recipe, {.folder = scratch / "run"}); });
    EXPECT_EQ(error.fault, Fault::usage) << error.what();
    EXPECT_NE(std::string(error.what()).find(each.part), std::string::npos) << error.what();
    EXPECT_FALSE(std::filesystem::exists(scratch / "run"));
  }
}

TEST(RunText, OneTokenOfALineIsEnough) {
  const Scratch scratch;
  Recipe recipe = writer_recipe(scratch);
  recipe.data.max_tokens = 2;
  const std::optional<PreparedRun> run = prepare_run(recipe, {.folder = scratch / "run"});
  for (const IdPair& ids : testing::tokens_of(*run).train()) ASSERT_EQ(ids.target.size(), 1u);
}

/// Whether a learned table is too short is a question of those that have one.
TEST(RunText, FitsTheTableOfPositions) {
  for (const Architecture* architecture : testing::generating_architectures())
    for (const Index most : {19, 20}) {
      Recipe recipe;
      recipe.model = {
          .architecture = std::string(architecture->name), .position = "learned", .max_length = 20};
      recipe.data.train_source = "text";
      recipe.data.max_tokens = most;
      const auto check_recipe = [&] { data_kind_of(recipe.model).check(recipe, false); };
      if (most == 19 || !architecture->uses("position")) {
        EXPECT_NO_THROW(check_recipe()) << architecture->name;
        continue;
      }
      const Error error = error_of(check_recipe);
      EXPECT_EQ(error.fault, Fault::usage);
      EXPECT_NE(std::string(error.what()).find("do not fit 20 learned positions"),
                std::string::npos)
          << error.what();
    }
}

TEST(RunText, OfAWriterIsCountedInLines) {
  const auto said_of = [](const Recipe& recipe, const std::string& folder) {
    std::string all;
    prepare_run(recipe,
                {.folder = folder, .say = [&](const std::string& line) { all += line + "\n"; }});
    return all;
  };
  const Scratch scratch;
  Recipe recipe = writer_recipe(scratch, 5);
  testing::Warnings warnings;
  const std::string few = said_of(recipe, scratch / "few");
  EXPECT_NE(few.find("train: read 5 lines, kept 5"), std::string::npos) << few;
  EXPECT_NE(warnings.text().find("only 5 training lines"), std::string::npos) << warnings.text();
  recipe.data.train_source = kBuiltinEn;
  recipe.data.builtin_pairs = 30;
  const std::string builtin = said_of(recipe, scratch / "builtin");
  EXPECT_NE(builtin.find("train: read 30 lines, kept 30"), std::string::npos) << builtin;
  EXPECT_NE(builtin.find("valid: read 1000 lines, kept"), std::string::npos) << builtin;
  for (const std::string& said : {few, builtin, warnings.text()})
    EXPECT_EQ(said.find("pair"), std::string::npos) << said;
}

}  // namespace
}  // namespace regard
