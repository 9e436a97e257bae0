#include <gtest/gtest.h>
#include <zlib.h>

#include "regard/cli/version.h"
#include "regard/measure/signature.h"
#include "tests/cli/support/small_model.h"

namespace regard {
namespace {

using testing::Folder;
using testing::Outcome;
using testing::run_regard;
using testing::write_small_model;

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
  EXPECT_EQ(all[0]["hyp_len"], 15);
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

TEST(Evaluate, TakesReferencesTokenizersCaseAndGzip) {
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

TEST(Evaluate, TakesFilesWithoutOptions) {
  const Folder folder;
  const std::string ref = folder.write("ref", kReference), hyp = folder.write("hyp", kHypotheses);
  EXPECT_EQ(scores({hyp, ref}), scores({"--ref", ref, "--hyp", hyp}));
  EXPECT_EQ(scores({hyp, ref, hyp}), scores({"--ref", ref, "--ref", hyp, "--hyp", hyp}));
  EXPECT_EQ(scores({"-", ref}, kHypotheses), scores({"--ref", ref, "--hyp", hyp}));
  const Outcome text = run_regard({"evaluate", hyp, ref});
  EXPECT_NE(text.out.find("  BP 1.000  hyp_len 15  ref_len 15  "), std::string::npos) << text.out;
}

TEST(Evaluate, ScoresSentences) {
  const Folder folder;
  const std::string ref = folder.write("ref", kReference + "Oh yes\n"),
                    hyp = folder.write("hyp", kHypotheses + "Oh no\n");
  // By: sacrebleu ref -i hyp -m bleu --sentence-level -b -w 4 (and chrf, ter), version 2.6.0.
  const Outcome outcome =
      run_regard({"evaluate", hyp, ref, "--sentence-level", "--metric", "bleu,chrf,ter", "--json"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const auto signatures = outcome.json()["signatures"];
  EXPECT_EQ(signatures["BLEU"], "nrefs:1|case:mixed|eff:yes|tok:13a|smooth:exp|version:regard-0.1");
  EXPECT_EQ(signatures["chrF2"],
            "nrefs:1|case:mixed|eff:yes|nc:6|nw:0|space:no|version:regard-0.1");
  EXPECT_EQ(signatures["TER"],
            "nrefs:1|case:lc|tok:tercom|norm:no|punct:yes|asian:no|version:regard-0.1");
  const auto lines = outcome.json()["sentences"];
  ASSERT_EQ(lines.size(), 3u);
  EXPECT_NEAR(lines[2]["BLEU"], 50.0000, 1e-4);  // of the orders that two words have
  EXPECT_NEAR(lines[2]["chrF2"], 16.9979, 1e-4);
  EXPECT_NEAR(lines[2]["TER"], 50.0000, 1e-4);
  EXPECT_NEAR(lines[0]["BLEU"], 48.8923, 1e-4);
  EXPECT_NEAR(lines[1]["BLEU"], 84.0896, 1e-4);
  EXPECT_NEAR(lines[0]["chrF2"], 71.4225, 1e-4);
  EXPECT_NEAR(lines[1]["chrF2"], 93.8732, 1e-4);
  EXPECT_NEAR(lines[0]["TER"], 16.6667, 1e-4);
  EXPECT_NEAR(lines[1]["TER"], 20.0000, 1e-4);
  const Outcome text =
      run_regard({"evaluate", hyp, ref, "--sentence-level", "--metric", "bleu,ter"});
  EXPECT_EQ(text.out, "48.89\t16.67\n84.09\t20.00\n50.00\t50.00\n");
}

TEST(Evaluate, ComparesWithABaselineByPairedBootstrap) {
  const Folder folder;
  std::string hypotheses, baseline, reference;
  for (int i = 0; i < 40; ++i) {
    const std::string n = std::to_string(i);
    reference += "the cat " + n + " sat on the mat near the door\n";
    hypotheses += i % 4 == 0 ? "a cat " + n + " sat on a mat near the door\n"
                             : "the cat " + n + " sat on the mat near the door\n";
    baseline += i % 3 == 0 ? "near the door the cat " + n + " sat on a mat\n"
                           : "the cat " + n + " sat on the mat near the door\n";
  }
  const std::string ref = folder.write("ref", reference), hyp = folder.write("hyp", hypotheses);
  const std::string other = folder.write("other", baseline);
  const auto all = scores({hyp, ref, "--bootstrap", other, "--metric", "bleu,chrf,ter"});
  ASSERT_EQ(all.size(), 3u);
  // By: sacrebleu ref -i other hyp -m bleu chrf ter --paired-bs -w 4, version 2.6.0.
  struct Expected {
    double score, mean, ci, p, baseline_score, baseline_mean, baseline_ci;
  };
  const Expected expected[]{{88.9464, 88.9069, 5.6043, 0.1299, 85.2201, 85.1146, 7.0876},
                            {92.7547, 92.7316, 3.6846, 0.1389, 90.5711, 90.5161, 4.3815},
                            {5.0, 5.012, 2.5, 0.1289, 7.0, 7.037, 3.25}};
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto& found = all[i]["bootstrap"];
    EXPECT_NEAR(all[i]["score"], expected[i].score, 1e-4);
    EXPECT_NEAR(found["mean"], expected[i].mean, 1e-3);
    EXPECT_NEAR(found["ci"], expected[i].ci, 1e-3);
    EXPECT_NEAR(found["p_value"], expected[i].p, 1e-4);
    EXPECT_NEAR(found["baseline"]["score"], expected[i].baseline_score, 1e-4);
    EXPECT_NEAR(found["baseline"]["mean"], expected[i].baseline_mean, 1e-3);
    EXPECT_NEAR(found["baseline"]["ci"], expected[i].baseline_ci, 1e-3);
  }
}

TEST(Evaluate, FindsNoDifferenceToItself) {
  const Folder folder;
  const std::string ref = folder.write("ref", "the black cat sleeps here\na dog\n");
  const std::string hyp = folder.write("hyp", "the black cat slept here\na dog\n");
  const Outcome shown =
      run_regard({"evaluate", hyp, ref, "--bootstrap", hyp, "--metric", "bleu,chrf,ter"});
  EXPECT_EQ(shown.code, 0) << shown.err;
  const std::vector<std::string> lines = testing::lines_of(shown.out);
  ASSERT_EQ(lines.size(), 3u);
  for (const std::string& line : lines)
    EXPECT_NE(line.find("no difference, p = 1.0000"), std::string::npos) << line;
  const Outcome other = run_regard({"evaluate", hyp, ref, "--bootstrap", ref});
  EXPECT_EQ(other.out.find("no difference"), std::string::npos) << other.out;
}

TEST(Evaluate, ShowsAllDigitsOfLengths) {
  const Folder folder;
  std::string lines;
  for (int i = 0; i < 12346; ++i) lines += "one two three four five six seven eight nine ten ";
  const std::string text = folder.write("text", lines + "\n");
  const Outcome ter = run_regard({"evaluate", text, text, "--metric", "ter"});
  EXPECT_NE(ter.out.find("ref_len 123460"), std::string::npos) << ter.out << ter.err;
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
           {{}, 2, "or --ref FILE"},
           {{"--hyp", one}, 2, "or --ref FILE"},
           {{one}, 2, "evaluate HYP REF, or --ref FILE"},
           {{one, ref, "--hyp", one}, 2, "--hyp names the first file again"},
           {{one, ref, "--bootstrap", "-", "--hyp", "-"}, 2, "--hyp names the first file again"},
           {{ref, ref, "--bootstrap", one}, 3, ref + " has 2 lines, " + one + " has 1"},
           {{ref, ref, "--bootstrap", ref, "--sentence-level"}, 2, "leave --bootstrap"},
           {{"--hyp", one, "--alignment-ref", one, "--alignment", one}, 2, "need --ref"},
           {{one, ref, "--beam", "2"}, 2, "--beam and --length-penalty need --model DIR"},
           {{"--model", one, ref}, 3, one + ": not a folder"},
           {{"--ref", "-"}, 2, "standard input can be read once"},
           {{"--ref", ref, "--metric", "blue"}, 2, "did you mean 'bleu'?"},
           {{"--ref", ref, "--metric", ""}, 2, "no metric is called ''"},
           {{"--ref", ref, "--tokenize", "13"}, 2, "no tokenizer is called '13'"},
       }) {
    std::vector<std::string> arguments = c.arguments;
    arguments.insert(arguments.begin(), "evaluate");
    const Outcome outcome = run_regard(arguments);
    EXPECT_EQ(outcome.code, c.code) << outcome.err;
    EXPECT_EQ(outcome.out, "");
    EXPECT_NE(outcome.err.find(c.message), std::string::npos) << outcome.err << c.message;
  }
}

TEST(Evaluate, NamesBadFilesBeforeAModelIsLoaded) {
  const Folder folder;
  const std::string model = write_small_model(folder), absent = folder.path("absent");
  folder.write("m/model.safetensors", "no weights");  // which loading would complain of
  const std::string src = folder.write("src", "a b\nc\n"), ref = folder.write("ref", "A\nB\n");
  const std::string one = folder.write("one", "A\n");
  const std::string numbers = src + " has 2 lines, " + one + " has 1";
  for (const auto& [more, message] : std::vector<std::pair<std::vector<std::string>, std::string>>{
           {{absent}, absent + ": cannot open"},
           {{one}, numbers},
           {{ref, one}, numbers},
           {{ref, "--bootstrap", absent}, absent + ": cannot open"},
           {{ref, "--bootstrap", one}, numbers},
           {{ref, "--alignment", absent, "--alignment-ref", absent}, absent + ": cannot open"},
           {{ref}, "model.safetensors"}}) {
    std::vector<std::string> arguments{"evaluate", "-m", model, src};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const Outcome outcome = run_regard(arguments);
    EXPECT_EQ(outcome.code, 3) << outcome.err;
    EXPECT_NE(outcome.err.find(message), std::string::npos) << outcome.err << message;
  }
  // A pipe may be slow, and is read last: empty, it would be refused itself.
  const Outcome piped = run_regard({"evaluate", "--ref", absent});
  EXPECT_NE(piped.err.find(absent + ": cannot open"), std::string::npos) << piped.err;
}

TEST(Evaluate, NamesUnknownWordsAsTranslateDoes) {
  const Folder folder;
  const std::string model = write_small_model(folder);
  const std::string src = folder.write("src", "a zebra\nokapi zebra\n");
  const std::string ref = folder.write("ref", "A\nB\n");
  const Outcome outcome = run_regard({"evaluate", "-m", model, src, ref});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.err.find("2 words are not in the source vocabulary, read as <unk>: "
                             "'zebra' (2 times, first in line 1), 'okapi' (line 2)"),
            std::string::npos)
      << outcome.err;
  EXPECT_EQ(outcome.err, run_regard({"translate", "-m", model, src}).err);
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
