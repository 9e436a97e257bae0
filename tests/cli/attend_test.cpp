#include <gtest/gtest.h>

#include "regard/attention/mechanism.h"
#include "tests/cli/program.h"

namespace regard {
namespace {

using testing::Folder;
using testing::Outcome;
using testing::run_regard;
using Matrix = std::vector<std::vector<double>>;

const std::string kThree = "1,3,2;1,1,3;1,2,1";
/// kThree as NumPy saves it, in Fortran order: a column after another.
std::string three_as_npy() {
  const std::string header = "{'descr': '<i4', 'fortran_order': True, 'shape': (3, 3), }";
  const int columns[]{1, 1, 1, 3, 1, 2, 2, 3, 1};
  return "\x93NUMPY\x01" + std::string{'\0', static_cast<char>(header.size()), '\0'} + header +
         std::string(reinterpret_cast<const char*>(columns), sizeof columns);
}

nlohmann::json attend(std::vector<std::string> arguments,
                      const testing::Surroundings& surroundings = {}) {
  arguments.insert(arguments.begin(), "attend");
  arguments.push_back("--json");
  const Outcome outcome = run_regard(arguments, surroundings);
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.err, "");
  return outcome.code == 0 ? outcome.json() : nlohmann::json();
}

void expect_near(const nlohmann::json& got, const Matrix& expected, double tolerance) {
  ASSERT_EQ(got.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    ASSERT_EQ(got[i].size(), expected[i].size());
    for (std::size_t j = 0; j < expected[i].size(); ++j)
      EXPECT_NEAR(got[i][j].get<double>(), expected[i][j], tolerance) << i << ", " << j;
  }
}

TEST(Attend, GivesTheNumbersOfThreeVectors) {
  const auto plain = attend({"--query", kThree, "--score", "dot"});
  EXPECT_EQ(plain["schema"], 1);
  EXPECT_EQ(plain["mechanism"], "dot");
  expect_near(plain["scores"], {{14, 10, 9}, {10, 11, 6}, {9, 6, 6}}, 0);
  expect_near(
      plain["weights"],
      {{.975559, .017868, .006573}, {.267623, .727475, .004902}, {.909443, .045279, .045279}},
      5e-7);
  expect_near(plain["output"], {{1, 2.957691, 2.011295}, {1, 1.540148, 2.722573}, {1, 2.864164, 2}},
              5e-7);
  const auto scaled = attend({"--query", kThree});
  EXPECT_EQ(scaled["mechanism"], "scaled-dot");
  expect_near(
      scaled["weights"],
      {{.865743, .085986, .048271}, {.347146, .618375, .034479}, {.738638, .130681, .130681}},
      5e-7);
}

TEST(Attend, GivesTheNumbersOfFiveTokens) {
  const auto five = attend({"--query", "1,0,1,0;0,1,0,1;1,1,0,0;0,0,1,1;1,.5,.5,0"});
  expect_near(five["scores"],
              {{1, 0, .5, .5, .75},
               {0, 1, .5, .5, .25},
               {.5, .5, 1, 0, .75},
               {.5, .5, 0, 1, .25},
               {.75, .25, .75, .25, .75}},
              0);
  expect_near(five["weights"],
              {{.2976, .1095, .1805, .1805, .2318},
               {.1205, .3275, .1986, .1986, .1547},
               {.1805, .1805, .2976, .1095, .2318},
               {.1986, .1986, .1205, .3275, .1547},
               {.2374, .1440, .2374, .1440, .2374}},
              5e-5);
}

TEST(Attend, GivesTheFixedExampleOfValidLengths) {
  // Keys all ones (2, 10, 2), values 0 .. 39 as (10, 4) for both batch rows.
  nlohmann::json one = nlohmann::json::array(), values = nlohmann::json::array();
  for (int s = 0; s < 10; ++s) {
    one.push_back({1, 1});
    values.push_back({4 * s, 4 * s + 1, 4 * s + 2, 4 * s + 3});
  }
  const Folder folder;
  for (const auto& [score, width] : {std::pair("additive", 20), std::pair("scaled-dot", 2)}) {
    nlohmann::json query = nlohmann::json::array();
    for (int b = 0; b < 2; ++b) {
      query.push_back({nlohmann::json::array()});
      for (int i = 0; i < width; ++i) query[b][0].push_back(0.37 * i - b);
    }
    const nlohmann::json all{{"query", query}, {"key", {one, one}}, {"value", {values, values}}};
    const auto got = attend({"--query", folder.write("all.json", all.dump()), "--score", score,
                             "--valid-lens", "2,6", "--seed", "3"});
    ASSERT_EQ(got["batch"], 2);
    expect_near(got["output"][0], {{2, 3, 4, 5}}, 1e-12);
    expect_near(got["output"][1], {{10, 11, 12, 13}}, 1e-12);
    EXPECT_EQ(got["weights"][0][0][2], 0);
    EXPECT_TRUE(got["scores"][1][0][6].is_null());
  }
}

TEST(Attend, CrossAttentionTakesKeysAndValuesOfTheirOwn) {
  const auto cross =
      attend({"--query", "1,0;0,1;1,1", "--key", "1,0;0,1;1,1;2,0;0,2", "--value", "1;2;3;4;5"});
  ASSERT_EQ(cross["weights"].size(), 3u);
  for (const auto& row : cross["weights"]) {
    ASSERT_EQ(row.size(), 5u);
    double sum = 0;
    for (const auto& weight : row) sum += weight.get<double>();
    EXPECT_NEAR(sum, 1, 1e-12);
  }
  EXPECT_EQ(cross["output"][0].size(), 1u);
  // A key alone is its own value.
  EXPECT_EQ(attend({"--query", "1,0", "--key", "1,2;3,4"})["output"],
            attend({"--query", "1,0", "--key", "1,2;3,4", "--value", "1,2;3,4"})["output"]);
}

TEST(Attend, MasksHideAndJoin) {
  const auto causal = attend({"--query", kThree, "--mask", "causal"});
  EXPECT_EQ(causal["weights"][0], nlohmann::json({1, 0, 0}));
  EXPECT_TRUE(causal["scores"][1][2].is_null());
  EXPECT_EQ(causal["output"][0], nlohmann::json({1, 3, 2}));
  for (const char* same : {"1,0,0;1,1,0;1,1,1", "window:2,0", "[[1,0,0],[1,1,0],[1,1,1]]"})
    EXPECT_EQ(attend({"--query", kThree, "--mask", same}), causal) << same;
  EXPECT_EQ(attend({"--query", kThree, "--valid-lens", "1,2,3"}), causal);
  EXPECT_EQ(attend({"--query", kThree, "--mask", "window:1,0"}),
            attend({"--query", kThree, "--mask", "causal", "--mask", "1,1,1;1,1,1;0,1,1"}));
  // Nobody to look at: zeros, not NaN.
  EXPECT_EQ(attend({"--query", kThree, "--valid-lens", "0"})["output"][2],
            nlohmann::json({0, 0, 0}));
}

TEST(Attend, WhatIsHiddenMayBeBeyondAllNumbers) {
  const auto got =
      attend({"--query", "1e200;1", "--key", "1;1e200", "--mask", "causal", "--score", "dot"});
  EXPECT_TRUE(got["scores"][0][1].is_null());
  EXPECT_EQ(got["weights"], nlohmann::json({{1, 0}, {0, 1}}));
  // What is too small for a number is 0.
  EXPECT_EQ(attend({"--query", "1e-400,-1e-999;1,2"}), attend({"--query", "0,0;1,2"}));
}

TEST(Attend, TellsANewcomerWhatHiddenMeans) {
  const auto text = [](std::vector<std::string> more) {
    more.insert(more.begin(), {"attend", "--query", kThree});
    return run_regard(more).out;
  };
  EXPECT_EQ(text({}).find("hidden by the mask"), std::string::npos);
  const std::string causal = text({"--mask", "causal"});
  EXPECT_NE(causal.find("- : hidden by the mask"), std::string::npos);
  EXPECT_NE(causal.find("each row sums to 1"), std::string::npos);
  const std::string blind = text({"--valid-lens", "0"});
  EXPECT_EQ(blind.find("each row sums to 1"), std::string::npos);
  EXPECT_NE(blind.find("or is 0 where all is hidden"), std::string::npos);
}

TEST(Attend, NamesEveryPanelAndMarksWhatIsLeftOut) {
  const std::string batches = "[[[1,2,3,4,5,6]],[[1,2,3,4,5,6]]]";
  std::string rows, labels = "a";
  const std::string panels = run_regard({"attend", "--query", batches, "--heads", "3"}).out;
  for (const char* name : {"b1 h1", "b1 h3", "b2 h1", "b2 h3"})
    EXPECT_NE(panels.find(name), std::string::npos) << name;
  for (int i = 0; i < 30; ++i) rows += "1;";
  for (int i = 1; i < 30; ++i) labels += ",a";
  const std::string many =
      run_regard({"attend", "-q", "--query", rows, "--labels", labels, "--score", "dot"}).out;
  EXPECT_NE(many.find("\n  ..  .."), std::string::npos) << many;
  EXPECT_EQ(many.find('~'), std::string::npos) << many;
}

TEST(Attend, HeadsShareTheWidth) {
  const auto both = attend({"--query", "1,2,3,4;5,6,7,8", "--heads", "2"});
  const auto first = attend({"--query", "1,2;5,6"}), second = attend({"--query", "3,4;7,8"});
  EXPECT_EQ(both["heads"], 2);
  EXPECT_EQ(both["weights"], nlohmann::json({first["weights"], second["weights"]}));
  for (int t = 0; t < 2; ++t)
    EXPECT_EQ(both["output"][t], nlohmann::json({first["output"][t][0], first["output"][t][1],
                                                 second["output"][t][0], second["output"][t][1]}));
}

TEST(Attend, ReadsEveryFormatAlike) {
  const auto expected = attend({"--query", kThree});
  const Folder folder;
  const std::vector<std::pair<std::string, std::string>> files{
      {"commas.csv", "1,3,2\n1,1,3\n1,2,1\n"},
      {"windows.csv",
       "\xef\xbb\xbf"
       "a,b,c\r\n1,3,2\r\n1,1,3\r\n\r\n1,2,1"},
      {"tabs.tsv", "1\t3\t2\n1\t1\t3\n1\t2\t1\n"},
      {"semicolons.csv", "1;3;2\n1;1;3\n1;2;1\n"},
      {"numpy.txt", "# made by numpy.savetxt\n1.0e+00 3.0e+00 2.0e+00\n1 1 3\n  1   2 +1\n"},
      {"rows.json", "[[1, 3, 2],\n [1, 1, 3.0],\n [1e0, 2, 1]]"},
      {"columns.npy", three_as_npy()},
      {"named.json", R"({"query": [[1,3,2],[1,1,3],[1,2,1]]})"},
  };
  for (const auto& [name, content] : files) {
    EXPECT_EQ(attend({"--query", folder.write(name, content)}), expected) << name;
    EXPECT_EQ(attend({"--query", "-"}, {.input = content}), expected) << name;
  }
  for (const char* text : {"1 3 2;1 1 3;1 2 1", " 1, 3, 2; 1,1,3; 1,2,1; ",
                           "[[1,3,2],[1,1,3],[1,2,1]]", "1,3,2\n1,1,3\n1,2,1"})
    EXPECT_EQ(attend({"--query", text}), expected) << text;
  EXPECT_EQ(attend({"--query", "-.5,-1;2,-.25"}), attend({"--query=-0.5,-1;2,-0.25"}));
}

TEST(Attend, ComputesEveryMechanismAndListsIt) {
  const Outcome list = run_regard({"attend", "--list"});
  const auto named = run_regard({"attend", "--list", "--json"}).json()["mechanisms"];
  ASSERT_EQ(named.size(), all_mechanisms().size());
  for (std::size_t i = 0; i < named.size(); ++i) {
    const Mechanism& mechanism = *all_mechanisms()[i];
    EXPECT_EQ(named[i]["name"], mechanism.name);
    EXPECT_NE(list.out.find(mechanism.formula), std::string::npos);
    EXPECT_NE(list.out.find(mechanism.paper), std::string::npos);
    const std::vector<std::string> arguments{
        "--query", kThree, "--score", std::string(mechanism.name), "--seed", "7"};
    const auto got = attend(arguments);
    EXPECT_EQ(got["mechanism"], mechanism.name);
    EXPECT_EQ(got["output"].size(), 3u);
    EXPECT_EQ(attend(arguments), got) << "same seed, same numbers";
  }
  EXPECT_NE(attend({"--query", kThree, "--score", "bilinear", "--seed", "1"}),
            attend({"--query", kThree, "--score", "bilinear", "--seed", "2"}));
}

}  // namespace
}  // namespace regard
