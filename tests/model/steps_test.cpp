#include <gtest/gtest.h>

#include "tests/block/layer_testing.h"
#include "tests/model/model_testing.h"

namespace regard {
namespace {

using testing::Draw;
using testing::Ids;

struct EncoderDecoder {
  TransformerSpec spec;
  Encoder encoder;
  Decoder decoder;

  explicit EncoderDecoder(Draw& draw, std::string mechanism = "scaled-dot")
      : spec(with(testing::some_spec(draw), std::move(mechanism))),
        encoder(spec, draw.rng("encoder")),
        decoder(spec, draw.rng("decoder")) {}

  static TransformerSpec with(TransformerSpec spec, std::string mechanism) {
    spec.mechanism = std::move(mechanism);
    return spec;
  }
};

/// The outputs of one sentence, target given in runs of lengths of any kind.
void expect_same_by_steps(Draw& draw, const EncoderDecoder& model, const Ids& targets,
                          const EncoderOutput& source, double tolerance) {
  const Tensor whole = model.decoder(TokenIds::ragged(targets), source, {}).value();
  const Segments segments = TokenIds::ragged(targets).segments;
  DecoderState state = model.decoder.start(source);
  std::vector<std::size_t> done(targets.size());
  for (bool more = true; more;) {
    more = false;
    Ids next(targets.size());
    for (std::size_t b = 0; b < targets.size(); ++b) {
      const auto wish = static_cast<std::size_t>(draw.integer(0, 3));
      const std::size_t count = std::min(wish, targets[b].size() - done[b]);
      next[b].assign(targets[b].begin() + static_cast<std::ptrdiff_t>(done[b]),
                     targets[b].begin() + static_cast<std::ptrdiff_t>(done[b] + count));
    }
    const TokenIds tokens = TokenIds::ragged(next);
    const Tensor y = model.decoder.step(tokens, state, {}).value();
    for (std::size_t b = 0; b < targets.size(); ++b) {
      const auto i = static_cast<Index>(b);
      const Index count = tokens.segments.length(i);
      const Tensor expected =
          testing::some_rows(whole, segments.begin(i) + static_cast<Index>(done[b]), count);
      const Tensor got = testing::some_rows(y, tokens.segments.begin(i), count);
      EXPECT_LE(testing::largest_difference(got, expected), tolerance);
      if (tolerance == 0) {
        EXPECT_TRUE(testing::same_bits(got, expected));
      }
      done[b] += static_cast<std::size_t>(count);
      more |= done[b] < targets[b].size();
    }
  }
}

TEST(DecoderSteps, AreAllAtOnceToTheBit) {
  testing::law("steps", 100, [](Draw& draw) {
    const EncoderDecoder model(draw);
    const Ids sources = testing::some_sentences(draw, 3, 0, 5);
    const EncoderOutput source = model.encoder.source(
        draw.coin() ? TokenIds::ragged(sources) : testing::boxed(sources, 6, 3), {});
    expect_same_by_steps(draw, model, testing::some_sentences(draw, 3, 0, 7), source, 0);
  });
}

TEST(DecoderSteps, AreAllAtOnceByEveryMechanism) {
  testing::law("mechanisms", 100, [](Draw& draw) {
    const auto mechanisms = all_mechanisms();
    const Mechanism& mechanism =
        *mechanisms[static_cast<std::size_t>(draw.number() / 6) % mechanisms.size()];
    SCOPED_TRACE(mechanism.name);
    const EncoderDecoder model(draw, std::string(mechanism.name));
    const EncoderOutput source =
        model.encoder.source(TokenIds::ragged(testing::some_sentences(draw, 2, 1, 5)), {});
    expect_same_by_steps(draw, model, testing::some_sentences(draw, 2, 0, 6), source, 2e-6);
  });
}

/// Beam search takes up other hypotheses: a reordered state goes on as if it had always been so.
TEST(DecoderSteps, GoOnFromAReorderedState) {
  testing::law("reorder", 100, [](Draw& draw) {
    const EncoderDecoder model(draw);
    const Index B = draw.integer(1, 4);
    const Ids sources = testing::some_sentences(draw, B, 1, 4),
              targets = testing::some_sentences(draw, B, 1, 4);
    const bool box = draw.coin();
    const auto source_of = [&](const Ids& ids) {
      return model.encoder.source(box ? testing::boxed(ids, 5, 2) : TokenIds::ragged(ids), {});
    };
    DecoderState state = model.decoder.start(source_of(sources));
    model.decoder.step(TokenIds::ragged(targets), state, {});
    std::vector<Index> chosen;
    Ids chosen_sources, chosen_targets, last;
    for (Index b = 0; b < draw.integer(1, 5); ++b) {
      chosen.push_back(draw.integer(0, B - 1));
      const auto i = static_cast<std::size_t>(chosen.back());
      chosen_sources.push_back(sources[i]);
      chosen_targets.push_back(targets[i]);
      last.push_back({static_cast<std::int32_t>(draw.integer(0, 10))});
    }
    state.reorder(chosen);
    const Tensor y = model.decoder.step(TokenIds::ragged(last), state, {}).value();
    DecoderState fresh = model.decoder.start(source_of(chosen_sources));
    model.decoder.step(TokenIds::ragged(chosen_targets), fresh, {});
    EXPECT_TRUE(
        testing::same_bits(y, model.decoder.step(TokenIds::ragged(last), fresh, {}).value()));
  });
}

TEST(DecoderSteps, RefuseToReorderWhatIsNotThere) {
  testing::law("reorder refusal", 1, [](Draw& draw) {
    const EncoderDecoder model(draw);
    DecoderState state =
        model.decoder.start(model.encoder.source(TokenIds::ragged({{1}, {2}}), {}));
    EXPECT_THROW(state.reorder(std::vector<Index>{0, 2}), Error);
    EXPECT_THROW(state.reorder(std::vector<Index>{-1}), Error);
    state.blocks.clear();  // a state of no block has nobody else who checks
    EXPECT_THROW(state.reorder(std::vector<Index>{2}), Error);
  });
}

TEST(DecoderSteps, RefuseAnotherNumberOfSequences) {
  testing::law("refusal", 1, [](Draw& draw) {
    const EncoderDecoder model(draw);
    DecoderState state =
        model.decoder.start(model.encoder.source(TokenIds::ragged({{1}, {2}}), {}));
    EXPECT_THROW(model.decoder.step(TokenIds::ragged({{1}}), state, {}), Error);
    EXPECT_THROW(model.decoder.step(testing::boxed({{1}, {2}}, 2, 0), state, {}), Error);
  });
}

}  // namespace
}  // namespace regard
