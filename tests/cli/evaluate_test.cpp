#include <gtest/gtest.h>
#include <zlib.h>

#include "regard/cli/version.h"
#include "regard/measure/signature.h"
#include "tests/cli/program.h"

namespace regard {
namespace {

using testing::Folder;
using testing::Outcome;
using testing::run_regard;

const std::string kHypotheses = "The cat sat on the mat.\nHe left at 5-6 o'clock!\n";
const std::string kReference = "The cat sat on a mat.\nHe left at 5-6 o'clock.\n";

std::string gzipped(const std::string& text) {
  const Folder folder;
  const gzFile file = gzopen(folder.path("x").c_str(), "wb");
  gzwrite(file, text.data(), static_cast<unsigned>(text.size()));
  gzclose(file);
  return folder.read("x");
}

nlohmann::json scores(std::vector<std::string> arguments, const std::string& input = "") {
  arguments.insert(arguments.begin(), "evaluate");
  arguments.push_back("--json");
  const Outcome outcome = run_regard(arguments, {.input = input});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.err, "");
  if (outcome.code != 0) return {};
  EXPECT_EQ(outcome.json()["schema"], 1);
  return outcome.json()["scores"];
}

TEST(Evaluate, ScoresEveryMetricWithItsSignature) {
  const Folder folder;
  const std::string ref = folder.write("ref", kReference), hyp = folder.write("hyp", kHypotheses);
  const auto all = scores({"--ref", ref, "--hyp", hyp, "--metric", "bleu,chrf,chrf++"});
  ASSERT_EQ(all.size(), 3u);
  // By sacreBLEU 2.6.0.
  EXPECT_NEAR(all[0]["score"], 69.67635090207767, 1e-9);
  EXPECT_NEAR(all[1]["score"], 83.68507914237958, 1e-9);
  EXPECT_NEAR(all[2]["score"], 82.44198561878437, 1e-9);
  EXPECT_EQ(all[0]["name"], "BLEU");
  EXPECT_EQ(all[0]["signature"], "nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:regard-0.1");
  EXPECT_EQ(all[0]["precisions"].size(), 4u);
  EXPECT_EQ(all[0]["hypothesis_length"], 15);
  EXPECT_EQ(all[1]["name"], "chrF2");
  EXPECT_EQ(all[2]["name"], "chrF2++");
  EXPECT_EQ(scores({"--ref", ref}, kHypotheses), scores({"--ref", ref, "--hyp", hyp}));
  EXPECT_TRUE(("regard-" + std::string(kVersion)).starts_with(kMeasureVersion));

  const Outcome text = run_regard({"evaluate", "--ref", ref, "--hyp", hyp});
  EXPECT_EQ(std::ranges::count(text.out, '\n'), 2);
  EXPECT_TRUE(text.out.starts_with("BLEU ")) << text.out;
  EXPECT_NE(text.out.find("\nchrF2 "), std::string::npos) << text.out;
  EXPECT_NE(text.out.find("tok:13a"), std::string::npos) << text.out;
}

TEST(Evaluate, TakesReferencesTokenisersCaseAndGzip) {
  const Folder folder;
  const std::string ref = folder.write("ref", kReference), same = folder.write("s", kHypotheses);
  const std::string packed = folder.write("ref.gz", gzipped(kReference));
  EXPECT_EQ(scores({"--ref", packed}, kHypotheses), scores({"--ref", ref}, kHypotheses));
  EXPECT_EQ(scores({"--ref", ref}, gzipped(kHypotheses)), scores({"--ref", ref}, kHypotheses));
  const auto both = scores({"--ref", ref, "--ref", same}, kHypotheses);
  EXPECT_NEAR(both[0]["score"], 100, 1e-9);
  EXPECT_TRUE(both[0]["signature"].get<std::string>().starts_with("nrefs:2|"));
  EXPECT_NEAR(scores({"--ref", folder.write("up", "THE CAT SAT ON THE MAT\n"), "--lowercase"},
                     "the cat sat on the mat\r\n")[0]["score"],
              100, 1e-9);
  for (const char* tokenize : {"none", "char", "intl"})
    EXPECT_NE(scores({"--ref", ref, "--tokenize", tokenize}, kHypotheses)[0]["signature"]
                  .get<std::string>()
                  .find(std::string("tok:") + tokenize),
              std::string::npos);
}

TEST(Evaluate, GivesTheAlignmentErrorRate) {
  const Folder folder;
  const std::string gold = folder.write("gold", "0-0 1-2 3-3\n2-2\n\n");
  const std::string found = folder.write("found", "0-0 1-1\n2-2\n\n");
  const auto all = scores({"--alignment-ref", gold, "--alignment", found});
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0]["name"], "AER");
  EXPECT_NEAR(all[0]["score"], 1 - 4.0 / 7, 1e-12);
  EXPECT_NEAR(all[0]["precision"], 2.0 / 3, 1e-12);
  EXPECT_NEAR(all[0]["recall"], 0.5, 1e-12);
  EXPECT_TRUE(run_regard({"evaluate", "--alignment-ref", gold, "--alignment", found})
                  .out.starts_with("AER 0.4286  precision 0.6667  recall 0.5000  "));
}

TEST(Evaluate, RefusesWithThePlaceAndBothNumbers) {
  const Folder folder;
  const std::string ref = folder.write("ref", kReference), empty = folder.write("empty", "");
  const std::string one = folder.write("one", "0-0\n"), bad = folder.write("bad", "0-0\n1-x\n");
  struct Case {
    std::vector<std::string> arguments;
    int code;
    std::string message;
  };
  for (const Case& c : std::vector<Case>{
           {{"--ref", ref, "--hyp", one}, 3, one + " has 1 lines, " + ref + " has 2"},
           {{"--ref", ref}, 3, "standard input: no lines"},
           {{"--ref", empty, "--hyp", one}, 3, empty + ": no lines"},
           {{"--ref", folder.path("absent"), "--hyp", one}, 3, "absent"},
           {{"--alignment-ref", bad, "--alignment", one}, 3, one + " has 1 lines, " + bad},
           {{"--alignment-ref", bad, "--alignment", bad}, 3, bad + ":2: expected links"},
           {{"--alignment-ref", bad}, 2, "go together"},
           {{}, 2, "give --ref FILE"},
           {{"--hyp", one}, 2, "give --ref FILE"},
           {{"--hyp", one, "--alignment-ref", one, "--alignment", one}, 2, "need --ref"},
           {{"--ref", "-"}, 2, "standard input can be read once"},
           {{"--ref", ref, "--metric", "blue"}, 2, "did you mean 'bleu'?"},
           {{"--ref", ref, "--metric", ""}, 2, "no metric is called ''"},
           {{"--ref", ref, "--tokenize", "13"}, 2, "no tokeniser is called '13'"},
       }) {
    std::vector<std::string> arguments = c.arguments;
    arguments.insert(arguments.begin(), "evaluate");
    const Outcome outcome = run_regard(arguments);
    EXPECT_EQ(outcome.code, c.code) << outcome.err;
    EXPECT_EQ(outcome.out, "");
    EXPECT_NE(outcome.err.find(c.message), std::string::npos) << outcome.err << c.message;
  }
}

TEST(Evaluate, GoesOnWithBadBytesAndSaysSo) {
  const Folder folder;
  const std::string ref = folder.write("ref", "a b c d e\nf\n");
  const Outcome outcome = run_regard({"evaluate", "--ref", ref}, {.input = "a b c d \xff\nf\n"});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(outcome.err,
            "regard: warning: standard input:1: not UTF-8; bad bytes count as U+FFFD\n");
}

}  // namespace
}  // namespace regard
