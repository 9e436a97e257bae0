// What every architecture that generates tokens owes: one law, all makes.
#include "regard/model/sequence_model.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "tests/model/architectures.h"
#include "tests/model/sequence_model_testing.h"

namespace regard {
namespace {

using testing::Draw;
using testing::Ids;
using testing::rows_of;
using testing::same_bits;
using testing::some_sentences;
using testing::some_sources;
using testing::tokens_at;

struct Case {
  ModelSpec spec;
  std::unique_ptr<SequenceModel> model;

  explicit Case(Draw& draw, Dtype dtype = Dtype::f32)
      : spec(testing::some_model_spec(draw)),
        model(make_sequence_model(spec, draw.rng("model"), dtype)) {
    testing::randomise(*model, draw.rng("parameters"));
  }

  Tensor read(const Ids& sources, const Ids& targets) const {
    return model->forward(TokenIds::ragged(sources), TokenIds::ragged(targets), {}).value();
  }
  std::unique_ptr<IncrementalState> start(const Ids& sources) const {
    return model->start(TokenIds::ragged(sources), {});
  }
};

TEST(SequenceModel, SaysStepByStepWhatItSaysAllAtOnce) {
  testing::law("steps", 120, [](Draw& draw) {
    const Case given(draw);
    SCOPED_TRACE(testing::title(given.spec));
    const Index B = draw.integer(1, 4), T = draw.integer(1, 6);
    const Ids sources = some_sources(draw, given.spec, B, 1, 5),
              targets = some_sentences(draw, B, T, T);
    const Tensor whole = given.read(sources, targets);
    const auto state = given.start(sources);
    EXPECT_EQ(state->count(), B);
    for (Index t = 0; t < T; ++t) {
      const Tensor y =
          given.model->step(tokens_at(targets, static_cast<std::size_t>(t)), *state, {});
      ASSERT_EQ(y.shape(), (Shape{B, given.spec.width}));
      for (Index b = 0; b < B; ++b) {
        const Tensor expected = testing::some_rows(whole, b * T + t, 1);
        const Tensor got = testing::some_rows(y, b, 1);
        const bool recurrent =
            !find_architecture(given.spec.architecture).without_positions.empty();
        const bool to_the_bit = recurrent || testing::is_fused(given.spec);
        if (to_the_bit) {
          EXPECT_TRUE(same_bits(got, expected));
        } else {
          EXPECT_LE(testing::largest_difference(got, expected), 1e-6);
        }
      }
    }
  });
}

TEST(SequenceModel, ReadsASentenceAloneAsInAnyBatch) {
  testing::law("batch", 120, [](Draw& draw) {
    const Case given(draw);
    SCOPED_TRACE(testing::title(given.spec));
    const Ids sources = some_sources(draw, given.spec, 4, 0, 6),
              targets = some_sentences(draw, 4, 0, 6);
    const Tensor all = given.read(sources, targets);
    const Tensor box = given.model
                           ->forward(testing::boxed_sources(sources, given.spec, 7, 3),
                                     TokenIds::ragged(targets), {})
                           .value();
    EXPECT_TRUE(same_bits(all, box));
    const Segments segments = TokenIds::ragged(targets).segments;
    for (Index b = 0; b < 4; ++b) {
      const auto i = static_cast<std::size_t>(b);
      EXPECT_TRUE(same_bits(given.read({sources[i]}, {targets[i]}), rows_of(all, segments, b)))
          << "sentence " << b;
    }
  });
}

TEST(SequenceModel, StepsASentenceAloneAsInAnyBatch) {
  testing::law("steps in a batch", 120, [](Draw& draw) {
    const Case given(draw);
    SCOPED_TRACE(testing::title(given.spec));
    const Ids sources = some_sources(draw, given.spec, 3, 0, 6),
              targets = some_sentences(draw, 3, 3, 3);
    const auto together = given.start(sources);
    std::vector<std::unique_ptr<IncrementalState>> alone;
    for (const auto& source : sources) alone.push_back(given.start({source}));
    for (std::size_t t = 0; t < 3; ++t) {
      const Tensor y = given.model->step(tokens_at(targets, t), *together, {});
      for (std::size_t b = 0; b < 3; ++b) {
        const Tensor one = given.model->step(tokens_at({targets[b]}, t), *alone[b], {});
        EXPECT_TRUE(same_bits(one, testing::some_rows(y, static_cast<Index>(b), 1)));
      }
    }
  });
}

TEST(SequenceModel, GoesOnFromAReorderedProgress) {
  testing::law("reorder", 100, [](Draw& draw) {
    const Case given(draw);
    SCOPED_TRACE(testing::title(given.spec));
    const Index B = draw.integer(1, 4);
    const Ids sources = some_sources(draw, given.spec, B, 1, 5),
              targets = some_sentences(draw, B, 2, 2);
    const auto state = given.start(sources);
    given.model->step(tokens_at(targets, 0), *state, {});
    std::vector<Index> chosen;
    Ids chosen_sources, chosen_targets;
    const Index count = draw.integer(1, 5);
    for (Index i = 0; i < count; ++i) {
      chosen.push_back(draw.integer(0, B - 1));
      chosen_sources.push_back(sources[static_cast<std::size_t>(chosen.back())]);
      chosen_targets.push_back(targets[static_cast<std::size_t>(chosen.back())]);
    }
    state->reorder(chosen);
    EXPECT_EQ(state->count(), count);
    const auto fresh = given.start(chosen_sources);
    given.model->step(tokens_at(chosen_targets, 0), *fresh, {});
    const std::vector<std::int32_t> next = tokens_at(chosen_targets, 1);
    EXPECT_TRUE(
        same_bits(given.model->step(next, *state, {}), given.model->step(next, *fresh, {})));
    EXPECT_THROW(state->reorder(std::vector<Index>{count}), Error);
    EXPECT_THROW(state->reorder(std::vector<Index>{-1}), Error);
  });
}

/// New sentences join others that are under way, as continuous batching does.
TEST(SequenceModel, GoesOnFromAJoinedProgress) {
  testing::law("join", 100, [](Draw& draw) {
    const Case given(draw);
    SCOPED_TRACE(testing::title(given.spec));
    const Ids old_sources = some_sources(draw, given.spec, 2, 0, 5),
              old_targets = some_sentences(draw, 2, 3, 3);
    const Ids new_sources = some_sources(draw, given.spec, 3, 0, 7),
              new_targets = some_sentences(draw, 3, 1, 1);
    const auto older = given.start(old_sources), apart = given.start(old_sources);
    for (std::size_t t = 0; t < 2; ++t)
      for (const auto& state : {older.get(), apart.get()})
        given.model->step(tokens_at(old_targets, t), *state, {});
    const auto newer = given.start(new_sources);
    older->join(*newer);
    EXPECT_EQ(older->count(), 5);
    std::vector<std::int32_t> next = tokens_at(old_targets, 2);
    const std::vector<std::int32_t> fresh = tokens_at(new_targets, 0);
    const Tensor expected_old = given.model->step(next, *apart, {});
    const Tensor expected_new = given.model->step(fresh, *newer, {});
    next.insert(next.end(), fresh.begin(), fresh.end());
    const Tensor y = given.model->step(next, *older, {});
    EXPECT_TRUE(same_bits(testing::some_rows(y, 0, 2), expected_old));
    EXPECT_TRUE(same_bits(testing::some_rows(y, 2, 3), expected_new));
  });
}

/// Token t reaches no row before t, and another sentence's nothing at all.
TEST(SequenceModel, KnowsNothingOfTheFuture) {
  testing::law("causality", 100, [](Draw& draw) {
    const Case given(draw);
    SCOPED_TRACE(testing::title(given.spec));
    const Ids sources = some_sources(draw, given.spec, 2, 1, 5);
    Ids targets = some_sentences(draw, 2, 2, 6);
    const Tensor before = given.read(sources, targets);
    const auto T = static_cast<Index>(targets[0].size());
    const Index t = draw.integer(0, T - 1);
    std::int32_t& token = targets[0][static_cast<std::size_t>(t)];
    token = (token + 1) % 11;
    const Tensor after = given.read(sources, targets);
    EXPECT_TRUE(same_bits(testing::some_rows(before, 0, t), testing::some_rows(after, 0, t)));
    EXPECT_FALSE(same_bits(testing::some_rows(before, t, 1), testing::some_rows(after, t, 1)));
    const auto rest = static_cast<Index>(targets[1].size());
    EXPECT_TRUE(same_bits(testing::some_rows(before, T, rest), testing::some_rows(after, T, rest)));
  });
}

TEST(SequenceModel, IgnoresWhatFillsABox) {
  testing::law("padding", 60, [](Draw& draw) {
    const Case given(draw);
    SCOPED_TRACE(testing::title(given.spec));
    const Ids sources = some_sources(draw, given.spec, 3, 0, 5);
    const TokenIds said = testing::boxed(some_sentences(draw, 3, 4, 4), 4, 0);
    const auto read = [&](std::int32_t filler) {
      return given.model->forward(testing::boxed_sources(sources, given.spec, 6, filler), said, {})
          .value();
    };
    const Tensor y = read(0);
    EXPECT_EQ(y.shape(), (Shape{3, 4, given.spec.width}));
    EXPECT_TRUE(same_bits(y, read(7)));
    const auto a = given.model->start(testing::boxed_sources(sources, given.spec, 6, 0), {});
    const auto b = given.model->start(testing::boxed_sources(sources, given.spec, 6, 7), {});
    const std::vector<std::int32_t> next{1, 2, 3};
    EXPECT_TRUE(same_bits(given.model->step(next, *a, {}), given.model->step(next, *b, {})));
  });
}

TEST(SequenceModel, RefusesAnotherNumberOfTokens) {
  testing::law("refusal", 2, [](Draw& draw) {
    const Case given(draw);
    const Ids sources = some_sources(draw, given.spec, 2, 1, 1);
    const auto state = given.start(sources);
    EXPECT_THROW(given.model->step(std::vector<std::int32_t>{1}, *state, {}), Error);
    EXPECT_THROW(given.read(sources, {{1}}), Error);
  });
}

/// Any tokens, `length` of them.
std::vector<std::int32_t> tokens_from(Index start, Index length) {
  std::vector<std::int32_t> tokens;
  for (Index t = 0; t < length; ++t)
    tokens.push_back(static_cast<std::int32_t>((start + 7 * t) % 11));
  return tokens;
}

/// A small model of heads of that width, with positions 0 to 8.
ModelSpec spec_with_heads(const Architecture& architecture, Index heads, Index head_width) {
  return {.architecture = std::string(architecture.name),
          .source_vocabulary = 11,
          .target_vocabulary = 11,
          .width = heads * head_width,
          .hidden = heads * head_width,
          .heads = heads,
          .encoder_layers = 1,
          .decoder_layers = 1,
          .mechanism = architecture.preferred({}).mechanism,
          .max_length = 9,
          .image_size = 3,
          .image_patch = 1};
}

/// Steps give finite numbers, and those of the whole, for `count` sentences of one length.
void expect_finite_steps(const SequenceModel& model, Index count, Index length) {
  Ids sources, targets;
  for (Index b = 0; b < count; ++b) {
    sources.push_back(tokens_from(b, length * model.numbers_per_row()));
    targets.push_back(tokens_from(b + 4, length));
  }
  const TokenIds source = TokenIds::ragged(sources);
  const Tensor whole = model.forward(source, TokenIds::ragged(targets), {}).value();
  for (const double x : whole.values()) ASSERT_TRUE(std::isfinite(x));
  const auto state = model.start(source, {});
  for (Index t = 0; t < length; ++t) {
    const Tensor y = model.step(tokens_at(targets, static_cast<std::size_t>(t)), *state, {});
    for (Index b = 0; b < count; ++b)
      ASSERT_LE(testing::largest_difference(testing::some_rows(y, b, 1),
                                            testing::some_rows(whole, b * length + t, 1)),
                1e-5)
          << "token " << t << " of sentence " << b;
  }
}

TEST(SequenceModel, TakesHeadsOfAnyWidthAndSentencesUpToTheLastPosition) {  // covers NU12
  struct Heads {
    Index count, width;
  };
  for (const Architecture* architecture : testing::generating_architectures())
    for (const Heads heads : {Heads{1, 1}, Heads{3, 1}, Heads{1, 5}, Heads{2, 3}, Heads{1, 257}})
      for (const std::string position : {"learned", "sinusoidal", "alibi", "none"}) {
        if (!architecture->uses("position") && position != "none") continue;
        SCOPED_TRACE(std::string(architecture->name) + ", " + std::to_string(heads.count) +
                     " heads of width " + std::to_string(heads.width) + ", " + position);
        ModelSpec spec = spec_with_heads(*architecture, heads.count, heads.width);
        spec.position = position;
        const auto model = make_sequence_model(spec, Rng(1));
        testing::randomise(*model, Rng(2));
        for (const Index count : {1, 2})
          for (const Index length : {1, 9}) expect_finite_steps(*model, count, length);
      }
}

TEST(SequenceModel, RefusesByNameAWidthOrALengthThatPositionsCannotTake) {  // covers NU12
  const auto refusal = [](Index head_width, const std::string& position, Index length) {
    ModelSpec spec = spec_with_heads(find_architecture("transformer"), 2, head_width);
    spec.position = position;
    try {
      const TokenIds tokens = TokenIds::ragged({tokens_from(0, length)});
      make_sequence_model(spec, Rng(1))->forward(tokens, tokens, {});
    } catch (const Error& error) {
      EXPECT_EQ(error.fault, Fault::usage);
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  EXPECT_NE(refusal(257, "rotary", 3).find("a head's width must be even, got 257"),
            std::string::npos);
  EXPECT_NE(refusal(1, "sinusoidal-halves", 3).find("even width of 4 or more, got 2"),
            std::string::npos);
  EXPECT_EQ(refusal(4, "learned", 9), "accepted");
  EXPECT_NE(refusal(4, "learned", 10).find("position 9 has no learned vector"), std::string::npos);
}

}  // namespace
}  // namespace regard
