// The files that commands draw: every kind, of every command that draws.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <sstream>

#include "regard/tensor/npy.h"
#include "tests/cli/micro_training.h"
#include "tests/cli/support/small_model.h"
#include "tests/support/zip_reader.h"

namespace regard {
namespace {

using testing::Folder;
using testing::Outcome;
using testing::run_regard;
using testing::says;
using testing::write_small_model;

class Figures : public ::testing::Test {
 protected:
  Folder folder_;
  std::string model_ = write_small_model(folder_);

  std::string path(const std::string& name) const { return folder_.path(name); }

  /// Every command that draws, without its outputs.
  std::vector<std::vector<std::string>> commands() const {
    return {{"inspect", "-m", model_, "the black cat ."},
            {"attend", "--query", "1,0;0,1"},
            {"positions", "--scheme", "sinusoidal"}};
  }
};

std::vector<std::string> with(std::vector<std::string> command,
                              const std::vector<std::string>& more) {
  command.insert(command.end(), more.begin(), more.end());
  return command;
}

TEST_F(Figures, AreOfEveryKindAndAppearTogether) {
  for (const auto& command : commands()) {
    const std::vector<std::string> outputs{"--svg", path("a.svg"), "--png", path("a.png"),
                                           "--pdf", path("a.pdf"), "--csv", path("a.csv")};
    const Outcome drawn = run_regard(with(command, outputs));
    ASSERT_EQ(drawn.code, 0) << drawn.err;
    EXPECT_FALSE(drawn.out.empty());
    EXPECT_TRUE(folder_.read("a.svg").starts_with("<svg"));
    EXPECT_TRUE(folder_.read("a.png").starts_with("\x89PNG"));
    EXPECT_TRUE(folder_.read("a.pdf").starts_with("%PDF-"));
    EXPECT_TRUE(
        folder_.read("a.csv").starts_with("panel,row,column,row_label,column_label,value\n"));
    EXPECT_EQ(folder_.names().size(), 5u) << "four and the model, no draft";
    // One name is taken: none of the others is written.
    for (const char* name : {"a.svg", "a.png", "a.csv"}) std::filesystem::remove(path(name));
    EXPECT_EQ(run_regard(with(command, outputs)).code, 2);
    EXPECT_EQ(folder_.names().size(), 2u);
    // A file that cannot be written takes the others with it.
    std::filesystem::remove(path("a.pdf"));
    EXPECT_EQ(run_regard(with(command, outputs), {.largest_file = 500}).code, 4);
    EXPECT_EQ(folder_.names().size(), 1u);
    EXPECT_EQ(run_regard(with(command, {"--pdf", "-"})).out.substr(0, 5), "%PDF-");
    EXPECT_TRUE(nlohmann::json::accept(run_regard(with(command, {"--json"})).out));
  }
}

TEST_F(Figures, HaveTheEndingOfTheirKind) {
  const std::vector<std::pair<std::string, std::string>> kinds{
      {"--svg", "svg"}, {"--png", "png"}, {"--pdf", "pdf"}, {"--csv", "csv"}};
  for (const auto& command : commands())
    for (const auto& [option, unused] : kinds)
      for (const auto& [other, ending] : kinds) {
        if (option == other) continue;
        const std::string file = path("x." + ending);
        const Outcome refused = run_regard(with(command, {option, file}));
        EXPECT_EQ(refused.code, 2);
        EXPECT_TRUE(says(refused.err, option + " does not write ." + ending + " files"))
            << refused.err;
        EXPECT_TRUE(says(refused.err, "use " + other + " " + file)) << refused.err;
      }
  const auto inspect = commands()[0], positions = commands()[2];
  EXPECT_TRUE(says(run_regard(with(inspect, {"--png", path("X.NPZ")})).err, "use --npz "));
  EXPECT_TRUE(says(run_regard(with(inspect, {"--trace", path("x.htm")})).err, "use --html "));
  // A kind that the command has not got is not recommended.
  EXPECT_TRUE(says(run_regard(with(positions, {"--png", path("x.npz")})).err,
                   "name a file that ends in .png"));
  for (const std::string name : {"x.jpg", "x.JPEG", "x.webp", "x.tiff"})
    EXPECT_TRUE(says(run_regard(with(inspect, {"--png", path(name)})).err,
                     path(name) + " is; name a file that ends in .png"));
  EXPECT_EQ(folder_.names().size(), 1u);
  for (const std::string name : {"plain", "x.jsonl", "a.b"})
    EXPECT_EQ(run_regard(with(inspect, {"--trace", path(name)})).code, 0) << name;
}

TEST_F(Figures, HaveATitle) {
  const auto inspect = commands()[0];
  const std::string drawn = run_regard(with(inspect, {"--head", "2.1", "--svg", "-"})).out;
  EXPECT_TRUE(says(drawn, ">the black cat .</text>"));
  EXPECT_TRUE(says(drawn, ">cross-attention, layer 2, head 1: "));
  const std::string titled =
      run_regard(with(inspect, {"--head", "2.1", "--svg", "-", "--title", "Figure 3"})).out;
  EXPECT_TRUE(says(titled, ">Figure 3</text>"));
  EXPECT_FALSE(says(titled, ">the black cat .</text>"));
  EXPECT_FALSE(says(titled, ">cross-attention"));
  for (const auto& command : commands()) {
    const std::string bare = run_regard(with(command, {"--svg", "-", "--title", ""})).out;
    EXPECT_FALSE(says(bare, "font-weight=\"bold\"")) << command[0];
    EXPECT_EQ(run_regard(with(command, {"--title", "x"})).code, 2);
  }
  EXPECT_TRUE(
      says(run_regard(with(inspect, {"--csv", "-", "--head", "2.1"})).out, "\ncross 2.1,0,0,"));
}

TEST_F(Figures, TellAShiftedMapFromThatOfTheSameHead) {
  const auto align = [&](Index head) {
    auto config = nlohmann::json::parse(folder_.read("m/config.json"));
    config["alignment_layer"] = 1;
    config["alignment_head"] = head;
    config["alignment_shift"] = true;
    folder_.write("m/config.json", config.dump());
  };
  const auto inspect = with(commands()[0], {"--reference", "A B C"});
  align(0);
  const std::string shifted = run_regard(with(inspect, {"--csv", "-"})).out,
                    plain = run_regard(with(inspect, {"--head", "2.1", "--csv", "-"})).out;
  EXPECT_TRUE(says(shifted, "\ncross 2.1 shifted,0,0,")) << shifted;
  EXPECT_FALSE(says(shifted, "\ncross 2.1,")) << shifted;
  EXPECT_TRUE(says(plain, "\ncross 2.1,0,0,")) << plain;
  EXPECT_FALSE(says(plain, "shifted")) << plain;
  // The title is of the rows that are drawn.
  double entropy = 0, rows = 0;
  std::istringstream lines(shifted);
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("cross")) continue;
    const double weight = std::stod(line.substr(line.rfind(',') + 1));
    if (weight > 0) entropy -= weight * std::log2(weight);
    rows += weight;  // each sums to 1
  }
  EXPECT_NEAR(rows, 3, 1e-5);
  EXPECT_TRUE(says(run_regard(with(inspect, {"--svg", "-"})).out,
                   fmt::format("entropy {:.2f} bits, shifted", entropy / rows)));
  align(-1);
  EXPECT_TRUE(says(run_regard(with(inspect, {"--svg", "-"})).out,
                   ">cross-attention, layer 2, mean of 2 heads, shifted one step</text>"));
}

