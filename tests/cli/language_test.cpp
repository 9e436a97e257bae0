// A model of architecture language in the other commands: what it scores and shows, and what it is
// refused for.
#include <gtest/gtest.h>

#include "regard/config/field_ref.h"
#include "regard/model/architecture.h"
#include "regard/model/sequence_model.h"
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
using testing::write_small_model;
using testing::write_writer;

TEST(Score, GivesThePerplexityOfTextAlone) {
  const Folder folder;
  const std::string writer = write_writer(folder);
  const Outcome scored =
      run_regard({"score", "-m", writer}, {.input = "the black cat sleeps .\na b c\n"});
  ASSERT_EQ(scored.code, 0) << scored.err;
  const std::vector<std::string> lines = lines_of(scored.out);
  ASSERT_EQ(lines.size(), 2u);
  const double expected = std::exp(-(std::stod(lines[0]) + std::stod(lines[1])) / 10);
  ASSERT_TRUE(says(scored.err, "perplexity "));
  EXPECT_NEAR(std::stod(scored.err.substr(scored.err.find("perplexity ") + 11)), expected,
              1e-3 * expected);
  EXPECT_TRUE(says(scored.err, "2 lines, 10 tokens with their ends"));
  const Json said = run_regard({"score", "-m", writer, "--json"}, {.input = "a b c\n"}).json();
  EXPECT_EQ(said["target"], "a b c");
  for (const char* key : {"source", "unknown"}) EXPECT_FALSE(said.contains(key)) << key;
}

TEST(Inspect, DrawsTheDecodersHeadsOfATextAlone) {
  const Folder folder;
  const std::string writer = write_writer(folder);
  const Json trace =
      Json::parse(printed({"inspect", "-m", writer, "--json", "the black cat sleeps ."}));
  EXPECT_EQ(trace["attention"].size(), 4u);  // two layers of two heads
  EXPECT_EQ(trace["model"]["encoder_layers"], 0);
  EXPECT_EQ(trace["model"]["decoder_layers"], 2);
  for (const Json& head : trace["attention"]) EXPECT_EQ(head["kind"], "decoder");
  const std::string shown = printed({"inspect", "-m", writer, "the black cat sleeps ."});
  EXPECT_TRUE(says(shown, "the black cat sleeps ."));
  EXPECT_TRUE(says(shown, "decoder self-attention"));
  EXPECT_FALSE(says(shown, "translation"));
  std::string longer;
  for (int i = 0; i < 300; ++i) longer += "a ";
  const Outcome refused = run_regard({"inspect", "-m", writer, longer});
  EXPECT_EQ(refused.code, 3);
  EXPECT_TRUE(says(refused.err, "the text has 300 tokens"));
  printed({"inspect", "-m", writer, "--svg", folder.path("map.svg"), "the black cat"});
  EXPECT_TRUE(says(folder.read("map.svg"), "sleeps") || says(folder.read("map.svg"), "black"));
}

TEST(Language, IsRefusedWhereItMakesNoSense) {
  const Folder folder;
  const std::string writer = write_writer(folder), translator = write_small_model(folder);
  folder.write("text", "the cat\n\na b\n");
  folder.write("other", "the cat\nx\na b\n");
  const std::string text = folder.path("text"), other = folder.path("other");
  struct Case {
    std::vector<std::string> arguments;
    int code;
    std::string what;
  };
  const std::vector<Case> cases{
      {{"translate", "-m", writer, text}, 2, "regard generate --model"},
      {{"evaluate", "--model", writer, text, other}, 2, "regard generate --model"},
      {{"serve", "-m", writer, "--port", "0"}, 2, "cannot be served"},
      {{"generate", "-m", translator, "-p", "a"}, 2, "regard translate --model"},
      {{"generate", "-m", writer, "-i", ""}, 2, "--input needs the name of a file"},
      {{"generate", "-m", writer, "-p", "a", "-i", text}, 2, "not both"},
      {{"generate", "-m", writer, "-p", " "}, 2, "--prompt: empty prompt"},
      {{"generate", "-m", writer, "-i", text}, 3, text + ":2: empty prompt"},
      {{"score", "-m", writer, text, other}, 2, "give one file"},
      {{"inspect", "-m", writer, "--html", folder.path("x.html"), "a"}, 2, "--svg"},
      {{"inspect", "-m", writer, "--reference", "b", "a"}, 2, "reads the text itself"},
      {{"inspect", "-m", writer, "--prefix", "b", "a"}, 2, "reads the text itself"},
      {{"inspect", "-m", writer, "--beam", "2", "a"}, 2, "nothing is searched"},
      {{"inspect", "-m", writer, "--length-penalty", "0", "a"}, 2, "nothing is searched"},
      {{"train", "--arch", "language", "-m", folder.path("r")}, 2, "as in --train builtin:en"},
      {{"inspect", "-m", writer, "--kind", "cross", "a"}, 2, "use --kind decoder"},
      {{"train", "--arch", "language", "--train", text, other, "-m", folder.path("r")},
       2,
       "learns from a text alone"},
      {{"train", "--arch", "language", "--train", "builtin:en-fr", "-m", folder.path("r")},
       2,
       "take builtin:en"},
      {{"train", "--train", "builtin:en", "-m", folder.path("r")}, 2, "take builtin:en-fr"},
      {{"train", "--train", text, "-m", folder.path("r")}, 3, "train with --arch language"},
      {{"train", "--arch", "language", "--train", text, "--from", "en", "-m", folder.path("r")},
       2,
       "whose language is data.to"},
      {{"train", "--arch", "language", "--train", "builtin:en", "--to", "fr", "-m",
        folder.path("r")},
       2,
       "is text in 'en', not in 'fr'"},
      {{"convert", "--to", "int8", writer, "--out", folder.path("r"), "--receipt", text, other},
       2,
       "--receipt compares translations"}};
  for (const auto& [arguments, code, what] : cases) {
    const Outcome outcome = run_regard(arguments);
    EXPECT_EQ(outcome.code, code) << arguments[0] << ": " << outcome.err;
    EXPECT_TRUE(says(outcome.err, what));
    EXPECT_FALSE(says(outcome.err, "language unknown"));  // not the matter where an error is
  }
  EXPECT_FALSE(std::filesystem::exists(folder.path("r")));
}

