// A model that labels, in the program: what it says, how it is tested, and what it is refused for.
#include <gtest/gtest.h>

#include "tests/cli/micro_training.h"
#include "tests/cli/support/writer.h"

namespace regard {
namespace {

using Json = nlohmann::json;
using testing::Folder;
using testing::lines_of;
using testing::Outcome;
using testing::printed;
using testing::run_regard;
using testing::says;

std::string write_labeller(const Folder& folder, testing::SmallModel how = {}) {
  how.architecture = "classify";
  return testing::write_small_model(folder, how, "labels");
}

TEST(Classify, GivesALineForEachLine) {
  const Folder folder;
  const std::string model = write_labeller(folder);
  const std::string text = "the black cat sleeps .\n\na b c\nthe cat\n";
  const Outcome labelled = run_regard({"classify", "-m", model}, {.input = text});
  ASSERT_EQ(labelled.code, 0) << labelled.err;
  const std::vector<std::string> lines = lines_of(labelled.out);
  ASSERT_EQ(lines.size(), 4u);
  for (const std::string& line : lines)
    EXPECT_TRUE(testing::matches(line, "^(bad|good|so-so)\t[01]\\.[0-9]{4}$"));
  folder.write("in", text);
  printed({"classify", "-m", model, folder.path("in"), "-o", folder.path("out")});
  EXPECT_EQ(folder.read("out"), labelled.out);
  const Json said = Json::parse(
      lines_of(run_regard({"classify", "-m", model, "--json"}, {.input = text}).out).back());
  EXPECT_EQ(said["text"], "the cat");
  ASSERT_EQ(said["labels"].size(), 3u);
  EXPECT_EQ(said["labels"][0]["label"], said["label"]);
  EXPECT_EQ(lines[3].substr(0, lines[3].find('\t')), said["label"]);
  double sum = 0;
  for (const Json& each : said["labels"]) sum += each["probability"].get<double>();
  EXPECT_NEAR(sum, 1, 1e-6);
  const std::string two = run_regard({"classify", "-m", model, "--top", "2"}, {.input = "a\n"}).out;
  EXPECT_EQ(std::ranges::count(two, '\t'), 3);
}

/// The same bits alone, in any company, with any number of threads.
TEST(Classify, IsTheSameInAnyBatchAndSetting) {
  const Folder folder;
  const std::string model = write_labeller(folder);
  std::string text, alone;
  for (int i = 0; i < 600; ++i) text += i % 3 ? "the black cat\n" : "a b c d e f g\n";
  const std::string all = run_regard({"classify", "-m", model, "--json"}, {.input = text}).out;
  for (const char* threads : {"1", "2", "5"})
    EXPECT_EQ(
        run_regard({"classify", "-m", model, "--json", "--threads", threads}, {.input = text}).out,
        all);
  const std::vector<std::string> lines = lines_of(all);
  EXPECT_EQ(run_regard({"classify", "-m", model, "--json"}, {.input = "a b c d e f g\n"}).out,
            lines[0] + "\n");
  EXPECT_EQ(lines[597], lines[0]);
}

TEST(Classify, CountsHowManyAreRight) {
  const Folder folder;
  const std::string model = write_labeller(folder);
  const std::vector<std::string> given{"a", "b c", "the cat", "d e f .", "black", "g h i j"};
  const auto said = [&](const std::string& text) {
    const std::string out = run_regard({"classify", "-m", model}, {.input = text + "\n"}).out;
    return out.substr(0, out.find('\t'));
  };
  const std::string truth = said(given.front());  // of all
  const auto& names = testing::kSmallLabels;
  const auto at = static_cast<std::size_t>(std::ranges::find(names, truth) - names.begin());
  std::string pairs, texts, labels;
  int right = 0;
  for (const std::string& text : given) {
    right += said(text) == truth;
    pairs += text + "\t" + truth + "\n";
    texts += text + "\n";
    labels += truth + "\n";
  }
  folder.write("t.tsv", pairs), folder.write("t.txt", texts), folder.write("l.txt", labels);
  const std::vector<std::string> asked{"classify", "-m", model, "--test", folder.path("t.tsv")};
  const std::string shown = printed(asked);
  EXPECT_TRUE(says(shown, std::to_string(right) + " of 6 texts"));
  EXPECT_TRUE(says(shown, "precision"));
  const auto with = [&](std::vector<std::string> more) {
    more.insert(more.begin(), asked.begin(), asked.end());
    return printed(more);
  };
  const Json found = Json::parse(with({"--json"}));
  EXPECT_EQ(found["right"], right);
  EXPECT_EQ(found["commonest"], 1.0);
  EXPECT_EQ(found["labels"][at]["texts"], 6);
  EXPECT_EQ(found["confusion"][at][at], right);
  EXPECT_EQ(Json::parse(printed({"classify", "-m", model, "--json", "--test", folder.path("t.txt"),
                                 folder.path("l.txt")})),
            found);
  with({"--svg", folder.path("c.svg"), "--csv", folder.path("c.csv")});
  EXPECT_TRUE(says(folder.read("c.svg"), "so-so"));
  EXPECT_EQ(lines_of(folder.read("c.csv")).size(), 10u);
}

TEST(Classify, IsRefusedWhereItMakesNoSense) {
  const Folder folder;
  const std::string model = write_labeller(folder);
  const std::string translator = testing::write_small_model(folder);
  const std::string text = folder.write("text", "the cat\na b\n"),
                    bad = folder.write("bad.tsv", "the cat\tgood\na b\n"),
                    unknown = folder.write("unknown.tsv", "the cat\tgood\na b\tgod\n"),
                    empty = folder.write("empty.tsv", ""), r = folder.path("r");
  struct Case {
    std::vector<std::string> arguments;
    int code;
    std::string what;
  };
  const std::string use = "use: regard classify --model " + model;
  const std::vector<Case> cases{
      {{"translate", "-m", model, text}, 2, use},
      {{"generate", "-m", model, "-p", "a"}, 2, use},
      {{"score", "-m", model, text}, 2, use},
      {{"evaluate", "--model", model, text, text}, 2, use},
      {{"positions", "-m", model}, 2, use},
      {{"serve", "-m", model, "--port", "0"}, 2, "use: regard classify"},
      {{"classify", "-m", translator, text}, 2, "use: regard translate --model " + translator},
      {{"classify", text}, 2, "regard train --arch classify --train builtin:kinds"},
      {{"classify", text}, 2, "(for pictures: --arch vit --train builtin:shapes)"},
      {{"classify", "-m", model, "--test", bad}, 3, bad + ":2: no tab between text and label"},
      {{"classify", "-m", model, "--test", unknown},
       3,
       unknown + ":2: the label 'god' is not among those learned"},
      {{"classify", "-m", model, "--test", unknown}, 3, "did you mean 'good'"},
      {{"classify", "-m", model, "--test", empty}, 3, "no text to test with"},
      {{"classify", "-m", model, "--test", text, bad, "--top", "2"}, 2, "leave the input"},
      {{"classify", "-m", model, text, "--svg", folder.path("x.svg")}, 2, "give --test FILE"},
      {{"inspect", "-m", model, "--html", folder.path("x.html"), "a"}, 2, "--svg"},
      {{"inspect", "-m", model, "--reference", "b", "a"}, 2, "reads the text itself"},
      {{"inspect", "-m", model, "--kind", "cross", "a"}, 2, "use --kind encoder"},
      {{"convert", "--to", "ctranslate2", model, "--out", r}, 3, "classify"},
      {{"train", "--arch", "classify", "-m", r}, 2, "as in --train builtin:kinds"},
      {{"train", "--arch", "classify", "--train", "builtin:en", "-m", r}, 2, "take builtin:kinds"},
      {{"train", "--train", "builtin:kinds", "-m", r}, 2, "take builtin:en-fr"},
      {{"train", "--arch", "classify", "--train", text, "-m", r},
       3,
       "no tab between text and label"},
  };
  for (const auto& [arguments, code, what] : cases) {
    const Outcome outcome = run_regard(arguments);
    EXPECT_EQ(outcome.code, code) << arguments[0] << ": " << outcome.err;
    EXPECT_TRUE(says(outcome.err, what));
  }
  EXPECT_FALSE(std::filesystem::exists(r));
  const std::string learned = write_labeller(folder, {.position = "learned", .max_length = 4});
  const Outcome longer = run_regard({"classify", "-m", learned, text}, {.input = ""});
  EXPECT_EQ(longer.code, 0) << longer.err;
  const std::string four = folder.write("four", "a\na b c d\n");
  const Outcome refused = run_regard({"classify", "-m", learned, four});
  EXPECT_EQ(refused.code, 3);
  EXPECT_TRUE(says(refused.err, four + ":2: 4 tokens, but the model has only 4 positions"));
  EXPECT_EQ(lines_of(refused.out).size(), 1u) << "what came before is said";
}

TEST(Classify, AModelIsAveragedConvertedAndDescribedAsOthersAre) {
  const Folder folder;
  const std::string model = write_labeller(folder), weights = model + "/model.safetensors";
  printed({"average", "-m", model, weights, weights, "--out", folder.path("mean")});
  printed({"convert", "--to", "int8", model, "--out", folder.path("int8")});
  const auto said = [&](const std::string& name) {
    return run_regard({"classify", "-m", folder.path(name)}, {.input = "the black cat\n"}).out;
  };
  EXPECT_EQ(said("mean"), said("labels"));
  EXPECT_EQ(said("int8").substr(0, 4), said("labels").substr(0, 4));
  for (const std::string name : {"labels", "int8"}) {
    const Json about = Json::parse(printed({"info", folder.path(name), "--json"}));
    EXPECT_EQ(about["labels"], Json(testing::kSmallLabels));
    EXPECT_FALSE(about.contains("target_vocabulary"));
    const std::string shown = printed({"info", folder.path(name)});
    EXPECT_TRUE(says(shown, "3: bad, good, so-so"));
    for (const char* word : {"alignment", "languages"}) EXPECT_FALSE(says(shown, word));
  }
}

TEST(Classify, InspectShowsWhereTheClassTokenLooks) {
  const Folder folder;
  const std::string model = write_labeller(folder);
  const std::string shown = printed({"inspect", "-m", model, "the black cat"});
  for (const char* part : {"where <class> looks", "1.2", "black", "so-so"})
    EXPECT_TRUE(says(shown, part));
  EXPECT_FALSE(says(shown, "translation"));
  const Json trace = Json::parse(printed({"inspect", "-m", model, "--json", "the black cat"}));
  EXPECT_EQ(trace["attention"].size(), 2u);
  EXPECT_EQ(trace["source"]["tokens"][0]["text"], "<class>");
  EXPECT_EQ(trace["labels"].size(), 3u);
  printed({"inspect", "-m", model, "--svg", folder.path("m.svg"), "the black cat"});
  EXPECT_TRUE(says(folder.read("m.svg"), "black"));
  printed({"inspect", "-m", model, "--csv", folder.path("m.csv"), "the black cat"});
  EXPECT_EQ(lines_of(folder.read("m.csv")).size(), 1u + 2 * 5);
  printed(
      {"inspect", "-m", model, "--head", "1.2", "--csv", folder.path("h.csv"), "the black cat"});
  EXPECT_EQ(lines_of(folder.read("h.csv")).size(), 1u + 5 * 5);
}

TEST(Classify, ADamagedListOfLabelsIsToldOf) {
  const Folder folder;
  const std::string model = write_labeller(folder);
  const Json good = Json::parse(folder.read("labels/config.json"));
  const auto refusal = [&](const Json& labels) {
    Json config = good;
    config["labels"] = labels;
    if (labels.is_null()) config.erase("labels");
    folder.write("labels/config.json", config.dump());
    const Outcome outcome = run_regard({"classify", "-m", model}, {.input = "a\n"});
    EXPECT_EQ(outcome.code, 3) << outcome.err;
    return outcome.err;
  };
  EXPECT_TRUE(says(refusal(nullptr), "config.json: key \"labels\" is missing"));
  EXPECT_TRUE(says(refusal({"a", "b"}), "2 labels of a model of 3"));
  EXPECT_TRUE(says(refusal({"a", "b", "a"}), "'a' is there twice"));
  EXPECT_TRUE(says(refusal("a"), "expected an array"));
}

TEST(Corpus, WritesTextsWithTheirLabels) {
  const Folder folder;
  const std::vector<std::string> asked{"corpus", "builtin:kinds", "--split",
                                       "test",   "--pairs",       "6"};
  const auto with = [&](std::vector<std::string> more) {
    more.insert(more.begin(), asked.begin(), asked.end());
    return printed(more);
  };
  const std::string shown = with({});
  ASSERT_EQ(lines_of(shown).size(), 6u);
  for (const std::string& line : lines_of(shown))
    EXPECT_TRUE(testing::matches(line, "^[A-Z].*[.?!]\t(animals?|person|people|things?)$"));
  with({"--out", folder.path("data")});
  EXPECT_EQ(folder.read("data/test.tsv"), shown);
  EXPECT_TRUE(Json::parse(lines_of(with({"--json"})).front()).contains("label"));
}

}  // namespace
}  // namespace regard
