#pragma once

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <memory>

#include "regard/decode/search.h"
#include "regard/model/architecture.h"
#include "regard/model/sequence_model.h"
#include "regard/tokens/tokenizer.h"
#include "tests/model/architectures.h"
#include "tests/support/law.h"

namespace regard::testing {

using Ids = std::vector<std::int32_t>;
using Best = std::vector<std::vector<Hypothesis>>;

constexpr Index kVocabulary = 30;

inline ModelSpec small_spec(const std::string& architecture, Index vocabulary = kVocabulary) {
  ModelSpec spec{.architecture = architecture,
                 .source_vocabulary = kVocabulary,
                 .target_vocabulary = vocabulary,
                 .width = 16,
                 .hidden = 24,
                 .heads = 2,
                 .encoder_layers = 2,
                 .decoder_layers = 2,
                 .tied = "none",
                 .image_size = 4,
                 .image_patch = 1};
  spec.mechanism = find_architecture(architecture).preferred(spec).mechanism;
  return spec;
}

/// A small model that has opinions: its output table is wider spread than a fresh one's.
inline std::unique_ptr<SequenceModel> small_model(const std::string& architecture, Rng rng,
                                                  Index vocabulary = kVocabulary,
                                                  Dtype dtype = Dtype::f32) {
  std::unique_ptr<SequenceModel> model =
      make_sequence_model(small_spec(architecture, vocabulary), rng, dtype);
  model->each([&](const std::string& name, Var& parameter) {
    if (!name.starts_with("output")) return;
    Tensor value = parameter.value();
    visit(value.dtype(), [&]<class T>(T) {
      for (T& x : value.span<T>()) x *= T(2.5);
    });
  });
  return model;
}

/// They take turns.
inline const Architecture& some_architecture(Draw& draw) {
  const auto all = generating_architectures();
  return *all[static_cast<std::size_t>(draw.number()) % all.size()];
}

/// A model of any of these kinds; now and then in f64.
inline std::unique_ptr<SequenceModel> some_model(Draw& draw, Index vocabulary = kVocabulary) {
  return small_model(std::string(some_architecture(draw).name), draw.rng("model"), vocabulary,
                     draw.number() % 5 == 4 ? Dtype::f64 : Dtype::f32);
}

/// Of those that translate.
inline std::string some_translating_architecture(Draw& draw) {
  const auto all = translating_architectures();
  return std::string(all[static_cast<std::size_t>(draw.number()) % all.size()]->name);
}

inline std::unique_ptr<SequenceModel> some_translator(Draw& draw) {
  return small_model(some_translating_architecture(draw), draw.rng("model"));
}

/// Sentences with their end; some of nothing else.
inline std::vector<Ids> some_sources(Draw& draw, Index count, Index longest = 6) {
  std::vector<Ids> sources(static_cast<std::size_t>(count));
  for (Ids& source : sources) {
    for (Index n = draw.integer(0, longest); n > 0; --n)
      source.push_back(static_cast<std::int32_t>(draw.integer(3, kVocabulary - 1)));
    source.push_back(kEos);
  }
  return sources;
}

/// What that model may be given to read: such sentences, or the levels of a few patches.
template <class AnyModel>
std::vector<Ids> some_sources(Draw& draw, const AnyModel& model, Index count, Index longest = 6) {
  const Index numbers = model.numbers_per_row();
  if (numbers == 1) return some_sources(draw, count, longest);
  std::vector<Ids> sources(static_cast<std::size_t>(count));
  for (Ids& source : sources)
    for (Index n = draw.integer(0, longest) * numbers; n > 0; --n)
      source.push_back(static_cast<std::int32_t>(draw.integer(0, 255)));
  return sources;
}

/// Settings of any kind; short texts.
inline DecodeSpec some_decode_spec(Draw& draw) {
  const Index beam = draw.integer(1, 5);
  return {.beam = beam,
          .n_best = draw.integer(1, beam),
          .length_penalty = static_cast<double>(draw.integer(-2, 4)) / 2,
          .max_length = draw.integer(0, 12),
          .min_length = draw.integer(0, 3),
          .sample = draw.integer(0, 3) == 0,
          .temperature = 0.5 + static_cast<double>(draw.integer(0, 4)) / 4,
          .top_k = draw.integer(0, 9),
          .top_p = draw.coin() ? 1 : 0.9,
          .seed = draw.integer(0, 99)};
}

inline bool same_bits(double a, double b) {
  return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

inline void expect_same(const std::vector<Hypothesis>& a, const std::vector<Hypothesis>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    EXPECT_EQ(a[i].ids, b[i].ids);
    EXPECT_TRUE(same_bits(a[i].score, b[i].score)) << a[i].score << " " << b[i].score;
    EXPECT_TRUE(same_bits(a[i].log_probability, b[i].log_probability));
    EXPECT_EQ(a[i].token_log_probabilities, b[i].token_log_probabilities);
    EXPECT_EQ(a[i].finished, b[i].finished);
  }
}

/// Says every token with the same probability always, whatever was said before.
class ConstantModel : public SequenceModel {
 public:
  explicit ConstantModel(const std::vector<double>& logits)
      : output_(Var(Tensor({static_cast<Index>(logits.size()), 1}))) {
    output_.bias = Var(Tensor::of({static_cast<Index>(logits.size())}, logits));
  }

  Var forward(const TokenIds&, const TokenIds& said, const Pass&) const override {
    return Var(Tensor({said.segments.rows(), 1}));
  }
  std::unique_ptr<IncrementalState> start(const TokenIds& source, const Pass&) const override {
    auto state = std::make_unique<Count>();
    state->rows = source.segments.count();
    return state;
  }
  Tensor step(std::span<const std::int32_t> said, IncrementalState& state,
              const Pass&) const override {
    check(state.count() == static_cast<Index>(said.size()), "rows differ");
    return Tensor({static_cast<Index>(said.size()), 1});
  }
  const OutputLayer& output() const override { return output_; }
  void each(const Visit&) override {}

 private:
  struct Count final : IncrementalState {
    Index rows = 0;
    Index count() const override { return rows; }
    void reorder(std::span<const Index> chosen) override {
      rows = static_cast<Index>(chosen.size());
    }
    void join(const IncrementalState& more) override { rows += more.count(); }
  };

  OutputLayer output_;
};

}  // namespace regard::testing