TEST_F(Figures, OfInspectAreArraysToo) {
  const Outcome written = run_regard(with(commands()[0], {"--npz", path("t.npz")}));
  ASSERT_EQ(written.code, 0) << written.err;
  const auto files = testing::unzipped(folder_.read("t.npz"));
  for (const char* name :
       {"encoder.0.self.weights", "encoder.0.self.q", "encoder.0.self.k", "encoder.0.self.v",
        "decoder.1.self.weights", "decoder.1.cross.v", "decoder.1.cross.scale", "source_tokens",
        "target_tokens", "decoder_input", "log_probabilities", "alignment"})
    EXPECT_TRUE(files.contains(std::string(name) + ".npy")) << name;
  EXPECT_EQ(testing::npy_texts(files.at("source_tokens.npy")),
            (std::vector<std::u32string>{U"the", U"black", U"cat", U".", U"</s>"}));
  const Tensor weights = parse_npy(files.at("decoder.1.cross.weights.npy"), "w");
  EXPECT_EQ(weights.size(0), 2);
  EXPECT_EQ(weights.size(2), 5);
  const std::string recurrent = write_small_model(folder_, {.architecture = "bahdanau"}, "b");
  const auto other =
      testing::unzipped(run_regard({"inspect", "-m", recurrent, "a b", "--npz", "-"}).out);
  EXPECT_TRUE(other.contains("decoder.0.cross.weights.npy"));
  EXPECT_TRUE(other.contains("decoder.0.cross.v.npy"));
  EXPECT_FALSE(other.contains("decoder.0.cross.q.npy"));
}

