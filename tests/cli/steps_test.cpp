// Attention by hand: projections, every step, gradients, and the page of them.
#include "regard/cli/attend/steps.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "regard/cli/attend/result.h"
#include "tests/cli/program.h"
#include "tests/support/law.h"
#include "tests/viewer/picture_law.h"

namespace regard {
namespace {

using testing::Folder;
using testing::Outcome;
using testing::run_regard;

const std::vector<std::string> kByHand{"attend", "--x",     "1,0;0,1;1,1", "--wq",    "1,2;3,4",
                                       "--bq",   "10,20",   "--wk",        "1,0;0,1", "--wv",
                                       "1;2",    "--score", "dot",         "--wo",    "1,-1",
                                       "--bo",   "0,5",     "--labels",    "a,b,c"};

nlohmann::json steps_json(std::vector<std::string> arguments,
                          const std::vector<std::string>& more = {"--steps"}) {
  arguments.insert(arguments.end(), more.begin(), more.end());
  arguments.push_back("--json");
  const Outcome outcome = run_regard(arguments);
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  return outcome.code == 0 ? outcome.json() : nlohmann::json();
}

nlohmann::json step(const nlohmann::json& all, const std::string& name) {
  for (const auto& each : all["steps"])
    if (each["name"] == name) return each;
  ADD_FAILURE() << "no step " << name;
  return {};
}

TEST(Steps, AreTheNumbersOfPaperInTheirOrder) {
  const auto all = steps_json(kByHand);
  std::vector<std::string> names;
  for (const auto& each : all["steps"]) {
    names.push_back(each["name"]);
    EXPECT_FALSE(each.contains("gradient"));
  }
  EXPECT_EQ(names, (std::vector<std::string>{"x", "Wq", "bq", "q", "Wk", "k", "Wv", "v", "scores",
                                             "weights", "mixed", "Wo", "bo", "output"}));
  EXPECT_EQ(step(all, "q")["value"], nlohmann::json({{11, 22}, {13, 24}, {14, 26}}));
  EXPECT_EQ(step(all, "v")["value"], nlohmann::json({{1}, {2}, {3}}));
  EXPECT_EQ(step(all, "scores")["value"],
            nlohmann::json({{11, 22, 33}, {13, 24, 37}, {14, 26, 40}}));
  EXPECT_TRUE(step(all, "x")["equation"].is_null());
  EXPECT_EQ(step(all, "q")["equation"], "x Wq + bq");
  EXPECT_EQ(step(all, "k")["equation"], "x Wk");
  EXPECT_EQ(step(all, "scores")["equation"], "q k'");
  EXPECT_EQ(step(all, "weights")["equation"], "softmax(scores) of each row");
  EXPECT_EQ(step(all, "output")["equation"], "mixed Wo + bo");
  // The last row looks at the last key but for e^-14.
  EXPECT_NEAR(step(all, "mixed")["value"][2][0].get<double>(), 3, 2e-6);
  EXPECT_NEAR(step(all, "output")["value"][2][1].get<double>(), 5 - 3, 2e-6);
  EXPECT_EQ(step(all, "weights")["value"], all["weights"]);
  EXPECT_EQ(step(all, "output")["value"], all["output"]);
}

TEST(Steps, ProjectedIsAsIfGiven) {
  const auto projected = steps_json({"attend", "--x", "1,0;0,1;1,1", "--y", "2,1;0,3", "--wq",
                                     "1,2;3,4", "--wk", "1,1;0,1", "--wv", "5,6;7,8"},
                                    {});
  const auto given = steps_json(
      {"attend", "--query", "1,2;3,4;4,6", "--key", "2,3;0,3", "--value", "17,20;21,24"}, {});
  EXPECT_EQ(projected["output"], given["output"]);
  EXPECT_EQ(projected["weights"], given["weights"]);
  EXPECT_EQ(projected["key_labels"], nlohmann::json({"y1", "y2"}));
  EXPECT_FALSE(projected.contains("steps"));
  // --x alone is --query alone.
  EXPECT_EQ(steps_json({"attend", "--x", "1,0;0,1"}, {})["output"],
            steps_json({"attend", "--query", "1,0;0,1"}, {})["output"]);
}

TEST(Steps, ShowWhatTheMaskHides) {
  const auto all = steps_json({"attend", "--x", "1,0;0,2", "--mask", "causal"}, {"--gradient"});
  EXPECT_EQ(step(all, "scores")["value"], nlohmann::json({{1, 0}, {0, 4}}));
  EXPECT_EQ(step(all, "scaled")["equation"], "scores / sqrt(2)");
  EXPECT_TRUE(step(all, "masked")["value"][0][1].is_null());
  EXPECT_EQ(step(all, "masked")["gradient"][0], nlohmann::json({0, 0}));
  EXPECT_EQ(step(all, "weights")["value"][0], nlohmann::json({1, 0}));
}

TEST(Steps, CallThingsByTheirNames) {
  const auto equation = [](const std::vector<std::string>& more, const std::string& name) {
    std::vector<std::string> arguments{"attend", "--x", "1,0;0,2"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return step(steps_json(arguments), name)["equation"];
  };
  EXPECT_EQ(equation({}, "scores"), "x x'");
  EXPECT_EQ(equation({"--score", "dot", "--y", "1,1"}, "scores"), "x y'");
  EXPECT_EQ(equation({"--wk", "1,0;0,1", "--heads", "2"}, "scores"), "x_h k_h'");
  EXPECT_EQ(equation({"--heads", "2"}, "output"), "weights_h x_h, the heads side by side");
  EXPECT_EQ(equation({"--score", "gaussian"}, "scores"), "-|q - k|^2 / 2 with q = x, k = x");
}

TEST(Steps, GradientsOfTwoTokensByHand) {
  // The weights of the only query are 1/2 each. loss = output, so that
  // d weights = v' = (2, 6), d scores = weights * (d weights - 4) = (-1, 1).
  const auto all =
      steps_json({"attend", "--query", "0", "--key", "1;3", "--value", "2;6"}, {"--gradient"});
  EXPECT_EQ(all["loss"], "sum of the output");
  EXPECT_EQ(step(all, "weights")["gradient"], nlohmann::json({{2, 6}}));
  EXPECT_EQ(step(all, "scaled")["gradient"], nlohmann::json({{-1, 1}}));
  EXPECT_EQ(step(all, "query")["gradient"], nlohmann::json({{-1 * 1 + 1 * 3}}));
  EXPECT_EQ(step(all, "key")["gradient"], nlohmann::json({{0}, {0}}));
  EXPECT_EQ(step(all, "value")["gradient"], nlohmann::json({{0.5}, {0.5}}));
  const auto twice = steps_json({"attend", "--query", "0", "--key", "1;3", "--value", "2;6"},
                                {"--output-gradient", "2"});
  EXPECT_EQ(step(twice, "output")["gradient"], nlohmann::json({{2}}));
  EXPECT_EQ(step(twice, "scaled")["gradient"], nlohmann::json({{-2, 2}}));
}

std::string random_matrix(testing::Draw& draw, const std::string& name, Index rows, Index columns) {
  const Tensor values = Tensor::uniform({rows, columns}, draw.rng(name), Dtype::f64);
  std::string out;
  for (Index i = 0; i < rows * columns; ++i)
    out += (i == 0             ? ""
            : i % columns == 0 ? ";"
                               : ",") +
           std::to_string(values.span<f64>()[static_cast<std::size_t>(i)]);
  return out;
}

/// Two heads of width 2 on three tokens, and in half of the cases two others that are asked.
AttendRequest random_request(testing::Draw& draw, const Mechanism& mechanism) {
  AttendOptions options;
  options.score = std::string(mechanism.name);
  options.x = random_matrix(draw, "x", 3, 3);
  if (draw.coin()) options.y = random_matrix(draw, "y", 2, 3);
  options.heads = draw.coin() ? 2 : 1;
  if (draw.coin()) options.masks = {"causal"};
  for (ProjectionOptions* by : {&options.wq, &options.wk, &options.wv, &options.wo}) {
    by->weight = random_matrix(draw, by->weight_name(), by == &options.wo ? 4 : 3, 4);
    if (draw.coin()) by->bias = random_matrix(draw, by->bias_name(), 1, 4);
  }
  options.output_gradient = random_matrix(draw, "gradient", 3, 4);
  return understand(options);
}

double loss(const AttendRequest& request) {
  const Tensor output = attend(request).output;
  double sum = 0;
  for (std::size_t i = 0; i < output.span<f64>().size(); ++i)
    sum += output.span<f64>()[i] * request.output_gradient->span<f64>()[i];
  return sum;
}

const Step& step_of(const Steps& steps, const std::string& name) {
  return *std::ranges::find(steps.all, name, &Step::name);
}

/// Moves each element of what was given and sees what that does to the loss.
void expect_gradient(const AttendRequest& request, const Steps& steps, const std::string& name,
                     Tensor given) {
  const auto values = given.span<f64>();
  const auto gradient = step_of(steps, name).gradient->span<f64>();
  ASSERT_EQ(values.size(), gradient.size());
  constexpr double kStep = 1e-5;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double value = values[i];
    values[i] = value + kStep;
    const double above = loss(request);
    values[i] = value - kStep;
    const double below = loss(request);
    values[i] = value;
    EXPECT_NEAR(gradient[i], (above - below) / (2 * kStep), 1e-7) << name << ", element " << i;
  }
}

TEST(Steps, AreTheNumbersOfAttentionAndTheirGradientsThoseOfFiniteDifferences) {
  for (const Mechanism* mechanism : all_mechanisms())
    testing::law("steps of " + std::string(mechanism->name), 6, [&](testing::Draw& draw) {
      const AttendRequest request = random_request(draw, *mechanism);
      const Steps steps = steps_of(request, true);
      const AttendResult result = attend(request);
      const auto equal = [&](const char* name, const Tensor& expected) {
        const Tensor value = step_of(steps, name).value.values;
        EXPECT_EQ(value.values(), expected.values()) << name;
      };
      equal("q", result.q);
      equal("k", result.k);
      equal("v", result.v);
      equal("weights", result.weights);
      equal("output", result.output);
      expect_gradient(request, steps, request.query.name, request.query.rows);
      if (request.key.name == "y") expect_gradient(request, steps, "y", request.key.rows);
      for (const Projection* by : {&request.query.projection, &request.key.projection,
                                   &request.value.projection, &request.output}) {
        expect_gradient(request, steps, "W" + by->letter, *by->weight);
        if (by->bias) expect_gradient(request, steps, "b" + by->letter, *by->bias);
      }
    });
}

/// The loss as it follows from scores [T, S] and values [S, D] of one head.
double loss_from(const Tensor& scores, const Tensor& values, const Tensor& gradient) {
  double sum = 0;
  for (Index t = 0; t < scores.size(0); ++t) {
    double total = 0;
    for (Index s = 0; s < scores.size(1); ++s) total += std::exp(scores.at({t, s}));
    for (Index s = 0; s < scores.size(1); ++s)
      for (Index d = 0; d < values.size(1); ++d)
        sum += std::exp(scores.at({t, s})) / total * values.at({s, d}) * gradient.at({0, t, d});
  }
  return sum;
}

TEST(Steps, GradientsInBetweenAreThoseOfFiniteDifferencesToo) {
  testing::law("gradient of the scores", 10, [](testing::Draw& draw) {
    AttendOptions options;
    options.x = random_matrix(draw, "x", 3, 2);
    options.y = random_matrix(draw, "y", 4, 2);
    options.output_gradient = random_matrix(draw, "gradient", 3, 2);
    const AttendRequest request = understand(options);
    const Steps steps = steps_of(request, true);
    const Tensor values = matrix_at(step_of(steps, "y").value.values, 0);
    Tensor scaled = matrix_at(step_of(steps, "scaled").value.values, 0);
    EXPECT_NEAR(loss_from(scaled, values, *request.output_gradient), loss(request), 1e-12);
    const auto all = scaled.span<f64>();
    for (std::size_t i = 0; i < all.size(); ++i) {
      const double value = all[i];
      all[i] = value + 1e-5;
      const double above = loss_from(scaled, values, *request.output_gradient);
      all[i] = value - 1e-5;
      const double below = loss_from(scaled, values, *request.output_gradient);
      all[i] = value;
      const double slope = (above - below) / 2e-5;
      EXPECT_NEAR(step_of(steps, "scaled").gradient->span<f64>()[i], slope, 1e-8);
      EXPECT_NEAR(step_of(steps, "scores").gradient->span<f64>()[i], slope / std::sqrt(2), 1e-8);
    }
  });
}

TEST(Steps, AreReadableInATerminal) {
  std::vector<std::string> arguments = kByHand;
  arguments.push_back("--gradient");
  const Outcome outcome = run_regard(arguments);
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  for (const char* line :
       {"\nloss: sum of the output\n", "\nx [3, 2], given\n", "\nq [3, 2] = x Wq + bq\n",
        "\ngradient of q\n", "\noutput [3, 2] = mixed Wo + bo\n", "  c  14  26\n"})
    EXPECT_NE(outcome.out.find(line), std::string::npos) << line << "\n" << outcome.out;
  for (const std::string& line : plain_lines(outcome.out)) EXPECT_LE(line.size(), 100u) << line;
}

/// The values of an attribute, one after another.
std::vector<std::string> attributes(const std::string& page, const std::string& name) {
  std::vector<std::string> all;
  const std::string start = " " + name + "=\"";
  for (std::size_t at = page.find(start); at != page.npos; at = page.find(start, at + 1)) {
    const std::size_t from = at + start.size();
    all.push_back(page.substr(from, page.find('"', from) - from));
  }
  return all;
}

TEST(Steps, AreAPageThatNeedsNothingElse) {
  const Folder folder;
  const std::string strange = "<script>&\"x\",b,c";
  for (const char* extra : {"--steps", "--gradient"}) {
    const Outcome outcome =
        run_regard({"attend", "--x", "1,0,2,1;0,1,1,0;1,1,0,2", "--mask", "causal", "--heads", "2",
                    "--labels", strange, extra, "--html", folder.path("a.html"), "--overwrite"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const std::string page = folder.read("a.html");
    const std::string doctype = "<!DOCTYPE html>\n";
    ASSERT_TRUE(page.starts_with(doctype));
    EXPECT_EQ(xml_fault(page.substr(doctype.size())), "");
    for (const char* other : {"<script", " src=", " href=", "@import", "<link", "https:"})
      EXPECT_EQ(page.find(other), std::string::npos) << other;
    EXPECT_EQ(count(page, "http:"), count(page, "xmlns=\"http://www.w3.org/2000/svg\""));
    const std::vector<std::string> names = attributes(page, "id");
    EXPECT_EQ(std::set(names.begin(), names.end()).size(), names.size()) << "names are unique";
    for (const std::string& fill : attributes(page, "fill")) {
      if (!fill.starts_with("url(")) continue;
      EXPECT_EQ(std::ranges::count(names, fill.substr(5, fill.size() - 6)), 1) << fill;
    }
    const bool gradients = extra == std::string("--gradient");
    EXPECT_EQ(count(page, "<svg "), gradients ? 12u : 6u);  // x, scores, scaled, masked, ...
    EXPECT_EQ(count(page, "<details>"), count(page, "<svg "));
    EXPECT_NE(page.find("<b>masked</b> = scaled, without"), std::string::npos);
    EXPECT_EQ(count(page, "prefers-color-scheme: dark"), 1u);
  }
  // Alone, it leaves what is printed as it is.
  EXPECT_EQ(run_regard({"attend", "--x", "1,2", "--html", folder.path("b.html")}).out,
            run_regard({"attend", "--x", "1,2"}).out);
}

TEST(GivenWeights, AreDrawnAsTheyAre) {
  const std::vector<std::string> table{"attend",
                                       "--weights",
                                       ".72,.1,.06,.06,.06;.1,.12,.7,.05,.03;.05,.05,.1,.75,.05",
                                       "--query-labels",
                                       "Le,chat,est",
                                       "--key-labels",
                                       "The,black,cat,is,here"};
  const Outcome shown = run_regard(table);
  ASSERT_EQ(shown.code, 0);
  EXPECT_EQ(shown.err, "");
  EXPECT_TRUE(shown.out.starts_with("weights: as they were given\n")) << shown.out;
  EXPECT_NE(shown.out.find("  chat   0.10   0.12   0.70   0.05   0.03\n"), std::string::npos)
      << shown.out;
  const auto json = steps_json(table, {});
  EXPECT_EQ(json["weights"][1], nlohmann::json({.1, .12, .7, .05, .03}));
  EXPECT_EQ(json["query_labels"], nlohmann::json({"Le", "chat", "est"}));
  std::vector<std::string> drawing = table;
  drawing.insert(drawing.end(), {"--svg", "-"});
  const std::string svg = run_regard(drawing).out;
  EXPECT_EQ(xml_fault(svg), "");
  EXPECT_NE(svg.find("chat → cat: 0.7<"), std::string::npos) << svg;
  const auto heads = steps_json({"attend", "--weights", "[[[1,0]],[[0.5,0.5]]]"}, {});
  EXPECT_EQ(heads["heads"], 2);
  EXPECT_EQ(heads["weights"], nlohmann::json({{{1, 0}}, {{0.5, 0.5}}}));
}

TEST(GivenWeights, AreSaidToBeNoneIfTheyAre) {
  const auto said = [](const std::string& weights) {
    const Outcome outcome = run_regard({"attend", "--weights", weights});
    EXPECT_EQ(outcome.code, 0);
    return outcome.err;
  };
  EXPECT_EQ(said("0.33,0.33,0.33;0,0,0"), "") << "rounded, and a query that sees nothing";
  EXPECT_EQ(said("1,0;0.5,0.4"),
            "regard: warning: --weights: row 2 (q2) sums to 0.9; weights of a query sum to 1 "
            "(within 0.02)\n");
  EXPECT_EQ(said("[[[1,0]],[[1.5,-0.5]]]"),
            "regard: warning: --weights: head 2, row 1 (q1) holds -0.5; weights are 0 or more\n");
}

}  // namespace
}  // namespace regard
