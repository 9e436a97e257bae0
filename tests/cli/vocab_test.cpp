#include <gtest/gtest.h>

#include "tests/cli/support/small_model.h"

namespace regard {
namespace {

using testing::Folder;
using testing::lines_of;
using testing::Outcome;
using testing::run_regard;

class VocabCommand : public ::testing::Test {
 protected:
  Folder folder_;
  std::string text_ =
      folder_.write("text", run_regard({"corpus", "builtin:en-fr", "--pairs", "500"}).out);

  std::string train(const std::string& type, std::vector<std::string> more = {}) {
    const std::string file = folder_.path(type + ".tokens");
    std::vector<std::string> all{"vocab", "--input", text_, "--type", type, "--out", file};
    all.insert(all.end(), more.begin(), more.end());
    const Outcome outcome = run_regard(all);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_NE(outcome.out.find(type == "words" ? "words" : "subwords"), std::string::npos);
    return file;
  }
};

TEST_F(VocabCommand, TrainsShowsAndComesBack) {
  for (const std::string type : {"bpe", "unigram", "words"}) {
    std::vector<std::string> how{"--size", "500"};
    if (type == "words") how.insert(how.end(), {"--min-frequency", "1"});
    const std::string file = train(type, how);
    const auto shown = run_regard({"vocab", "--show", file, "--json"}).json();
    EXPECT_LE(shown["size"], 500);
    EXPECT_EQ(shown["pieces"].size(), shown["size"]);
    EXPECT_EQ(shown["type"], type);
    const Outcome page = run_regard({"vocab", "--show", file});
    EXPECT_NE(page.out.find("more; all with --json"), std::string::npos) << page.out;
    EXPECT_EQ(shown["pieces"][1], "<s>") << type;
    EXPECT_EQ(shown["pieces"][2], "</s>") << type;
    EXPECT_NE(page.out.find("  </s>\n"), std::string::npos) << page.out;

    const std::string input = type == "words" ? "The the.\n\nthe\n" : "the cat’s 😀 .\n\n\xff\n";
    const std::string back = type == "words" ? input : "the cat’s 😀 .\n\n\xef\xbf\xbd\n";
    for (const std::vector<std::string>& form : {std::vector<std::string>{}, {"--ids"}}) {
      std::vector<std::string> encode{"vocab", "--encode", file}, decode{"vocab", "--decode", file};
      encode.insert(encode.end(), form.begin(), form.end());
      decode.insert(decode.end(), form.begin(), form.end());
      const Outcome pieces = run_regard(encode, {.input = input});
      ASSERT_EQ(pieces.code, 0) << pieces.err;
      EXPECT_EQ(lines_of(pieces.out).size(), 3u);
      EXPECT_EQ(run_regard(decode, {.input = pieces.out}).out, back);
    }
  }
}

std::string with_spaces(const nlohmann::json& list) {
  std::string text;
  for (const auto& each : list)
    text += (text.empty() ? "" : " ") + (each.is_string() ? each.get<std::string>() : each.dump());
  return text;
}

TEST_F(VocabCommand, EncodesAndDecodesAsJson) {
  const std::string file = train("bpe", {"--size", "500"}), input = "the cat\n\n\xff\n";
  const auto encoded = [&](std::vector<std::string> more) {
    more.insert(more.begin(), {"vocab", "--encode", file});
    return lines_of(run_regard(more, {.input = input}).out);
  };
  const std::vector<std::string> pieces = encoded({}), ids = encoded({"--ids"}),
                                 objects = encoded({"--json"}), few = encoded({"--json", "--ids"});
  ASSERT_EQ(objects.size(), 3u);
  const std::vector<std::string> text{"the cat", "", "\xef\xbf\xbd"};
  for (std::size_t i = 0; i < 3; ++i) {
    nlohmann::json object = nlohmann::json::parse(objects[i]);
    EXPECT_EQ(object["schema"], 1);
    EXPECT_EQ(object["text"], text[i]);
    EXPECT_EQ(with_spaces(object["pieces"]), pieces[i]);
    EXPECT_EQ(with_spaces(object["ids"]), ids[i]);
    object.erase("pieces");
    EXPECT_EQ(nlohmann::json::parse(few[i]), object);
  }
  const Outcome decoded =
      run_regard({"vocab", "--decode", file, "--json"}, {.input = testing::joined_lines(pieces)});
  ASSERT_EQ(lines_of(decoded.out).size(), 3u) << decoded.err;
  for (std::size_t i = 0; i < 3; ++i)
    EXPECT_EQ(nlohmann::json::parse(lines_of(decoded.out)[i]),
              (nlohmann::json{{"schema", 1}, {"text", text[i]}}));
}

TEST_F(VocabCommand, SaysWhatItLeavesOut) {
  folder_.write("text",
                "a b\n" + std::string(2 << 20, 'x') + "\na b\n" + std::string(2 << 20, 'y'));
  const Outcome outcome = run_regard({"vocab", "--input", text_, "--type", "words", "--out",
                                      folder_.path("few.tokens"), "--size", "1k"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.err.find("text:2: more than 1048576 bytes"), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.err.find("2 lines skipped"), std::string::npos) << outcome.err;
}

TEST_F(VocabCommand, Refuses) {
  const std::string file = train("words", {"--lowercase"});
  struct Case {
    std::vector<std::string> arguments;
    int code;
    const char* message;
  };
  for (const Case& c : std::vector<Case>{
           {{}, 2, "vocab needs"},
           {{"--show", file, "--encode", file}, 2, "give one of"},
           {{"--input", text_}, 2, "--out"},
           {{text_, "--size", "500"}, 2, "training a vocabulary needs --out"},
           {{text_, "--type", "words"}, 2, "training a vocabulary needs --out"},
           {{text_, "--lowercase"}, 2, "training a vocabulary needs --out"},
           {{text_, "--overwrite"}, 2, "training a vocabulary needs --out"},
           {{"--input", text_, "--out", file}, 2, "--overwrite"},
           {{"--input", text_, "--out", text_, "--overwrite"}, 2, "overwrite the input"},
           {{"--input", text_, "--type", "bqe", "--out", file}, 2, "--type is 'bqe'"},
           {{"--input", folder_.path("none"), "--out", folder_.path("x")}, 3, "none"},
           {{"--show", text_}, 3, "text"},
           {{"--encode", file, "--lowercase"}, 2, "only apply to training"},
           {{"--show", file, "--ids"}, 2, "--ids goes with"},
           {{"--show", file, "--size", "9"}, 2, "only apply to training"}}) {
    std::vector<std::string> arguments = c.arguments;
    arguments.insert(arguments.begin(), "vocab");
    const Outcome outcome = run_regard(arguments);
    EXPECT_EQ(outcome.code, c.code) << outcome.err;
    EXPECT_NE(outcome.err.find(c.message), std::string::npos) << outcome.err;
  }
  const Outcome bad = run_regard({"vocab", "--decode", file, "--ids"}, {.input = "4\n4 999999\n"});
  EXPECT_EQ(bad.code, 3);
  EXPECT_NE(bad.err.find("standard input:2: '999999'"), std::string::npos) << bad.err;
}

}  // namespace
}  // namespace regard
