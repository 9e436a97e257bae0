// Translations that are shared out among cores: what is told, and what goes wrong.
#include <stdexcept>
#include <thread>

#include "tests/decode/decode_testing.h"
#include "tests/model/architectures.h"
#include "tests/support/warnings.h"

namespace regard {
namespace {

using testing::Ids;

constexpr std::int32_t kBad = 13;

/// Says "4 4" to every source, but NaN to those that begin with kBad.
class PickyModel final : public testing::ConstantModel {
 public:
  PickyModel() : ConstantModel({0, 0, 1, 0, 9}) {}

  std::unique_ptr<IncrementalState> start(const TokenIds& source, const Pass&) const override {
    auto state = std::make_unique<First>();
    for (Index b = 0; b < source.segments.count(); ++b)
      state->ids.push_back(source.ids[static_cast<std::size_t>(source.segments.begin(b))]);
    return state;
  }

  Tensor step(std::span<const std::int32_t> said, IncrementalState& state,
              const Pass&) const override {
    Tensor rows({static_cast<Index>(said.size()), 1});
    for (std::size_t i = 0; i < said.size(); ++i)
      if (dynamic_cast<First&>(state).ids[i] == kBad) rows.span<f32>()[i] = std::nanf("");
    return rows;
  }

 private:
  struct First final : IncrementalState {
    std::vector<std::int32_t> ids;
    Index count() const override { return static_cast<Index>(ids.size()); }
    void reorder(std::span<const Index> chosen) override {
      std::vector<std::int32_t> next;
      for (const Index b : chosen) next.push_back(ids[static_cast<std::size_t>(b)]);
      ids = std::move(next);
    }
    void join(const IncrementalState& more) override {
      const auto& others = dynamic_cast<const First&>(more).ids;
      ids.insert(ids.end(), others.begin(), others.end());
    }
  };
};

/// Enough for a pool on every core.
constexpr DecodeSpec kShort{.beam = 2, .max_length = 2, .batch_tokens = 8};
const std::vector<Ids> kSources(60, Ids{5, 6, kEos});  // three tokens, or a patch of one pixel

TEST(Pools, TellWhatComesBeforeTheFirstError) {
  const PickyModel model;
  std::vector<Ids> sources = kSources;
  sources[41][0] = sources[27][0] = sources[28][0] = kBad;
  for (int round = 0; round < 20; ++round) {
    Index told = 0;
    EXPECT_THROW(translate(model, sources, kShort,
                           {.done = [&](Index source, const auto&) { EXPECT_EQ(source, told++); }}),
                 Error);
    EXPECT_EQ(told, 27);
  }
}

TEST(Pools, StopTellingWhereTheCallerThrows) {
  const PickyModel model;
  for (int round = 0; round < 20; ++round) {
    Index told = 0;
    const auto done = [&](Index source, const auto&) {
      EXPECT_EQ(source, told++);
      if (source == 9) throw std::runtime_error("enough");
    };
    EXPECT_THROW(translate(model, kSources, kShort, {.done = done}), std::runtime_error);
    EXPECT_EQ(told, 10);
  }
}

TEST(Pools, TellTheThreadThatAsked) {
  const PickyModel model;
  const std::thread::id asked = std::this_thread::get_id();
  Index told = 0;
  translate(model, kSources, kShort, {.done = [&](Index, const auto&) {
              EXPECT_EQ(std::this_thread::get_id(), asked);
              ++told;
            }});
  EXPECT_EQ(told, 60);
}

TEST(Pools, BeginNothingWhereAPrefixCannotBeSaid) {
  const PickyModel model;
  std::vector<Ids> prefixes(60, Ids{4});
  prefixes[50] = {kEos};
  EXPECT_THROW(translate(model, kSources, kShort,
                         {.prefixes = prefixes,
                          .done = [](Index, const auto&) { FAIL() << "nothing is translated"; }}),
               Error);
}

TEST(Pools, KeepNoTensorOfAStep) {
  for (const char* mechanism : {"scaled-dot", "additive", "cosine"})
    for (const Architecture* made : testing::generating_architectures()) {
      const ModelSpec spec{.architecture = std::string(made->name),
                           .source_vocabulary = 30,
                           .target_vocabulary = 30,
                           .width = 16,
                           .hidden = 16,
                           .heads = 2,
                           .encoder_layers = 1,
                           .decoder_layers = 1,
                           .mechanism = mechanism,
                           .image_size = 4,
                           .image_patch = 1};
      const auto model = make_sequence_model(spec, Rng(1));
      const testing::Warnings warnings;
      translate(*model, kSources, {.beam = 3, .max_length = 5, .batch_tokens = 30});
      EXPECT_EQ(warnings.text(), "") << made->name << " " << mechanism;
    }
}

}  // namespace
}  // namespace regard
