#include "regard/serve/engine/engine.h"

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <future>
#include <thread>

#include "regard/serve/engine/task_queue.h"
#include "tests/decode/decode_testing.h"
#include "tests/support/warnings.h"

namespace regard {
namespace {

using testing::Ids;
using namespace std::chrono_literals;

/// Never ends by itself, and can be held.
class HeldModel final : public testing::ConstantModel {
 public:
  HeldModel() : ConstantModel({-1e9, -1e9, -1e9, 0, 1, 0}) {}

  Tensor step(std::span<const std::int32_t> said, IncrementalState& state,
              const Pass& pass) const override {
    ++steps;
    while (held) std::this_thread::sleep_for(1ms);
    return ConstantModel::step(said, state, pass);
  }

  std::atomic<bool> held{false};
  mutable std::atomic<int> steps{0};
};

struct Sent {
  std::shared_ptr<std::atomic<bool>> wanted = std::make_shared<std::atomic<bool>>(true);
  std::shared_ptr<std::promise<std::vector<std::vector<Hypothesis>>>> promise =
      std::make_shared<std::promise<std::vector<std::vector<Hypothesis>>>>();

  TranslationJob job(std::vector<PoolSentence> sentences) const {
    return {.sentences = std::move(sentences),
            .wanted = [wanted = wanted] { return wanted->load(); },
            .done =
                [promise = promise](std::vector<std::vector<Hypothesis>> best,
                                    std::exception_ptr error) {
                  if (error)
                    promise->set_exception(error);
                  else
                    promise->set_value(std::move(best));
                }};
  }
};

PoolSentence sentence(Index length) {
  return {.source = {5, kEos}, .spec = {.beam = 1, .max_length = length, .max_ratio = 0}};
}

bool eventually(const std::function<bool()>& holds) {
  for (int i = 0; i < 5000 && !holds(); ++i) std::this_thread::sleep_for(2ms);
  return holds();
}

// covers SV16
TEST(Engine, RefusesAtOnceWhenItsQueueIsFull) {
  HeldModel model;
  model.held = true;
  Engine engine(model, {.batch_tokens = 2, .queue = 3});
  std::vector<Sent> sent(6);
  ASSERT_TRUE(engine.submit(sent[0].job({sentence(1)})));
  ASSERT_TRUE(eventually([&] { return model.steps == 1; }));  // at work, and there is no more room
  for (int i = 1; i < 4; ++i) EXPECT_TRUE(engine.submit(sent[i].job({sentence(1)})));
  const auto start = std::chrono::steady_clock::now();
  EXPECT_FALSE(engine.submit(sent[4].job({sentence(1)})));
  EXPECT_LT(std::chrono::steady_clock::now() - start, 20s);
  *sent[2].wanted = false;  // whoever left makes room
  EXPECT_TRUE(engine.submit(sent[5].job({sentence(1)})));
  model.held = false;
  for (const int i : {0, 1, 3, 5}) EXPECT_EQ(sent[i].promise->get_future().get().size(), 1u);
}

// covers SV8, SV17
TEST(Engine, StopsComputingWhatNobodyWants) {
  HeldModel model;
  Engine engine(model, {});
  Sent endless;
  ASSERT_TRUE(engine.submit(endless.job({sentence(1'000'000), sentence(1'000'000)})));
  ASSERT_TRUE(eventually([&] { return model.steps > 10; }));
  *endless.wanted = false;
  ASSERT_TRUE(eventually([&] { return engine.in_flight() == 0; }));
  const int before = model.steps;
  std::this_thread::sleep_for(50ms);
  EXPECT_EQ(model.steps, before);
  Sent next;  // and the place is free
  ASSERT_TRUE(engine.submit(next.job({sentence(2)})));
  EXPECT_EQ(next.promise->get_future().get()[0][0].ids.size(), 2u);
}

TEST(Engine, TellsWhatWentWrongToWhoeverAskedForIt) {
  HeldModel model;
  Engine engine(model, {});
  Sent bad, good;
  PoolSentence wrong = sentence(3);
  wrong.prefix = {kPad};
  ASSERT_TRUE(engine.submit(bad.job({sentence(3), wrong})));
  ASSERT_TRUE(engine.submit(good.job({sentence(3)})));
  EXPECT_THROW(bad.promise->get_future().get(), Error);
  EXPECT_EQ(good.promise->get_future().get()[0][0].ids.size(), 3u);
}

TEST(Engine, OutlivesWhoeverFailsToTakeAnAnswer) {
  const testing::Warnings warnings;
  HeldModel model;
  {
    Engine engine(model, {});
    Sent good, last;
    TranslationJob bad = good.job({sentence(3)}), wrong = good.job({sentence(3)});
    bad.done = [](auto, auto) { throw std::runtime_error("no room"); };
    wrong.done = [](auto, auto) { throw 1; };
    wrong.sentences.front().prefix = {kPad};
    ASSERT_TRUE(engine.submit(good.job({sentence(9)})));
    ASSERT_TRUE(engine.submit(std::move(bad)));
    ASSERT_TRUE(engine.submit(std::move(wrong)));
    EXPECT_EQ(good.promise->get_future().get()[0][0].ids.size(), 9u);
    ASSERT_TRUE(engine.submit(last.job({sentence(8)})));  // longer than those before it
    EXPECT_EQ(last.promise->get_future().get()[0][0].ids.size(), 8u);
  }
  EXPECT_EQ(warnings.lines.size(), 2u);
}

TEST(Engine, GoesOnWhileAnAnswerIsTaken) {
  HeldModel model;
  std::atomic<bool> held{true}, taking{false};
  Engine engine(model, {.queue = 1});
  Sent slow, next, endless;
  TranslationJob job = slow.job({sentence(1)});
  job.done = [&](auto, auto) {
    taking = true;
    while (held) std::this_thread::sleep_for(1ms);
  };
  ASSERT_TRUE(engine.submit(std::move(job)));
  ASSERT_TRUE(eventually([&] { return taking.load(); }));
  const int before = model.steps;
  ASSERT_TRUE(engine.submit(next.job({sentence(5)})));
  EXPECT_TRUE(eventually([&] { return model.steps >= before + 5; }));
  // Answers that nobody takes count as waiting.
  EXPECT_TRUE(eventually([&] { return !engine.submit(endless.job({sentence(1)})); }));
  held = false;
  EXPECT_EQ(next.promise->get_future().get()[0][0].ids.size(), 5u);
}

// covers SV26, SV27
TEST(Engine, GivesEveryoneTheirOwnAnswerAndTheSameAsAlone) {
  const auto model = testing::small_model("transformer", Rng(3));
  Engine engine(*model, {.batch_tokens = 200, .queue = 1000});
  constexpr int kThreads = 4, kEach = 50;
  const DecodeSpec spec{.beam = 3, .n_best = 2, .max_length = 8};
  std::vector<std::thread> threads;
  std::atomic<int> wrong{0};
  for (int t = 0; t < kThreads; ++t)
    threads.emplace_back([&, t] {
      for (int i = 0; i < kEach; ++i) {
        const std::vector<Ids> sources{{4 + t, 10 + i % 17, 5, kEos},
                                       {10 + i % 13, 4 + t, 4 + i / 13, kEos}};
        Sent sent;
        engine.submit(
            sent.job({{.source = sources[0], .spec = spec}, {.source = sources[1], .spec = spec}}));
        const auto got = sent.promise->get_future().get();
        const auto expected = translate(*model, sources, spec);
        for (std::size_t s = 0; s < 2; ++s)
          for (std::size_t n = 0; n < expected[s].size(); ++n)
            wrong += got[s][n].ids != expected[s][n].ids ||
                     !testing::same_bits(got[s][n].score, expected[s][n].score);
      }
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
}

TEST(Engine, EndsWithWorkLeft) {
  HeldModel model;
  Sent sent;
  {
    Engine engine(model, {.batch_tokens = 2});
    for (int i = 0; i < 5; ++i) engine.submit(sent.job({sentence(1'000'000)}));
  }
  sent = {};
}

// covers CC8: no order of locks makes it wait for ever. REGARD_LONG_TESTS=1: ten thousand times
TEST(Engine, EndsAtAnyMoment) {
  const int times = std::getenv("REGARD_LONG_TESTS") ? 10'000 : 300;
  const HeldModel model;
  for (int i = 0; i < times; ++i) {
    auto whole = std::async(std::launch::async, [&model, i] {
      Engine engine(model, {.batch_tokens = 4, .queue = 4});
      std::vector<Sent> sent(8);
      std::thread client([&] {
        for (const Sent& each : sent) engine.submit(each.job({sentence(1), sentence(20)}));
      });
      std::this_thread::sleep_for(std::chrono::microseconds(37 * i % 2000));
      *sent[3].wanted = false;
      engine.stop();
      client.join();
    });
    if (whole.wait_for(60s) == std::future_status::ready) continue;
    std::fprintf(stderr, "stop number %d waits for ever\n", i);
    std::abort();  // the future would wait for it too
  }
}

// covers SV16
TEST(TaskQueue, TakesSoManyTasksAndDoesThemInOrder) {
  std::atomic<bool> held{true};
  std::vector<int> done;
  std::promise<void> all;
  TaskQueue queue(3);
  ASSERT_TRUE(queue.post([&] {
    while (held) std::this_thread::sleep_for(1ms);
  }));
  ASSERT_TRUE(eventually([&] { return queue.queued() == 0; }));
  for (int i = 0; i < 3; ++i)
    EXPECT_TRUE(queue.post([&, i] {
      done.push_back(i);
      if (i == 2) all.set_value();
    }));
  EXPECT_FALSE(queue.post([] {}));
  held = false;
  all.get_future().get();
  EXPECT_EQ(done, (std::vector<int>{0, 1, 2}));
}

TEST(TaskQueue, OutlivesATaskThatThrows) {
  const testing::Warnings warnings;
  std::promise<void> after;
  {
    TaskQueue queue(3);
    queue.post([] { throw std::runtime_error("broken"); });
    queue.post([] { throw 1; });
    queue.post([&] { after.set_value(); });
    after.get_future().get();
  }
  EXPECT_EQ(warnings.lines, (std::vector<std::string>{"a task failed: broken", "a task failed"}));
}

}  // namespace
}  // namespace regard