TEST(Language, IsAveragedConvertedAndDescribedAsOthersAre) {
  const Folder folder;
  const std::string writer = write_writer(folder);
  const std::string weights = writer + "/model.safetensors";
  printed({"average", "-m", writer, weights, weights, "--out", folder.path("mean")});
  printed({"convert", "--to", "int8", writer, "--out", folder.path("int8")});
  const std::vector<std::string> asked{"-p", "the black cat", "--max-length", "12"};
  const auto continued = [&](const std::string& name) {
    std::vector<std::string> all{"generate", "-m", folder.path(name)};
    all.insert(all.end(), asked.begin(), asked.end());
    return printed(all);
  };
  EXPECT_EQ(continued("mean"), continued("writer"));
  EXPECT_EQ(continued("int8").find("the black cat "), 0u);
  for (const std::string name : {"writer", "int8"}) {
    const Json about = Json::parse(printed({"info", folder.path(name), "--json"}));
    EXPECT_EQ(about["weights"], name == "int8" ? "int8" : "float32");
    EXPECT_EQ(about["model"]["architecture"], "language");
    for (const char* key : {"encoder_layers", "source_vocabulary"})
      EXPECT_FALSE(about["model"].contains(key)) << key;
    const std::string shown = printed({"info", folder.path(name)});
    EXPECT_TRUE(says(shown, "language"));
    for (const char* word : {"languages", "alignment"}) EXPECT_FALSE(says(shown, word)) << word;
  }
  const Json table = Json::parse(printed({"positions", "-m", writer, "--json"}));
  EXPECT_EQ(table["scheme"], "sinusoidal");
  EXPECT_EQ(table["cols"], 16);
}

/// A value that the setting takes and does not have.
std::string other_than(const FieldRef& setting) {
  const Field& field = setting.field;
  if (!field.words.empty()) return std::string(field.words.back());
  const Value value = value_of(setting);
  if (const bool* const flag = std::get_if<bool>(&value)) return *flag ? "false" : "true";
  if (std::holds_alternative<double>(value)) return "0.7";
  return std::holds_alternative<std::string>(value) ? "dot" : "7";
}

/// Whatever it is, and no other setting.
TEST(Architectures, GetWhatTheyPreferUnlessItIsSet) {
  for (const Architecture* architecture : all_architectures()) {
    const std::string name(architecture->name), why = "# architecture " + name + "\n";
    ModelSpec plain = preset("tiny");
    plain.architecture = name;
    ModelSpec preferred = architecture->preferred(plain);
    const std::vector<FieldRef> before = fields_of(plain), after = fields_of(preferred);
    std::vector<std::string> dump{"train", "--dump-config", "--preset", "tiny", "--arch", name};
    const std::string settled = printed(dump);
    std::size_t count = 0;
    for (std::size_t at = 0; (at = settled.find(why, at)) != settled.npos; ++at) ++count;
    for (std::size_t i = 0; i < before.size(); ++i) {
      if (value_of(before[i]) == value_of(after[i])) continue;
      --count;
      const std::string key(before[i].field.name);
      EXPECT_NE(settled.find("\n#" + key + " = "), settled.npos) << key;
      dump.insert(dump.end(), {"--set", "model." + key + "=" + other_than(after[i])});
    }
    EXPECT_EQ(count, 0u) << name;
    EXPECT_EQ(printed(dump).find(why), std::string::npos) << name;
  }
}

TEST(Language, IsNamedByTheHelpAsEveryArchitectureIs) {
  const std::string help = printed({"train", "--help"});
  for (const std::string_view name : architecture_names())
    EXPECT_TRUE(says(help, std::string(name)));
}

}  // namespace
}  // namespace regard