TEST_F(Figures, OfAttendAreArraysToo) {
  const std::vector<std::string> command{"attend", "--query",  "1,0;0,1;1,1", "--mask",
                                         "causal", "--labels", "été,b,c"};
  const auto files = testing::unzipped(run_regard(with(command, {"--npz", "-"})).out);
  EXPECT_EQ(parse_npy(files.at("q.npy"), "q").shape(), (Shape{1, 3, 2}));
  const Tensor weights = parse_npy(files.at("weights.npy"), "w");
  EXPECT_EQ(weights.shape(), (Shape{1, 1, 3, 3}));
  EXPECT_EQ(testing::npy_texts(files.at("key_labels.npy")).front(), U"été");
  const auto json = run_regard(with(command, {"--json"})).json();
  EXPECT_EQ(json["query_labels"], nlohmann::json({"été", "b", "c"}));
  EXPECT_EQ(json["key_labels"], json["query_labels"]);
  for (Index t = 0; t < 3; ++t)
    for (Index s = 0; s < 3; ++s)  // every digit
      EXPECT_EQ(json["weights"][static_cast<std::size_t>(t)][static_cast<std::size_t>(s)],
                weights.at({0, 0, t, s}));
  const std::string table = run_regard(with(command, {"--csv", "-"})).out;
  EXPECT_TRUE(says(table, "scaled-dot attention weights,0,0,été,été,1\n")) << table;
  EXPECT_TRUE(says(table, ",0,1,été,b,\n")) << table;
}

TEST_F(Figures, NeverAreAFileOfTheModelOrOneAnother) {
  std::filesystem::create_symlink(model_ + "/model.safetensors", path("link"));
  for (const char* option : {"--pdf", "--csv", "--npz", "--svg"}) {
    const Outcome refused =
        run_regard({"inspect", "-m", model_, "a", option, path("link"), "--overwrite"});
    EXPECT_EQ(refused.code, 2) << option;
    EXPECT_TRUE(says(refused.err, "would overwrite the input")) << refused.err;
    const Outcome twice =
        run_regard({"inspect", "-m", model_, "a", option, path("same"), "--html", path("./same")});
    EXPECT_EQ(twice.code, 2) << option;
    EXPECT_TRUE(says(twice.err, "both write")) << twice.err;
  }
}

TEST_F(Figures, TakeNoSentenceForTheNameOfAFile) {
  const Outcome shown = run_regard({"inspect", "-m", model_, "--json", "the black cat"});
  EXPECT_EQ(shown.json()["source"]["text"], "the black cat");
  EXPECT_EQ(folder_.names().size(), 1u);
  const Outcome both = run_regard({"inspect", "-m", model_, "a", "--json", "--trace", path("t")});
  EXPECT_EQ(both.code, 2) << both.err;
}

}  // namespace
}  // namespace regard
