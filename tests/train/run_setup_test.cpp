#include "regard/train/run_setup.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <tuple>

#include "regard/base/check.h"
#include "regard/config/toml.h"
#include "tests/train/micro_run.h"

namespace regard::testing {
namespace {

Recipe small_recipe(const Scratch& scratch) {
  std::string english, french;
  for (int i = 0; i < 30; ++i) {
    english += "a cat " + std::to_string(i) + "\n";
    french += "un chat " + std::to_string(i) + "\n";
  }
  put(scratch / "text.en", english);
  put(scratch / "text.fr", french);
  Recipe recipe;
  recipe.data.train_source = scratch / "text.en";
  recipe.data.train_target = scratch / "text.fr";
  recipe.data.from = "en";
  recipe.data.to = "fr";
  recipe.vocab.type = "words";
  recipe.vocab.min_frequency = 1;
  recipe.model = {.width = 8, .hidden = 8, .heads = 1, .encoder_layers = 1, .decoder_layers = 1};
  recipe.train.steps = 2;
  return recipe;
}

// covers CO10: else the run would be noted down as made from text that it never saw
TEST(RunSetup, TextThatChangesWhileItIsReadIsRefused) {
  const Scratch scratch;
  const Recipe recipe = small_recipe(scratch);
  bool written = false;
  RunRequest request{.folder = scratch / "run"};
  request.before_writing = [&] { written = true; };
  request.say = [&](const std::string&) {
    std::ofstream(recipe.data.train_source, std::ios::app) << "one more\n";
    std::ofstream(recipe.data.train_target, std::ios::app) << "encore un\n";
  };
  try {
    prepare_run(recipe, request);
    ADD_FAILURE() << "accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.fault, Fault::input);
    EXPECT_NE(std::string(error.what()).find("changed while it was read"), std::string::npos);
  }
  EXPECT_FALSE(written);
}

TEST(RunSetup, AModelFarOverMemoryIsRefusedBeforeAnythingIsMade) {  // covers MJ1
  const Scratch scratch;
  Recipe recipe = small_recipe(scratch);
  recipe.model.width = 1 << 16;
  recipe.model.hidden = 1 << 18;
  recipe.model.encoder_layers = recipe.model.decoder_layers = 256;
  bool read = false;
  RunRequest request{.folder = scratch / "run"};
  request.say = [&](const std::string&) { read = true; };
  try {
    prepare_run(recipe, request);
    ADD_FAILURE() << "accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.fault, Fault::device);
    const std::string said = error.what();
    EXPECT_NE(said.find("training this model"), said.npos) << said;
    EXPECT_NE(said.find("MiB are left; lower model.d_model"), said.npos) << said;
  }
  EXPECT_FALSE(read) << "said before the text is read";
  EXPECT_FALSE(std::filesystem::exists(scratch / "run"));
}

TEST(RunSetup, TheKindOfAnOldRecipeDecidesTheVocabulary) {
  const Scratch scratch;
  for (const auto& [kind, type, words] : {std::tuple("words", "bpe", true),
                                          {"words", "unigram", true},
                                          {"subwords", "bpe", false},
                                          {"subwords", "words", false},
                                          {"", "words", true}}) {
    Recipe recipe = small_recipe(scratch);
    Origins origins;
    read_toml_text(fmt::format("[vocab]\n{}type = \"{}\"\nsize = 280\njoint = true\n",
                               *kind ? fmt::format("kind = \"{}\"\n", kind) : "", type),
                   "old.toml", {{"vocab", fields_of(recipe.vocab)}}, origins);
    const std::string folder = scratch / (std::string("run-") + kind + type);
    prepare_run(recipe, {.folder = folder});
    std::string first;
    std::getline(std::ifstream(folder + "/joint.tokens"), first);
    EXPECT_EQ(first.starts_with("regard words"), words) << kind << " " << type;
  }
}

TEST(RunSetup, NotesWhichTextItIs) {
  const Scratch scratch;
  const Recipe recipe = small_recipe(scratch);
  const RunRequest request{.folder = scratch / "run"};
  const std::string first = prepare_run(recipe, request)->setup.note;
  EXPECT_EQ(prepare_run(recipe, request)->setup.note, first);
  std::ofstream(recipe.data.train_source, std::ios::app) << "one more\n";
  std::ofstream(recipe.data.train_target, std::ios::app) << "encore un\n";
  EXPECT_NE(prepare_run(recipe, request)->setup.note, first);
}

// Pairs drawn in another way would let a resumed run train on what it validates with.
TEST(RunSetup, HoldsOutTheSamePairsAsEarlierVersions) {
  const Scratch scratch;
  const std::optional<PreparedRun> run =
      prepare_run(small_recipe(scratch), {.folder = scratch / "run"});
  std::string held_out;
  for (const Pair& pair : tokens_of(*run).valid().text) held_out += pair.source + ", ";
  EXPECT_EQ(held_out, "a cat 2, a cat 11, a cat 29, ");
}

}  // namespace
}  // namespace regard::testing
