#include <algorithm>
#include <numeric>
#include <thread>

#include "tests/decode/decode_testing.h"

namespace regard {
namespace {

using testing::Best;
using testing::Draw;
using testing::expect_same;
using testing::Ids;

/// The sentence alone, with its own number, so that it draws what it would among others.
std::vector<Hypothesis> alone(const SequenceModel& model, const Ids& source, const DecodeSpec& spec,
                              Index line) {
  const SourcePlace place{.line = line};
  return translate(model, std::vector<Ids>{source}, spec, {.places = std::span(&place, 1)})[0];
}

// covers CC1
TEST(Translate, GivesTheSameBitsAloneAndInAnyBatch) {
  testing::law("batch", 60, [](Draw& draw) {
    const auto model = testing::some_model(draw);
    const std::vector<Ids> sources = testing::some_sources(draw, *model, draw.integer(1, 9));
    DecodeSpec spec = testing::some_decode_spec(draw);
    spec.batch_tokens = draw.integer(1, 120);
    const Best together = translate(*model, sources, spec);
    ASSERT_EQ(together.size(), sources.size());
    for (std::size_t i = 0; i < sources.size(); ++i)
      expect_same(together[i], alone(*model, sources[i], spec, static_cast<Index>(i)));
    spec.batch_tokens = 100000;
    const Best at_once = translate(*model, sources, spec);
    for (std::size_t i = 0; i < sources.size(); ++i) expect_same(together[i], at_once[i]);
  });
}

TEST(Translate, DoesNotMindTheOrderOfTheOthers) {
  testing::law("order", 30, [](Draw& draw) {
    const auto model = testing::some_model(draw);
    const std::vector<Ids> sources = testing::some_sources(draw, *model, 7);
    DecodeSpec spec = testing::some_decode_spec(draw);
    spec.sample = false;  // what is drawn follows the line's number
    spec.batch_tokens = draw.integer(1, 80);
    const Best straight = translate(*model, sources, spec);
    const std::vector<Ids> turned(sources.rbegin(), sources.rend());
    const Best back = translate(*model, turned, spec);
    for (std::size_t i = 0; i < sources.size(); ++i)
      expect_same(straight[i], back[sources.size() - 1 - i]);
  });
}

// covers CC1
TEST(Translate, GivesTheSameBitsOnAnyNumberOfThreads) {
  testing::law("threads", 3, [](Draw& draw) {
    const auto model = testing::some_model(draw);
    const std::vector<Ids> sources = testing::some_sources(draw, *model, 8);
    DecodeSpec spec = testing::some_decode_spec(draw);
    spec.batch_tokens = 60;
    const Best expected = translate(*model, sources, spec);
    testing::in_every_setting([&](const std::string& what) {
      SCOPED_TRACE(what);
      const Best got = translate(*model, sources, spec);
      for (std::size_t i = 0; i < sources.size(); ++i) expect_same(got[i], expected[i]);
    });
  });
}

// covers CC3
TEST(Translate, MayRunOnManyThreadsWithOneModel) {
  testing::law("shared model", 2, [](Draw& draw) {
    const auto model = testing::some_model(draw);
    const DecodeSpec spec{.beam = 3, .n_best = 2, .max_length = 10, .batch_tokens = 50};
    constexpr std::size_t kThreads = 64;
    std::vector<std::vector<Ids>> sources;
    std::vector<Best> expected, got(kThreads);
    for (std::size_t i = 0; i < kThreads; ++i) {
      sources.push_back(testing::some_sources(draw, *model, 3));
      Ids tag(static_cast<std::size_t>(model->numbers_per_row()),
              static_cast<std::int32_t>(4 + i / 8));
      tag.insert(tag.end(), tag.size(), static_cast<std::int32_t>(12 + i % 8));
      for (Ids& source : sources.back()) source.insert(source.begin(), tag.begin(), tag.end());
      expected.push_back(translate(*model, sources.back(), spec));
    }
    std::vector<std::thread> threads;
    for (std::size_t i = 0; i < kThreads; ++i)
      threads.emplace_back([&, i] { got[i] = translate(*model, sources[i], spec); });
    for (std::thread& thread : threads) thread.join();
    for (std::size_t i = 0; i < kThreads; ++i)
      for (std::size_t s = 0; s < sources[i].size(); ++s) expect_same(got[i][s], expected[i][s]);
  });
}

TEST(Translate, TellsEachSentenceInOrderWithItsNumber) {
  testing::law("told", 10, [](Draw& draw) {
    const auto model = testing::some_model(draw);
    const std::vector<Ids> sources = testing::some_sources(draw, *model, 8);
    DecodeSpec spec = testing::some_decode_spec(draw);
    spec.batch_tokens = 40;
    Best told;
    Index next = 0;
    const Best returned = translate(
        *model, sources, spec, {.done = [&](Index source, const std::vector<Hypothesis>& best) {
          EXPECT_EQ(source, next++);
          told.push_back(best);
        }});
    ASSERT_EQ(told.size(), sources.size());
    for (std::size_t i = 0; i < sources.size(); ++i) expect_same(told[i], returned[i]);
  });
}

/// Ends at once, and counts what it is asked.
class CountingModel final : public testing::ConstantModel {
 public:
  CountingModel() : ConstantModel({0, 0, 50, 0, 0, 0}) {}

  Tensor step(std::span<const std::int32_t> said, IncrementalState& state,
              const Pass& pass) const override {
    rows.push_back(said.size());
    return ConstantModel::step(said, state, pass);
  }

  mutable std::vector<std::size_t> rows;  ///< of each step
};

TEST(Translate, PutsOthersInThePlaceOfFinishedSentences) {
  const CountingModel model;
  const std::vector<Ids> sources(13, Ids{5, kEos});
  std::vector<Ids> prefixes(13, Ids{4});
  prefixes[0].assign(7, 4);  // 8 steps, among others of 2
  const int threads = Cpu::get().threads();
  Cpu::get().set_threads(1);  // one pool
  translate(model, sources, {.beam = 1, .batch_tokens = 8}, {.prefixes = prefixes});
  Cpu::get().set_threads(threads);
  EXPECT_EQ(model.rows, std::vector<std::size_t>(8, 4));  // 4 at a time, and none waits for another
}

TEST(Translate, HasNothingToSayToNoSentence) {
  const auto model = testing::small_model("transformer", Rng(1));
  EXPECT_TRUE(translate(*model, {}, {}).empty());
}

}  // namespace
}  // namespace regard
