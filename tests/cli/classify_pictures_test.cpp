// A model that labels pictures, in the program: what it says and shows, how it is tested, and what
// it is refused for.
#include <gtest/gtest.h>

#include "regard/image/png_reader.h"
#include "regard/image/png_writer.h"
#include "regard/image/scenes/paint.h"
#include "regard/image/scenes/shapes.h"
#include "tests/cli/micro_training.h"
#include "tests/cli/support/small_model.h"
#include "tests/cli/support/writer.h"

namespace regard {
namespace {

using Json = nlohmann::json;
using testing::Folder;
using testing::lines_of;
using testing::Outcome;
using testing::run_regard;
using testing::says;

/// A small model that nobody trained, and the first pictures of the test split.
class ClassifyPictures : public ::testing::Test {
 protected:
  Folder folder;
  std::string model = testing::write_small_model(folder, {.architecture = "vit"});

  std::string picture(Index i) const {
    const Image image = scenes::painted(scenes::shape_scene({.split = Split::test}, i));
    return folder.write("p" + std::to_string(i) + ".png",
                        png_bytes(image.width, image.height, image.pixels));
  }
  Outcome classify(std::vector<std::string> more) const {
    more.insert(more.begin(), {"classify", "--model", model});
    return run_regard(more);
  }
  std::string printed(const std::vector<std::string>& more) const {
    const Outcome outcome = classify(more);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return outcome.out;
  }
};

TEST_F(ClassifyPictures, SaysALineForEachPictureAloneAsAmongOthers) {
  const std::vector<std::string> all{picture(0), picture(1), picture(2)};
  const std::string said = printed(all);
  const std::vector<std::string> lines = lines_of(said);
  ASSERT_EQ(lines.size(), 3u);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_TRUE(testing::matches(lines[i], "^(bad|good|so-so)\t[01]\\.[0-9]{4}$"));
    EXPECT_EQ(lines[i] + "\n", printed({all[i]}));
  }
  EXPECT_EQ(said, printed({all[0], all[1], all[2], "-j", "3"}));
  const Json json = Json::parse(printed({all[0], "--json"}));
  EXPECT_EQ(json["picture"], all[0]);
  EXPECT_EQ(json["labels"].size(), 3u);
  EXPECT_EQ(std::ranges::count(printed({all[0], "--top", "2"}), '\t'), 3);
}

TEST_F(ClassifyPictures, DrawsWhereEachHeadLooked) {
  const std::string one = picture(0);
  printed({one, "--svg", folder.path("l.svg"), "--png", folder.path("l.png"), "--csv",
           folder.path("l.csv")});
  std::size_t pictures = 0;
  const std::string drawn = folder.read("l.svg");
  for (std::size_t at = 0; (at = drawn.find("<image ", at)) != drawn.npos; ++at) ++pictures;
  EXPECT_EQ(pictures, 3u);  // the picture, and a layer of two heads
  EXPECT_NO_THROW(read_png(folder.path("l.png")));
  EXPECT_EQ(lines_of(folder.read("l.csv")).size(), 1u + 2 * 64);
  EXPECT_EQ(classify({one, "--svg", folder.path("l.svg")}).code, 2);  // is there already
}

TEST_F(ClassifyPictures, IsInspectedHeadByHead) {
  const std::string one = picture(0);
  const auto inspect = [&](std::vector<std::string> more) {
    more.insert(more.begin(), {"inspect", "--model", model, one});
    return run_regard(more);
  };
  const Json trace = inspect({"--json"}).json();
  ASSERT_EQ(trace["heads"].size(), 2u);
  for (const Json& head : trace["heads"]) {
    ASSERT_EQ(head["weights"].size(), 64u);
    double sum = head["class"].get<double>();
    for (const double weight : head["weights"]) sum += weight;
    EXPECT_NEAR(sum, 1, 1e-5);
  }
  EXPECT_EQ(trace["label"].get<std::string>(),
            printed({one}).substr(0, trace["label"].get<std::string>().size()));
  EXPECT_EQ(lines_of(inspect({"--head", "1.2", "--csv", "-"}).out).size(), 1u + 64);
  const std::string shown = inspect({}).out;
  for (const char* part : {"so-so", "where <class> looks", "1.2"}) EXPECT_TRUE(says(shown, part));
  EXPECT_EQ(inspect({"--top", "1", "--json"}).json()["labels"].size(), 1u);
  for (const std::vector<std::string>& wrong :
       std::vector<std::vector<std::string>>{{"--head", "9.1"},
                                             {"--kind", "cross"},
                                             {"--html", folder.path("x.html")},
                                             {"--beam", "2"},
                                             {"--reference", "good"},
                                             {"--npz", folder.path("x.npz")}})
    EXPECT_EQ(inspect(wrong).code, 2) << wrong.front();
}

TEST_F(ClassifyPictures, CountsHowManyAreRight) {
  const auto label = [&](Index i) {
    const std::string line = printed({picture(i)});
    return line.substr(0, line.find('\t'));
  };
  const std::string first = label(0), second = label(1);
  const std::string wrong = second == "bad" ? "good" : "bad";
  folder.write("list.tsv", "p0.png\t" + first + "\np1.png\t" + wrong + "\n");
  const std::string list = folder.path("list.tsv");
  const Json found = Json::parse(printed({"--test", list, "--json"}));
  EXPECT_EQ(found["pictures"], 2);
  EXPECT_EQ(found["right"], 1);
  EXPECT_FALSE(found.contains("unseen_pairs"));
  EXPECT_TRUE(says(printed({"--test", list}), "accuracy 50.00 %: 1 of 2 pictures"));
  printed({"--test", list, "--svg", folder.path("c.svg")});
  EXPECT_TRUE(says(folder.read("c.svg"), "so-so"));
  folder.write("bad.tsv", "p0.png\tgood\np1.png\tgod\n");
  const Outcome refused = classify({"--test", folder.path("bad.tsv")});
  EXPECT_EQ(refused.code, 3);
  EXPECT_TRUE(says(refused.err, "bad.tsv:2: the label 'god' is not among those learned"));
  EXPECT_TRUE(says(refused.err, "did you mean 'good'"));
  const std::string line = folder.path("p0.png") + "\t" + std::string(150, 'x') + "\n";
  const Outcome streamed =
      run_regard({"classify", "--model", model, "--test", "-"}, {.input = line});
  EXPECT_EQ(streamed.code, 3);
  EXPECT_TRUE(says(streamed.err, "standard input:1: the label '" + std::string(40, 'x') + "…'"));
}

TEST_F(ClassifyPictures, RefusesBadPicturesByName) {
  std::string damaged = folder.read(std::filesystem::path(picture(0)).filename().string());
  damaged[damaged.size() / 2] ^= 1;
  folder.write("damaged.png", damaged);
  folder.write("text.png", "no picture\n");
  for (const std::string name : {"damaged.png", "text.png", "missing.png"}) {
    const Outcome refused = classify({picture(1), folder.path(name)});
    EXPECT_EQ(refused.code, 3) << name;
    EXPECT_TRUE(says(refused.err, name));
    EXPECT_EQ(refused.out, "");
    folder.write("list.tsv", "p1.png\tgood\n" + name + "\tgood\n");
    const Outcome list = classify({"--test", folder.path("list.tsv")});
    EXPECT_EQ(list.code, 3) << name;
    EXPECT_TRUE(says(list.err, "list.tsv:2: "));
  }
}

TEST_F(ClassifyPictures, RefusesWhatDoesNotGoTogether) {
  const std::string words = testing::write_small_model(folder, {.architecture = "classify"}, "w");
  const std::string one = picture(0), use = "use: regard classify --model " + model;
  struct Case {
    std::vector<std::string> arguments;
    int code;
    std::string what;
  };
  for (const auto& [arguments, code, what] : std::vector<Case>{
           {{"classify", "-m", model}, 2, "needs PNG files"},
           {{"classify", "-m", model, one, "--test", "builtin:shapes"}, 2, "leave the input"},
           {{"classify", "-m", model, "-i", one}, 2, "no --input"},
           {{"classify", "-m", model, one, one, "--svg", folder.path("x.svg")}, 2, "not 2"},
           {{"classify", "-m", model, "--test", "a", "b"}, 2, "leave b out"},
           {{"classify", "-m", model, "--test", "builtin:shapes"}, 3, "the label 'circle' is not"},
           {{"classify", "-m", words, one, one}, 2, "reads no pictures"},
           {{"caption", "-m", model, one}, 2, use},
           {{"translate", "-m", model, one}, 2, use},
           {{"generate", "-m", model, "-p", "a"}, 2, use},
           {{"positions", "-m", model}, 2, use},
           {{"serve", "-m", model, "--port", "0"}, 2, "use: regard classify"},
           {{"convert", "--to", "ctranslate2", model, "--out", folder.path("r")}, 3, "vit"},
           {{"train", "--arch", "vit", "-m", folder.path("r")}, 2, "--train builtin:shapes"},
           {{"train", "--arch", "classify", "--train", "builtin:shapes", "-m", folder.path("r")},
            2,
            "holds pictures"}}) {
    const Outcome outcome = run_regard(arguments);
    EXPECT_EQ(outcome.code, code) << outcome.err;
    EXPECT_TRUE(says(outcome.err, what));
  }
  EXPECT_FALSE(std::filesystem::exists(folder.path("r")));
}

TEST_F(ClassifyPictures, AModelIsAveragedConvertedAndDescribedAsOthersAre) {
  const std::string weights = model + "/model.safetensors", one = picture(0);
  testing::printed({"average", "-m", model, weights, weights, "--out", folder.path("mean")});
  testing::printed({"convert", "--to", "int8", model, "--out", folder.path("int8")});
  EXPECT_EQ(testing::printed({"classify", "-m", folder.path("mean"), one}), printed({one}));
  EXPECT_EQ(testing::printed({"classify", "-m", folder.path("int8"), one}).substr(0, 4),
            printed({one}).substr(0, 4));
  for (const std::string name : {"m", "int8"}) {
    const Json about = Json::parse(testing::printed({"info", folder.path(name), "--json"}));
    EXPECT_EQ(about["labels"], Json(testing::kSmallLabels));
    EXPECT_EQ(about["model"]["image_patch"], 8);
    for (const char* key : {"source_vocabulary", "target_vocabulary", "from"})
      EXPECT_FALSE(about.contains(key)) << key;
    const std::string shown = testing::printed({"info", folder.path(name)});
    for (const char* word : {"alignment", "language", "vocabulary", "positions"})
      EXPECT_FALSE(says(shown, word));
  }
}

TEST(ClassifyPicturesTraining, MakesAModelThatLabels) {
  const testing::MicroTraining training(std::filesystem::temp_directory_path(), "vit");
  const Outcome trained = training.train("m");
  ASSERT_EQ(trained.code, 0) << trained.err;
  EXPECT_TRUE(says(trained.err, "classify --model"));
  EXPECT_TRUE(says(trained.err, "picture.png"));
  const Outcome said =
      run_regard({"classify", "--model", training.run("m"), training.folder.path("3.png")});
  EXPECT_EQ(said.code, 0) << said.err;
  EXPECT_TRUE(testing::matches(said.out, "^(calm|lively)\t"));
}

TEST(ClassifyPicturesTraining, LearnsAndTestsWrittenShapesAsThoseOfTheCorpus) {
  const testing::MicroTraining training(std::filesystem::temp_directory_path(), "vit");
  const std::string data = training.folder.path("d"), list = data + "/test.tsv";
  testing::printed({"corpus", "builtin:shapes", "--split", "test", "--out", data});
  const Outcome trained =
      run_regard({"train", "--arch", "vit", "--train", list, "--model", training.run("m"),
                  "--config", training.folder.path("micro.toml"), "--set", "train.steps=2"});
  ASSERT_EQ(trained.code, 0) << trained.err;
  const auto tested = [&](const std::string& what) {
    return testing::printed({"classify", "--model", training.run("m"), "--test", what});
  };
  EXPECT_TRUE(says(tested(list), "unseen pairs: "));
  EXPECT_EQ(tested(list), tested("builtin:shapes"));
}

TEST(Corpus, WritesPicturesWithTheirLabels) {
  const Folder folder;
  testing::printed({"corpus", "builtin:shapes", "--split", "test", "--pairs", "4", "--out",
                    folder.path("data")});
  const std::vector<std::string> lines = lines_of(folder.read("data/test.tsv"));
  ASSERT_EQ(lines.size(), 4u);
  EXPECT_EQ(lines[2], "test/000002.png\tsquare");
  EXPECT_NO_THROW(read_png(folder.path("data/test/000002.png")));
  const Json known = Json::parse(lines_of(folder.read("data/test.boxes.jsonl"))[3]);
  EXPECT_EQ(known["label"], "square");
  EXPECT_EQ(known["objects"][known["object"].get<std::size_t>()]["shape"], "square");
  EXPECT_EQ(known["unseen"], true);
  EXPECT_EQ(testing::printed({"corpus", "builtin:shapes", "--split", "test", "--pairs", "2"}),
            "circle\ncircle\n");
}

}  // namespace
}  // namespace regard
