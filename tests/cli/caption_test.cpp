// What a model of pictures says of them and shows, and what it refuses.
#include "regard/image/scenes/caption.h"

#include <gtest/gtest.h>

#include "regard/image/png_reader.h"
#include "regard/image/png_writer.h"
#include "regard/image/scenes/corpus.h"
#include "regard/image/scenes/paint.h"
#include "tests/cli/micro_training.h"
#include "tests/cli/support/small_model.h"

namespace regard {
namespace {

using testing::Folder;
using testing::lines_of;
using testing::Outcome;
using testing::run_regard;
using testing::says;

/// A small model that nobody trained, and the first scenes of the test split.
class Caption : public ::testing::Test {
 protected:
  Folder folder;
  std::string model = testing::write_small_model(folder, {.architecture = "caption"});

  std::string scene(Index i) const {
    const Image image = scenes::painted(scenes::scene({.split = Split::test}, i));
    return folder.write("scene" + std::to_string(i) + ".png",
                        png_bytes(image.width, image.height, image.pixels));
  }
  Outcome caption(std::vector<std::string> more) const {
    // Nobody trained it, so it would rather say nothing.
    more.insert(more.begin(), {"caption", "--model", model});
    return run_regard(more, {.environment = {{"REGARD_DECODE_MIN_LENGTH", "3"}}});
  }
  std::string line(const std::vector<std::string>& more) const {
    const Outcome outcome = caption(more);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return outcome.out;
  }
};

TEST_F(Caption, SaysALineForEachPictureAloneAsAmongOthers) {
  const std::vector<std::string> pictures{scene(0), scene(1), scene(2)};
  const std::vector<std::string> lines = lines_of(line(pictures));
  ASSERT_EQ(lines.size(), 3u);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(lines[i] + "\n", line({pictures[i]}));
  EXPECT_EQ(line(pictures), line({pictures[0], pictures[1], pictures[2], "-j", "3"}));
}

TEST_F(Caption, NumbersPicturesFromNoughtWhereEachHasSeveral) {
  const std::vector<std::string> lines = lines_of(line({scene(0), scene(1), "--n-best", "2"}));
  ASSERT_EQ(lines.size(), 4u);
  for (std::size_t i = 0; i < 4; ++i)
    EXPECT_TRUE(lines[i].starts_with(i < 2 ? "0 ||| " : "1 ||| ")) << lines[i];
}

TEST_F(Caption, TellsWhereItLooked) {
  const auto json = nlohmann::json::parse(line({scene(0), "--json"}));
  EXPECT_EQ(json["caption"].get<std::string>() + "\n", line({scene(0)}));
  EXPECT_EQ(json["patches_across"], 8);
  ASSERT_FALSE(json["words"].empty());
  for (const auto& word : json["words"]) {
    ASSERT_EQ(word["weights"].size(), 64u);
    double sum = 0;
    for (const double weight : word["weights"]) sum += weight;
    EXPECT_NEAR(sum, 1, 1e-5);
    EXPECT_GT(word["probability"], 0);
  }
}

TEST_F(Caption, DrawsWhereItLooked) {
  const std::string picture = scene(0);
  line({picture, "--svg", folder.path("look.svg"), "--png", folder.path("look.png"), "--pdf",
        folder.path("look.pdf"), "--csv", folder.path("look.csv")});
  const std::string drawn = folder.read("look.svg");
  const auto words = nlohmann::json::parse(line({picture, "--json"}))["words"].size();
  std::size_t pictures = 0;
  for (std::size_t at = 0; (at = drawn.find("<image ", at)) != drawn.npos; ++at) ++pictures;
  EXPECT_EQ(pictures, words + 1);
  EXPECT_NO_THROW(read_png(folder.path("look.png")));
  EXPECT_EQ(lines_of(folder.read("look.csv")).size(), words * 64 + 1);
  EXPECT_EQ(caption({picture, "--svg", folder.path("look.svg")}).code, 2);  // is there already
}

TEST_F(Caption, IsInspectedHeadByHead) {
  const std::string picture = scene(0);
  const auto inspect = [&](std::vector<std::string> more) {
    more.insert(more.begin(), {"inspect", "--model", model, picture, "--reference", "A B C ."});
    return run_regard(more);
  };
  const auto trace = inspect({"--json"}).json();
  EXPECT_EQ(trace["caption"], "A B C .");
  ASSERT_EQ(trace["words"].size(), 4u);
  // One layer of the encoder, two of the decoder with two kinds each, two heads a layer.
  ASSERT_EQ(trace["heads"].size(), 10u);
  for (const auto& each : trace["heads"]) {
    const std::string kind = each["kind"];
    ASSERT_EQ(each["weights"].size(), kind == "encoder" ? 64u : 4u) << kind;
    for (const auto& row : each["weights"]) {
      EXPECT_EQ(row.size(), kind == "decoder" ? 4u : 64u) << kind;
      double sum = 0;
      for (const double weight : row) sum += weight;
      EXPECT_NEAR(sum, 1, 1e-5) << kind;
    }
  }
  const Outcome head = inspect({"--head", "2.1", "--csv", "-"});
  ASSERT_EQ(head.code, 0) << head.err;
  EXPECT_EQ(lines_of(head.out).size(), trace["words"].size() * 64 + 1);
  EXPECT_TRUE(says(inspect({}).out, trace["caption"].get<std::string>()));
  EXPECT_EQ(run_regard({"inspect", "--model", model, picture, "--json"}).code, 0);
  EXPECT_EQ(inspect({"--head", "9.1"}).code, 2);
  const Outcome encoder = inspect({"--kind", "encoder", "--head", "1.2", "--csv", "-"});
  EXPECT_EQ(lines_of(encoder.out).size(), 64u * 64 + 1) << encoder.err;
  EXPECT_TRUE(says(encoder.out, "8,8"));
  const Outcome decoder = inspect({"--kind", "decoder", "--layer", "2"});
  EXPECT_TRUE(says(decoder.out, "A B C ."));
  EXPECT_TRUE(says(decoder.out, "decoder input"));
  EXPECT_EQ(inspect({"--html", folder.path("x.html")}).code, 2);
}

TEST_F(Caption, SaysInItsInfoWhatPicturesItSees) {
  const Outcome told = run_regard({"info", model});
  EXPECT_TRUE(testing::matches(told.out, "pictures +64 x 64 in patches of 8\n")) << told.err;
}

TEST_F(Caption, IsInspectedQuietlyAndUnknownWordsOfItsReferenceAreTold) {
  const Outcome quiet =
      run_regard({"inspect", "-q", "--model", model, scene(0), "--reference", "A B ."});
  EXPECT_EQ(quiet.out, "A B .\n");
  EXPECT_EQ(quiet.err, "");
  const Outcome unknown =
      run_regard({"inspect", "--model", model, scene(0), "--reference", "A zebra ."});
  EXPECT_EQ(unknown.code, 0);
  EXPECT_TRUE(says(unknown.err, "zebra"));
}

TEST_F(Caption, CountsExactCaptionsOfAList) {
  const Outcome found = caption({scene(0)});
  const std::string said = found.out.substr(0, found.out.size() - 1);
  scene(1);
  folder.write("list.tsv", "scene0.png\t" + said + "\nscene1.png\tnothing of that\n");
  const auto json = nlohmann::json::parse(line({"--test", folder.path("list.tsv"), "--json"}));
  ASSERT_EQ(json["scores"].size(), 1u);
  EXPECT_EQ(json["scores"][0]["pictures"], 2);
  EXPECT_EQ(json["scores"][0]["exact"], 1);
  const std::string table = line({"--test", folder.path("list.tsv")});
  EXPECT_TRUE(says(table, "50.0 %"));
  EXPECT_TRUE(says(table, "in box: not measured; " + folder.path("list.boxes.jsonl")));
}

/// What the corpus writes, read back, is the corpus.
TEST_F(Caption, TestsWrittenScenesAsThoseOfTheCorpus) {
  ASSERT_EQ(
      run_regard({"corpus", "builtin:scenes", "--split", "test", "--out", folder.path("d")}).code,
      0);
  const std::vector<std::string> quick{"--beam", "1", "--max-length", "3"};
  const auto tested = [&](const std::string& what, std::vector<std::string> more) {
    more.insert(more.begin(), {"--test", what});
    more.insert(more.end(), quick.begin(), quick.end());
    return line(more);
  };
  const std::string list = folder.path("d/test.fr.tsv");  // the language of the model
  EXPECT_EQ(tested(list, {}), tested("builtin:scenes", {}));
  EXPECT_EQ(tested(list, {"--json"}), tested("builtin:scenes", {"--json"}));
  const std::vector<std::string> boxes = lines_of(folder.read("d/test.boxes.jsonl"));
  folder.write("d/test.boxes.jsonl", boxes[0] + "\n" + boxes[1] + "\n");
  EXPECT_TRUE(says(tested(list, {}), "boxes are known of 2 of the 1000 pictures"));
  folder.write("d/test.boxes.jsonl", boxes[0] + "\n{}\n");
  const Outcome refused = caption({"--test", list});
  EXPECT_EQ(refused.code, 3);
  EXPECT_TRUE(says(refused.err, "test.boxes.jsonl:2: "));
}

TEST_F(Caption, LooksForNoBoxesBesideAStream) {
  const std::string list = scene(0) + "\tA.\n";
  const Outcome outcome = run_regard({"caption", "--model", model, "--test", "-"}, {.input = list});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_TRUE(says(outcome.out, "BLEU"));
  EXPECT_FALSE(says(outcome.out, "boxes"));
}

TEST_F(Caption, NamesTheLineOfACaptionThatIsTooLong) {
  const std::string small = testing::write_small_model(
      folder, {.architecture = "caption", .position = "learned", .max_length = 6}, "small");
  scene(0);
  folder.write("list.tsv", "scene0.png\tA B C .\nscene0.png\tA B C D E F .\n");
  const Outcome tested =
      run_regard({"caption", "--model", small, "--test", folder.path("list.tsv")});
  EXPECT_EQ(tested.code, 3);
  EXPECT_TRUE(says(tested.err, "list.tsv:2: 7 tokens, but the model has only 6 positions"));
  const Outcome inspected =
      run_regard({"inspect", "--model", small, scene(0), "--reference", "A B C D E F ."});
  EXPECT_EQ(inspected.code, 2);
  EXPECT_TRUE(says(inspected.err, "--reference: 7 tokens, but the model has only 6 positions"));
}

TEST_F(Caption, TestsSeenAndUnseenPairsApart) {
  const std::string table = line({"--test", "builtin:scenes", "--beam", "1", "--max-length", "3"});
  for (const char* part : {"seen pairs", "unseen pairs", "all", "chance"})
    EXPECT_TRUE(says(table, part));
}

TEST_F(Caption, RefusesBadPicturesByName) {
  std::string damaged = folder.read("m/../" + std::filesystem::path(scene(0)).filename().string());
  damaged[damaged.size() / 2] ^= 1;
  folder.write("damaged.png", damaged);
  folder.write("text.png", "no picture\n");
  for (const std::string name : {"damaged.png", "text.png", "missing.png"}) {
    const Outcome refused = caption({scene(1), folder.path(name)});
    EXPECT_EQ(refused.code, 3) << name;
    EXPECT_TRUE(says(refused.err, name));
    EXPECT_EQ(refused.out, "");
  }
}

TEST_F(Caption, RefusesWhatDoesNotGoTogether) {
  for (const std::vector<std::string>& wrong : std::vector<std::vector<std::string>>{
           {},
           {scene(0), "--test", "builtin:scenes"},
           {"--test", "builtin:scenes", "--svg", folder.path("x.svg")},
           {scene(0), scene(1), "--svg", folder.path("x.svg")},
           {"--test", "builtin:scenes", "--scores"}})
    EXPECT_EQ(caption(wrong).code, 2);
  EXPECT_EQ(folder.read("x.svg"), "");
}

TEST_F(Caption, IsNotForOtherModelsNorTheyForIt) {
  const std::string translator = testing::write_small_model(folder, {}, "t");
  const Outcome refused = run_regard({"caption", "--model", translator, scene(0)});
  EXPECT_EQ(refused.code, 2);
  EXPECT_TRUE(says(refused.err, "regard translate"));
  for (const std::vector<std::string>& other :
       std::vector<std::vector<std::string>>{{"translate", "--model", model},
                                             {"generate", "--model", model, "--prompt", "a"},
                                             {"score", "--model", model}}) {
    const Outcome outcome = run_regard(other, {.input = "a\tb\n"});
    EXPECT_EQ(outcome.code, 2) << other.front();
    EXPECT_TRUE(says(outcome.err, "regard caption")) << other.front();
  }
}

TEST(CaptionTraining, MakesAModelThatCaptions) {
  const testing::MicroTraining training(std::filesystem::temp_directory_path(), "caption");
  const Outcome trained = training.train("m");
  ASSERT_EQ(trained.code, 0) << trained.err;
  EXPECT_TRUE(says(trained.err, "serve --model " + training.run("m") + " --open\n"));
  EXPECT_TRUE(says(trained.err, "caption --model"));
  const Outcome said =
      run_regard({"caption", "--model", training.run("m"), training.folder.path("3.png")});
  EXPECT_EQ(said.code, 0) << said.err;
  EXPECT_EQ(lines_of(said.out).size(), 1u);
}

TEST(CaptionTraining, OnAListOfItsOwnTakesTheLanguageOfScenesToValidateWith) {
  const testing::MicroTraining training(std::filesystem::temp_directory_path(), "caption");
  std::filesystem::rename(training.folder.path("pictures.fr.tsv"), training.folder.path("own.tsv"));
  const auto dumped = [&](const std::vector<std::string>& more) {
    std::vector<std::string> arguments{
        "train",   "--arch",         "caption",      "--train", training.folder.path("own.tsv"),
        "--valid", "builtin:scenes", "--dump-config"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const Outcome outcome = run_regard(arguments);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return outcome.out;
  };
  EXPECT_TRUE(testing::matches(dumped({}), "to = \"en\""));
  EXPECT_TRUE(testing::matches(dumped({"--to", "fr"}), "to = \"fr\""));
}

TEST(CaptionTraining, RefusesAListByItsLine) {
  const testing::MicroTraining training(std::filesystem::temp_directory_path(), "caption");
  const auto refusal = [&](const std::string& list) {
    training.folder.write("pictures.fr.tsv", list);
    const Outcome refused = training.train("m");
    EXPECT_EQ(refused.code, 3) << refused.err;
    EXPECT_FALSE(std::filesystem::exists(training.run("m") + "/model.safetensors"));
    return refused.err;
  };
  EXPECT_TRUE(says(refusal("0.png\tun\nmissing.png\tdeux\n"), "tsv:2: "));
  EXPECT_TRUE(says(refusal("0.png\tun\n1.png deux\n"), "tsv:2: no tab"));
  training.folder.write("9.png", "no picture");
  EXPECT_TRUE(says(refusal("9.png\tneuf\n"), "tsv:1: "));
}

}  // namespace
}  // namespace regard
