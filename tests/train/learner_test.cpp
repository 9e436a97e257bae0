#include "regard/train/learner.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "regard/base/check.h"
#include "regard/train/checkpoint/snapshot.h"
#include "regard/train/loss.h"
#include "tests/model/architectures.h"
#include "tests/support/gradcheck.h"
#include "tests/train/micro_run.h"

namespace regard {
namespace {

using testing::largest_difference;
using testing::MicroRun;
using testing::same_bits;

std::vector<Tensor> copies(std::span<const NamedParameter> parameters) {
  std::vector<Tensor> all;
  for (const NamedParameter& each : parameters) all.push_back(each.parameter.value().clone());
  return all;
}

/// Puts a gradient on every parameter that is a function of its name and `salt`.
void put_gradients(const Learner& learner, std::uint64_t salt, double factor = 1) {
  for (const NamedParameter& each : learner.weights()) {
    const Var& p = each.parameter;
    p.accumulate(Tensor::normal(p.shape(), Rng(salt).fork(each.name), p.dtype(), factor));
  }
}

double gradient_length(const Learner& learner) {
  double sum = 0;
  for (const NamedParameter& each : learner.weights())
    for (const double g : each.parameter.grad().values()) sum += g * g;
  return std::sqrt(sum);
}

/// Property 22, as near as f32 allows: sums are made in another order, so not to the bit. Gradients
/// of both ways agree to 1e-6 of their length.
TEST(Learner, SeveralBatchesAreOneLargerBatch) {
  for (const Architecture* architecture : all_architectures()) {
    MicroRun run(architecture->name, 12);
    run.info.spec.dropout = run.info.spec.attention_dropout = run.info.spec.ffn_dropout = 0;
    const auto together = run.any_model(), apart = run.any_model();
    const TrainSpec spec{.optimiser = "sgd", .momentum = 0, .clip_norm = 0};
    TrainSpec in_parts = spec;
    in_parts.accumulate = 3;
    Learner one(*together, spec), other(*apart, in_parts);
    const std::vector<Tensor> before = copies(one.weights());

    const auto learn = [&](const Model& model, Learner& learner, const std::vector<Index>& chosen,
                           double share) {
      backward(run.any_task(model)->batch(chosen)->loss(spec, share, Rng(1)).loss);
      learner.take_gradients();
    };
    const std::vector<Index> all{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
    const double share = 1 / static_cast<double>(run.any_task(*together)->batch(all)->targets());
    learn(*together, one, all, share);
    learn(*apart, other, {0, 1, 2, 3}, share);
    learn(*apart, other, {4, 5, 6}, share);
    learn(*apart, other, {7, 8, 9, 10, 11}, share);
    const double length = one.step(1), as_parts = other.step(1);
    EXPECT_NEAR(length, as_parts, 1e-6 * length) << architecture;
    double apart_by = 0, moved = 0;
    for (std::size_t i = 0; i < before.size(); ++i) {
      const Tensor a = one.weights()[i].parameter.value(), b = other.weights()[i].parameter.value();
      apart_by = std::max(apart_by, largest_difference(a, b));
      moved = std::max(moved, largest_difference(a, before[i]));
    }
    EXPECT_LE(apart_by, 1e-6 * std::max(1.0, length)) << architecture;
    EXPECT_GT(moved, 1e-3);
  }
}

TEST(Learner, CutsTheGradientToItsLength) {
  for (const double clip : {0.0, 0.5, 1e9}) {
    const MicroRun run;
    const auto model = run.model();
    Learner learner(*model, {.optimiser = "sgd", .momentum = 0, .clip_norm = clip});
    const std::vector<Tensor> before = copies(learner.weights());
    put_gradients(learner, 3);
    const double length = gradient_length(learner);
    std::vector<Tensor> gradients;
    for (const NamedParameter& each : learner.weights())
      gradients.push_back(each.parameter.grad().clone());
    learner.take_gradients();
    for (const NamedParameter& each : learner.weights()) EXPECT_FALSE(each.parameter.has_grad());
    EXPECT_NEAR(learner.step(0.1), length, 1e-6 * length);
    EXPECT_EQ(learner.steps(), 1);
    const double factor = clip > 0 && clip < length ? 0.1 * clip / length : 0.1;
    for (std::size_t i = 0; i < before.size(); ++i) {
      const std::vector<double> w = before[i].values(), g = gradients[i].values(),
                                now = learner.weights()[i].parameter.value().values();
      for (std::size_t j = 0; j < w.size(); ++j) ASSERT_NEAR(now[j], w[j] - factor * g[j], 1e-6);
    }
  }
}

TEST(Learner, ChangesNothingByAGradientThatIsNoNumber) {  // covers NU7
  for (const Index accumulate : {1, 2})
    for (const double bad :
         {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
      const MicroRun run;
      const auto model = run.model(), twin = run.model();
      const TrainSpec spec{.accumulate = accumulate, .ema_decay = 0.5};
      Learner learner(*model, spec), calm(*twin, spec);
      put_gradients(learner, 1);
      learner.weights()[2].parameter.accumulate(
          Tensor::full(learner.weights()[2].parameter.shape(), bad));
      learner.take_gradients();
      EXPECT_FALSE(std::isfinite(learner.step(0.1)));
      EXPECT_EQ(learner.steps(), 0);
      // And nothing of it is left: the next step is that of a learner that never saw it.
      for (Learner* each : {&learner, &calm}) {
        put_gradients(*each, 2);
        each->take_gradients();
        each->step(0.1);
      }
      const auto found = learner.state(), expected = calm.state();
      ASSERT_EQ(found.size(), expected.size());
      for (std::size_t i = 0; i < found.size(); ++i)
        EXPECT_TRUE(same_bits(found[i].second, expected[i].second)) << found[i].first;
    }
}

/// The plain mean of all weights so far, then a running one.
TEST(Learner, KeepsTheMeanOfItsWeights) {
  const MicroRun run;
  const auto model = run.model();
  constexpr double kDecay = 0.8;
  Learner learner(*model, {.ema_decay = kDecay});
  std::vector<std::vector<double>> means;
  for (const NamedParameter& each : learner.weights())
    means.push_back(each.parameter.value().values());
  for (int n = 1; n <= 12; ++n) {
    put_gradients(learner, static_cast<std::uint64_t>(n));
    learner.take_gradients();
    learner.step(0.05);
    const double share = n < 4 ? 1.0 / (n + 1) : 1 - kDecay;
    const std::vector<NamedParameter> best = learner.best_weights();
    for (std::size_t i = 0; i < means.size(); ++i) {
      const std::vector<double> now = learner.weights()[i].parameter.value().values(),
                                found = best[i].parameter.value().values();
      for (std::size_t j = 0; j < now.size(); ++j) {
        means[i][j] += share * (now[j] - means[i][j]);
        ASSERT_NEAR(found[j], means[i][j], 2e-6) << n;
      }
    }
  }
}

TEST(Learner, GoesOnFromASnapshotToTheBit) {
  for (const TrainSpec& spec : {TrainSpec{}, TrainSpec{.optimiser = "sgd"},
                                TrainSpec{.optimiser = "adamw", .ema_decay = 0.9}}) {
    const MicroRun run;
    const auto model = run.model(1), other = run.model(2);
    Learner learner(*model, spec), fresh(*other, spec);
    const auto step = [](Learner& each, std::uint64_t salt) {
      put_gradients(each, salt);
      each.take_gradients();
      each.step(0.01);
    };
    for (std::uint64_t i = 0; i < 3; ++i) step(learner, i);
    TrainProgress progress;
    progress.step = 3;
    progress.epoch = 1;
    progress.batch = 7;
    progress.tokens = 99;
    progress.best = {{2, 0.1 + 0.2}};
    progress.window.loss = 1.0 / 3;
    const Checkpoint kept = snapshot(learner, progress, "{}");
    const TrainProgress back = restore(kept, fresh);
    EXPECT_EQ(back.json(), progress.json());
    EXPECT_EQ(fresh.steps(), 3);
    for (Learner* each : {&learner, &fresh}) step(*each, 9);
    const auto a = learner.state(), b = fresh.state();
    ASSERT_EQ(a.size(), b.size());
    for (std::size_t i = 0; i < a.size(); ++i)
      EXPECT_TRUE(same_bits(a[i].second, b[i].second)) << spec.optimiser << " " << a[i].first;
  }
}

TEST(TrainProgress, KeepsCountsAndSumsBeyond32Bits) {  // covers NU16
  static_assert(sizeof(Index) == 8);
  constexpr Index kMany = 5'000'000'000;
  const MicroRun run;
  const auto model = run.model();
  Learner learner(*model, {});
  TrainProgress progress;
  progress.step = kMany + 9;
  progress.batch = kMany + 1;
  progress.tokens = kMany + 8;
  progress.window = LossWindow{.loss = 1e10 + 0.25,
                               .surprisal = 1e10 + 0.5,
                               .tokens = kMany + 3,
                               .updates = kMany + 4,
                               .gradient = 1e10 + 0.75};
  progress.watch.seen = kMany + 5;
  progress.validated_at = kMany + 6;
  progress.metrics_bytes = kMany + 7;
  const TrainProgress back = restore(snapshot(learner, progress, "{}"), learner);
  EXPECT_EQ(learner.steps(), kMany + 9);
  EXPECT_EQ(back.step, kMany + 9);
  EXPECT_EQ(back.batch, kMany + 1);
  EXPECT_EQ(back.tokens, kMany + 8);
  EXPECT_EQ(back.window.loss, 1e10 + 0.25);
  EXPECT_EQ(back.window.surprisal, 1e10 + 0.5);
  EXPECT_EQ(back.window.tokens, kMany + 3);
  EXPECT_EQ(back.window.updates, kMany + 4);
  EXPECT_EQ(back.window.gradient, 1e10 + 0.75);
  EXPECT_EQ(back.watch.seen, kMany + 5);
  EXPECT_EQ(back.validated_at, kMany + 6);
  EXPECT_EQ(back.metrics_bytes, kMany + 7);
}

TEST(Learner, RefusesTheSnapshotOfAnother) {
  const MicroRun run, recurrent("bahdanau");
  const auto model = run.model(), other = recurrent.model();
  const Learner learner(*model, {});
  const Checkpoint kept = snapshot(learner, {}, "");
  Learner sgd(*model, {.optimiser = "sgd"}), of_another(*other, {});
  for (Learner* each : {&sgd, &of_another}) {
    const auto before = copies(each->weights());
    try {
      restore(kept, *each);
      ADD_FAILURE() << "restored";
    } catch (const Error& error) {
      EXPECT_EQ(error.fault, Fault::input);
    }
    for (std::size_t i = 0; i < before.size(); ++i)
      EXPECT_TRUE(same_bits(before[i], each->weights()[i].parameter.value()));
  }
}

}  // namespace
}  // namespace regard
