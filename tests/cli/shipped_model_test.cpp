// The model that comes with the program is used if --model is not given.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

#include "regard/config/toml.h"
#include "regard/train/recipe.h"
#include "tests/cli/support/small_model.h"

namespace regard {
namespace {

using testing::Folder;
using testing::Outcome;
using testing::run_regard;
using testing::write_small_model;

/// The program as it lies in a clone or once installed: in a folder of its own, the model beside
/// that.
class Installed {
 public:
  explicit Installed(const std::string& models) {
    std::filesystem::create_directories(folder_.path("bin"));
    std::filesystem::copy_file(REGARD_PROGRAM, folder_.path("bin/regard"));
    if (models.empty()) return;
    std::filesystem::create_directories(folder_.path(models));
    model_ = write_small_model(folder_, {}, models + "/en-fr");
  }

  Outcome operator()(std::vector<std::string> arguments) const {
    return run_regard(arguments,
                      {.input = "the black cat sleeps .\n", .program = folder_.path("bin/regard")});
  }
  const std::string& model() const { return model_; }

 private:
  Folder folder_;
  std::string model_;
};

TEST(ShippedModel, IsUsedAndNamedIfNoneIsGiven) {
  for (const char* place : {"models", "share/regard/models"}) {
    const Installed regard(place);
    const Outcome named = regard({"translate", "--model", regard.model()});
    ASSERT_EQ(named.code, 0) << named.err;
    EXPECT_EQ(named.err.find("using"), std::string::npos) << named.err;
    const Outcome shipped = regard({"translate"});
    EXPECT_EQ(shipped.code, 0) << shipped.err;
    EXPECT_EQ(shipped.out, named.out);
    EXPECT_NE(shipped.err.find("using " + regard.model()), std::string::npos) << shipped.err;
    EXPECT_EQ(regard({"translate", "-q"}).err, "");
    EXPECT_EQ(regard({"info", "-q"}).code, 0);
    EXPECT_EQ(regard({"inspect", "-q", "the cat"}).code, 0);
  }
}

TEST(ShippedModel, IsNoOutput) {
  const Installed regard("models");
  const Outcome outcome = regard({"translate", "-o", regard.model() + "/config.json"});
  EXPECT_EQ(outcome.code, 2) << outcome.err;
}

TEST(ShippedModel, IsNotNeeded) {
  const Installed regard("");
  for (const char* command : {"translate", "info"}) {
    const Outcome outcome = regard({command});
    EXPECT_EQ(outcome.code, 2);
    EXPECT_NE(outcome.err.find("--model DIR is missing"), std::string::npos) << outcome.err;
  }
}

TEST(ShippedModel, OfAnotherOwnerIsNotUsedAndSaysSo) {
  const Installed regard("models");
  const Outcome own = regard({"info", "-q"});
  ASSERT_EQ(own.code, 0) << own.err;
  if (chown((regard.model() + "/config.json").c_str(), 4321, -1) != 0)
    GTEST_SKIP() << "only root can give a file away";
  for (const char* command : {"translate", "info", "serve"}) {
    const Outcome outcome = regard({command});
    EXPECT_EQ(outcome.code, 2) << command;
    EXPECT_NE(outcome.err.find("found the model that comes with regard, but it is not used: it "
                               "belongs to user 4321"),
              std::string::npos)
        << outcome.err;
    EXPECT_NE(outcome.err.find("--model " + regard.model()), std::string::npos) << outcome.err;
  }
  EXPECT_EQ(regard({"info", "-q", "--model", regard.model()}).code, 0);
}

const std::string kShipped = REGARD_SOURCE_DIR "/models/en-fr/";

TEST(ShippedModel, TranslatesEverydaySentences) {
  const Outcome outcome = run_regard(
      {"translate", "--split"},
      {.input = "I'm home. The cat sat on the mat because it was tired.\nWhere is the station?\n"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.err.find("warning"), std::string::npos) << outcome.err;
  EXPECT_EQ(outcome.out,
            "Je suis chez moi. Le chat s'assit sur le tapis parce qu'il était fatigué.\n"
            "Où est la gare ?\n");
}

TEST(ShippedModel, TranslatesALineOfTwoSentencesAsOne) {
  const Outcome outcome = run_regard(
      {"translate"}, {.input = "I'm home. The cat sat on the mat because it was tired.\n"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.err.find("warning"), std::string::npos) << outcome.err;
  EXPECT_EQ(outcome.out,
            "Je suis à la maison. Le chat est assis sur le tapis parce qu'il était fatigué.\n");
}

TEST(ShippedModel, HasTheLogOfItsRecipe) {
  Recipe recipe;
  std::vector<Section> sections;
  recipe.each_section([&](const char* name, auto& group) {
    sections.push_back({name, fields_of(group)});
  });
  Origins origins;
  read_toml(kShipped + "recipe.toml", sections, origins);
  Index last = 0;
  std::ifstream log(kShipped + "metrics.jsonl");
  for (std::string line; std::getline(log, line);)
    last = std::max(last, nlohmann::json::parse(line).value("epoch", Index{0}));
  EXPECT_EQ(last, recipe.train.epochs);
}

TEST(ShippedModel, IsSmallAndSaysHowGoodItIs) {
  std::uintmax_t bytes = 0;
  for (const auto& file : std::filesystem::directory_iterator(kShipped)) bytes += file.file_size();
  EXPECT_LE(bytes, 9'000'000U);
  const auto receipt = nlohmann::json::parse(std::ifstream(kShipped + "receipt.json"));
  EXPECT_EQ(receipt["bytes"]["after"], std::filesystem::file_size(kShipped + "model.safetensors"));
  EXPECT_GE(receipt["text"]["bleu"]["after"], 46.5);
  EXPECT_EQ(receipt["text"]["source"].get<std::string>().find('/'), std::string::npos);
  for (const char* name : {"README.md", "recipe.toml", "metrics.jsonl", "state.json"})
    EXPECT_TRUE(std::filesystem::exists(kShipped + name)) << name;
}

TEST(ShippedModel, IsNotTrainedOver) {
  const Folder folder;
  std::filesystem::copy(kShipped, folder.path("copy"));
  const Outcome outcome = run_regard(
      {"train", "--train", "builtin:en-fr", "--model", folder.path("copy"), "--steps", "1"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_NE(outcome.err.find("no checkpoints to resume from"), std::string::npos) << outcome.err;
}

TEST(ShippedModel, LeavesNoReceiptBesideNewWeights) {
  const Folder folder;
  std::filesystem::copy(kShipped, folder.path("copy"));
  const Outcome outcome =
      run_regard({"train", "-q", "--train", "builtin:en-fr", "--model", folder.path("copy"),
                  "--fresh", "--preset", "tiny", "--steps", "1", "--batch-tokens", "64", "--set",
                  "data.builtin_pairs=200", "--set", "train.validate_sentences=1"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_TRUE(std::filesystem::exists(folder.path("copy/model.safetensors")));
  EXPECT_FALSE(std::filesystem::exists(folder.path("copy/receipt.json")));
}

}  // namespace
}  // namespace regard
