#include "regard/train/optimiser.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "regard/base/check.h"
#include "regard/train/schedule.h"
#include "tests/support/gradcheck.h"
#include "tests/support/law.h"

namespace regard {
namespace {

using testing::Draw;
using testing::law;

/// A parameter of one optimiser, and what a person would compute of it with pen and paper.
struct Course {
  const Optimiser& optimiser;
  TrainSpec spec;
  Tensor weight;
  std::vector<Tensor> memory{};
  // The closed form keeps every gradient seen: no running mean that could be wrong in the same way.
  std::vector<std::vector<double>> seen{};
  std::vector<double> expected{};

  Course(std::string_view name, TrainSpec spec_, Dtype dtype)
      : optimiser(find_optimiser(name)), spec(std::move(spec_)) {
    weight = Tensor::normal({5}, Rng(1), dtype);
    for (int i = 0; i < optimiser.memories; ++i) memory.emplace_back(weight.shape(), dtype);
    expected = weight.values();
  }

  void step(const Tensor& gradient, Index t, double rate) {
    Update update{weight, gradient, memory, t, rate, 0.5};
    optimiser.update(spec, update);
    std::vector<double>& kept = seen.emplace_back(gradient.values());
    for (double& each : kept) each *= 0.5;
    for (std::size_t i = 0; i < expected.size(); ++i) move(i, t, rate);
  }

