#include "regard/decode/pool.h"

#include <limits>
#include <map>

#include "tests/decode/decode_testing.h"

namespace regard {
namespace {

using testing::Draw;
using testing::expect_same;
using testing::Ids;

std::vector<Hypothesis> alone(const SequenceModel& model, const PoolSentence& sentence) {
  const std::vector<Ids> sources{sentence.source}, prefixes{sentence.prefix};
  return translate(model, sources, sentence.spec,
                   {.prefixes = prefixes, .places = std::span(&sentence.place, 1)})[0];
}

PoolSentence some_sentence(Draw& draw, const SequenceModel& model) {
  PoolSentence sentence{.source = testing::some_sources(draw, model, 1)[0],
                        .spec = testing::some_decode_spec(draw)};
  sentence.place = {.line = draw.integer(0, 50), .piece = draw.integer(0, 2)};
  sentence.spec.max_length += 4;
  for (Index n = draw.integer(0, 2); n > 0; --n)
    sentence.prefix.push_back(static_cast<std::int32_t>(draw.integer(4, 9)));
  return sentence;
}

// covers SV26, SV27
TEST(TranslationPool, GivesTheSameBitsAloneAndAmongThoseThatComeAndGo) {
  testing::law("come and go", 40, [](Draw& draw) {
    const auto model = testing::some_model(draw);
    TranslationPool pool(*model, draw.integer(1, 120));
    std::map<std::uint64_t, PoolSentence> sent;
    std::map<std::uint64_t, std::vector<Hypothesis>> got;
    std::vector<std::uint64_t> removed;
    for (Index left = 12; left > 0 || !pool.idle();) {
      for (Index n = std::min(left, draw.integer(0, 3)); n > 0; --n, --left) {
        const PoolSentence sentence = some_sentence(draw, *model);
        sent[pool.add(sentence)] = sentence;
      }
      if (!sent.empty() && draw.integer(0, 5) == 0) {
        const auto ticket =
            static_cast<std::uint64_t>(draw.integer(0, static_cast<Index>(sent.size()) - 1));
        pool.remove(ticket);
        if (!got.contains(ticket)) removed.push_back(ticket);
      }
      for (PoolResult& result : pool.advance()) {
        ASSERT_FALSE(result.error);
        ASSERT_FALSE(got.contains(result.ticket));
        got[result.ticket] = std::move(result.best);
      }
    }
    for (const std::uint64_t ticket : removed) EXPECT_FALSE(got.contains(ticket));
    for (const auto& [ticket, sentence] : sent) {
      if (!got.contains(ticket))
        EXPECT_NE(std::ranges::find(removed, ticket), removed.end());
      else
        expect_same(got[ticket], alone(*model, sentence));
    }
  });
}

/// Counts rows, and says NaN for some of them.
class WatchedModel final : public testing::ConstantModel {
 public:
  WatchedModel() : ConstantModel({0, 0, 0, 0, 1, 0}) {}

  Tensor step(std::span<const std::int32_t> said, IncrementalState& state,
              const Pass& pass) const override {
    rows.push_back(said.size());
    Tensor result = ConstantModel::step(said, state, pass);
    if (broken_row >= 0 && broken_row < result.size(0))
      result.span<float>()[static_cast<std::size_t>(broken_row)] =
          std::numeric_limits<float>::quiet_NaN();
    return result;
  }

  Index broken_row = -1;
  mutable std::vector<std::size_t> rows;  ///< of each step
};

// covers SV8, SV17
TEST(TranslationPool, DoesNoMoreWorkForWhatWasRemoved) {
  const WatchedModel model;
  TranslationPool pool(model, 1000);
  const DecodeSpec spec{.beam = 1, .max_length = 20, .max_ratio = 0};
  const std::uint64_t first = pool.add({.source = {5, kEos}, .spec = spec});
  pool.add({.source = {4, kEos}, .spec = spec});
  pool.advance();
  pool.advance();
  EXPECT_EQ(model.rows, (std::vector<std::size_t>{2, 2}));
  pool.remove(first);
  pool.advance();
  EXPECT_EQ(model.rows.back(), 1u);
  EXPECT_EQ(pool.in_flight(), 1u);
  pool.remove(1);
  pool.advance();
  EXPECT_TRUE(pool.idle());
  EXPECT_EQ(model.rows.size(), 3u);
}

TEST(TranslationPool, TellsOnlyTheSentenceThatHasNoNumbers) {
  WatchedModel model;
  model.broken_row = 1;
  TranslationPool pool(model, 1000);
  const DecodeSpec spec{.beam = 1, .max_length = 3, .max_ratio = 0};
  for (int i = 0; i < 3; ++i) pool.add({.source = {5, kEos}, .spec = spec});
  std::vector<PoolResult> all = pool.advance();
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].ticket, 1u);
  EXPECT_TRUE(all[0].error);
  model.broken_row = -1;
  std::vector<std::uint64_t> tickets;
  while (!pool.idle())
    for (const PoolResult& result : pool.advance()) {
      EXPECT_FALSE(result.error);
      tickets.push_back(result.ticket);
    }
  EXPECT_EQ(tickets, (std::vector<std::uint64_t>{0, 2}));
}

// covers SV28
TEST(TranslationPool, EndsWhatTheModelWouldNeverEnd) {
  const testing::ConstantModel model({-1e9, -1e9, -1e9, 0, 0, 0});  // never says the end
  TranslationPool pool(model, 100);
  pool.add({.source = {5, kEos}, .spec = {.beam = 2, .max_length = 9, .max_ratio = 0}});
  std::vector<PoolResult> all;
  for (int steps = 0; !pool.idle() && steps < 50; ++steps)
    for (PoolResult& result : pool.advance()) all.push_back(std::move(result));
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].best[0].ids.size(), 9u);
  EXPECT_FALSE(all[0].best[0].finished);
}

TEST(TranslationPool, SaysWhetherThereIsRoom) {
  const WatchedModel model;
  TranslationPool pool(model, 8);
  const DecodeSpec spec{.beam = 2, .max_length = 3};
  EXPECT_TRUE(pool.roomy());
  pool.add({.source = {5, kEos}, .spec = spec});  // takes 4 of 8
  EXPECT_TRUE(pool.roomy());
  const std::uint64_t second = pool.add({.source = {5, kEos}, .spec = spec});
  EXPECT_FALSE(pool.roomy());
  pool.remove(second);
  EXPECT_TRUE(pool.roomy());
}

}  // namespace
}  // namespace regard