  void move(std::size_t i, Index t, double rate) {
    double first = 0, second = 0, weight1 = 1, weight2 = 1;
    const bool sgd = optimiser.name == "sgd";
    for (auto g = seen.rbegin(); g != seen.rend(); ++g) {
      first += weight1 * (*g)[i] * (sgd ? 1 : 1 - spec.beta1);
      second += weight2 * (*g)[i] * (*g)[i] * (1 - spec.beta2);
      weight1 *= sgd ? spec.momentum : spec.beta1;
      weight2 *= spec.beta2;
    }
    const double decay = optimiser.name == "adam" ? 0 : spec.weight_decay;
    const double correction1 = 1 - std::pow(spec.beta1, t),
                 correction2 = 1 - std::pow(spec.beta2, t);
    const double change =
        sgd ? first : first / correction1 / (std::sqrt(second / correction2) + spec.adam_epsilon);
    expected[i] = expected[i] * (1 - rate * decay) - rate * change;
  }
};

/// Property 37.
TEST(Optimisers, FollowTheClosedFormFor1000Steps) {
  for (const Optimiser* each : all_optimisers()) {
    Course course(each->name, {.beta1 = 0.9, .beta2 = 0.98, .weight_decay = 0.1}, Dtype::f64);
    for (Index t = 1; t <= 1000; ++t) {
      const double rate = 1e-2 * find_schedule("inverse-sqrt").share({.warmup = 100}, t, 0);
      course.step(Tensor::normal({5}, Rng(2).fork(static_cast<std::uint64_t>(t)), Dtype::f64), t,
                  rate);
    }
    for (std::size_t i = 0; i < 5; ++i)
      EXPECT_NEAR(course.weight.values()[i], course.expected[i], 1e-11) << each->name;
  }
}

TEST(Optimisers, AreFiniteAtTheEdges) {  // covers NU11
  for (const Optimiser* each : all_optimisers())
    for (const double g : {0.0, 1e-30, -1e-30, 1e20})
      for (const Index t : {Index{1}, Index{1000}, Index{1} << 31}) {
        Tensor weight = Tensor::full({3}, 0.5);
        std::vector<Tensor> memory(static_cast<std::size_t>(each->memories));
        for (Tensor& one : memory) one = Tensor({3});
        Update update{weight, Tensor::full({3}, g), memory, t, 1e-3, 1};
        each->update({.weight_decay = 0.01}, update);
        for (const double w : weight.values()) {
          EXPECT_TRUE(std::isfinite(w)) << each->name << ", gradient " << g << ", step " << t;
          if (g == 0) {
            EXPECT_NEAR(w, each->name == "adam" ? 0.5 : 0.5 * (1 - 1e-5), 1e-7) << each->name;
          }
        }
        for (const Tensor& one : memory)
          for (const double m : one.values()) EXPECT_TRUE(std::isfinite(m)) << each->name;
      }
}

/// At step 2^31 the means need no correction any more, at step 1 the correction undoes their start.
TEST(Adam, CorrectsItsStart) {  // covers NU11
  for (const Index t : {Index{1}, Index{1} << 31}) {
    Tensor weight({1}, Dtype::f64);
    const double beta1 = 0.9, beta2 = 0.98;
    std::vector<Tensor> memory{Tensor({1}, Dtype::f64), Tensor({1}, Dtype::f64)};
    if (t > 1) memory[0].fill(2), memory[1].fill(4);
    Update update{weight, Tensor::full({1}, 2, Dtype::f64), memory, t, 1e-3, 1};
    find_optimiser("adam").update({.beta1 = beta1, .beta2 = beta2}, update);
    EXPECT_NEAR(weight.item(), -1e-3, 1e-11) << t;
  }
}

TEST(Schedules, AreTheirFormulas) {
  law("share of the highest rate", 300, [](Draw& draw) {
    const Index warmup = draw.integer(0, 50), last = draw.integer(1, 400);
    const Index step = draw.integer(1, last);
    const TrainSpec spec{.warmup = warmup};
    const auto t = static_cast<double>(step), w = static_cast<double>(warmup);
    const auto share = [&](const char* name) {
      return find_schedule(name).share(spec, step, last);
    };

    EXPECT_DOUBLE_EQ(share("constant"), step >= warmup ? 1 : t / w);
    const double bend = std::max(w, 1.0);
    EXPECT_DOUBLE_EQ(share("inverse-sqrt"), t < bend ? t / bend : std::sqrt(bend / t));
    if (warmup < last) {
      const double done = (t - w) / (static_cast<double>(last) - w);
      EXPECT_NEAR(share("cosine"), t < w ? t / w : 0.5 + 0.5 * std::cos(std::numbers::pi * done),
                  1e-12);
    }
    for (const Schedule* each : all_schedules()) {
      const double found = each->share(spec, step, last);
      EXPECT_TRUE(found >= 0 && found <= 1) << each->name << ": " << found;
    }
  });
}

TEST(Schedules, EndAndBeginWhereTheyShould) {
  const auto share = [](const char* name, Index warmup, Index step, Index last) {
    return find_schedule(name).share({.warmup = warmup}, step, last);
  };
  EXPECT_NEAR(share("cosine", 10, 100, 100), 0, 1e-15);
  EXPECT_NEAR(share("cosine", 10, 101, 100), 0, 1e-15);  // an epoch one batch longer than the first
  EXPECT_EQ(share("cosine", 10, 10, 100), 1);
  EXPECT_NEAR(share("cosine", 10, 55, 100), 0.5, 1e-15);
  for (const char* name : {"constant", "inverse-sqrt", "cosine"}) {
    EXPECT_GT(share(name, 0, 1, 100), 0.99) << name;
    EXPECT_EQ(share(name, 1, 1, 100), 1) << name;
  }
  try {
    share("cosine", 10, 1, 0);
    ADD_FAILURE() << "a cosine without an end";
  } catch (const Error& error) {
    EXPECT_EQ(error.fault, Fault::usage);
  }
}

TEST(Names, AreFoundOrTheNearestIsNamed) {
  for (const Optimiser* each : all_optimisers()) EXPECT_EQ(&find_optimiser(each->name), each);
  for (const Schedule* each : all_schedules()) EXPECT_EQ(&find_schedule(each->name), each);
  const auto said = [](auto find, const char* name) -> std::string {
    try {
      find(name);
    } catch (const Error& error) {
      EXPECT_EQ(error.fault, Fault::usage);
      return error.what();
    }
    return "";
  };
  EXPECT_NE(said(find_optimiser, "adma").find("'adam'"), std::string::npos);
  EXPECT_NE(said(find_schedule, "inverse_sqrt").find("'inverse-sqrt'"), std::string::npos);
}

}  // namespace
}  // namespace regard
