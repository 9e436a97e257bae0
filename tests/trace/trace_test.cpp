#include <algorithm>
#include <cmath>
#include <map>

#include "regard/base/check.h"
#include "regard/decode/score.h"
#include "regard/model/architecture.h"
#include "tests/trace/trace_testing.h"

namespace regard {
namespace {

using testing::Draw;
using testing::law;

std::vector<std::int32_t> with_end(std::vector<std::int32_t> ids) {
  ids.push_back(kEos);
  return ids;
}

double at(const TracedHead& head, Index t, Index s) {
  return head.weights[static_cast<std::size_t>(t * head.cols + s)];
}

TEST(Trace, EveryRowSumsToOneAndSeesNothingHidden) {
  law("rows of a trace", 36, [](Draw& draw) {
    const LoadedModel model = testing::some_traced_model(draw);
    const Trace trace =
        trace_translation(model, "m", testing::some_text(draw), testing::some_request(draw));
    const auto T = static_cast<Index>(trace.target.tokens.size());
    const auto S = static_cast<Index>(trace.source.tokens.size());
    ASSERT_EQ(trace.steps.size(), trace.target.tokens.size());
    Index heads = 0;
    for (const AttentionKind kind :
         {AttentionKind::encoder, AttentionKind::decoder, AttentionKind::cross})
      heads += heads_of(trace.spec, kind) * layers_of(trace.spec, kind);
    ASSERT_EQ(static_cast<Index>(trace.attention.size()), heads);
    for (const TracedHead& head : trace.attention) {
      EXPECT_EQ(head.rows, head.kind == AttentionKind::encoder ? S : T);
      EXPECT_EQ(head.cols, head.kind == AttentionKind::decoder ? T : S);
      for (Index t = 0; t < head.rows; ++t) {
        double sum = 0;
        for (Index s = 0; s < head.cols; ++s) {
          sum += at(head, t, s);
          if (head.kind == AttentionKind::decoder && s > t) {
            EXPECT_EQ(at(head, t, s), 0);
          }
        }
        EXPECT_NEAR(sum, 1, 1e-5);
      }
    }
  });
}

TEST(Trace, IsTheSameOfAPackedModel) {
  law("packed and plain", 12, [](Draw& draw) {
    Draw again = draw;
    const LoadedModel plain = testing::some_traced_model(draw);
    const LoadedModel packed = testing::some_traced_model(again);
    packed.model->pack();
    const std::string text = testing::some_text(draw);
    const TraceRequest request = testing::some_request(draw);
    const Trace a = trace_translation(plain, "m", text, request);
    const Trace b = trace_translation(packed, "m", text, request);
    ASSERT_EQ(a.attention.size(), b.attention.size());
    for (std::size_t i = 0; i < a.attention.size(); ++i)
      EXPECT_EQ(a.attention[i].weights, b.attention[i].weights);
    ASSERT_EQ(a.steps.size(), b.steps.size());
    for (std::size_t i = 0; i < a.steps.size(); ++i)
      EXPECT_EQ(a.steps[i].log_probability, b.steps[i].log_probability);
  });
}

TEST(Trace, HasTheVectorsThatEnterTheEncoderAndWhatPositionsAdd) {
  law("embeddings of a trace", 36, [](Draw& draw) {
    Draw again = draw;
    const LoadedModel plain = testing::some_traced_translator(draw);
    const LoadedModel packed = testing::some_traced_translator(again);
    packed.model->pack();
    const std::string text = testing::some_text(draw);
    const Trace trace = trace_translation(plain, "m", text, {.embedding = true});
    const auto S = static_cast<Index>(trace.source.tokens.size());
    const Index D = plain.info.spec.width;
    ASSERT_EQ(trace.embedding.rows, S);
    ASSERT_EQ(trace.embedding.cols, D);
    EXPECT_EQ(trace.embedding.values,
              trace_translation(packed, "m", text, {.embedding = true}).embedding.values);
    const auto row = [&](const TracedTable& table, Index s) {
      const auto begin = table.values.begin() + s * D;
      return std::vector<float>(begin, begin + D);
    };
    for (Index s = 0; s < S; ++s) {
      for (Index t = 0; t < s; ++t) {
        const auto id = [&](Index i) {
          return trace.source.tokens[static_cast<std::size_t>(i)].id;
        };
        if (id(s) != id(t)) continue;
        EXPECT_EQ(row(trace.embedding, s), row(trace.embedding, t)) << "a token has one vector";
      }
    }
    const bool adds = find_architecture(plain.info.spec.architecture).uses("position") &&
                      plain.info.spec.position != "rotary" && plain.info.spec.position != "alibi" &&
                      plain.info.spec.position != "none";
    EXPECT_EQ(trace.position.rows, adds ? S : 0) << plain.info.spec.position;
    EXPECT_EQ(trace_translation(plain, "m", text, {}).embedding.rows, 0);
  });
}

/// What the model looks at when it is led through a translation token by token, as the search does:
/// where -> one row of weights a step, of each head.
using Steps = std::map<std::string, std::vector<std::vector<std::vector<double>>>>;

Steps step_by_step(const LoadedModel& model, const Trace& trace) {
  Steps seen;
  Pass pass;
  pass.on_attention = [&](const AttentionCapture& capture) {
    std::vector<std::vector<double>> heads;
    for (Index h = 0; h < capture.heads; ++h) heads.push_back(capture.weights(0, h).values());
    seen[capture.where].push_back(std::move(heads));
  };
  const auto progress = model.model->start(TokenIds::ragged({with_end(trace.source.ids())}), pass);
  std::vector<std::int32_t> said = trace.target.ids();
  said.insert(said.begin(), kBos);
  for (const std::int32_t id : said) model.model->step(std::span(&id, 1), *progress, pass);
  return seen;
}

TEST(Trace, HoldsWhatTheModelLookedAtWhenItSaidEachToken) {
  law("weights of a trace", 36, [](Draw& draw) {
    const LoadedModel model = testing::some_traced_model(draw);
    const Trace trace =
        trace_translation(model, "m", testing::some_text(draw), testing::some_request(draw));
    const Steps seen = step_by_step(model, trace);
    for (const TracedHead& head : trace.attention) {
      const bool encoder = head.kind == AttentionKind::encoder;
      const std::string where = std::string(encoder ? "encoder/" : "decoder/") +
                                std::to_string(head.layer) +
                                (head.kind == AttentionKind::cross ? "/cross" : "/self");
      ASSERT_TRUE(seen.contains(where)) << where;
      const auto& steps = seen.at(where);
      ASSERT_EQ(steps.size(), encoder ? 1u : static_cast<std::size_t>(head.rows));
      for (Index t = 0; t < head.rows; ++t) {
        const std::vector<double>& all =
            steps[encoder ? 0 : static_cast<std::size_t>(t)][static_cast<std::size_t>(head.head)];
        const Index keys = head.kind == AttentionKind::decoder ? t + 1 : head.cols;
        const Index first = encoder ? t * head.cols : 0;
        for (Index s = 0; s < keys; ++s)
          EXPECT_NEAR(at(head, t, s), all[static_cast<std::size_t>(first + s)], 1e-6)
              << where << " head " << head.head << " row " << t;
      }
    }
  });
}

TEST(Trace, VectorsExplainTheWeights) {
  law("softmax of q k'", 24, [](Draw& draw) {
    const LoadedModel model = testing::some_traced_model(draw);
    const Trace trace = trace_translation(model, "m", testing::some_text(draw), {.vectors = true});
    for (const TracedHead& head : trace.attention) {
      const std::string& mechanism = mechanism_of(model.info.spec, head.kind);
      const bool dot = mechanism == "dot" || mechanism == "scaled-dot";
      if (find_architecture(model.info.spec.architecture).uses("heads")) {
        EXPECT_EQ(head.width > 0, dot);
      }
      // Biases by distance are added to the scores of self-attention, and stand in no vector.
      const bool biased = model.info.spec.position == "alibi" && head.kind != AttentionKind::cross;
      if (head.width == 0 || biased) continue;
      ASSERT_EQ(static_cast<Index>(head.query.size()), head.rows * head.width);
      ASSERT_EQ(static_cast<Index>(head.key.size()), head.cols * head.width);
      for (Index t = 0; t < head.rows; ++t) {
        std::vector<double> weights;
        double sum = 0;
        const Index first = head.matrix().first(t);
        for (Index s = first; s < head.matrix().end(t); ++s) {
          double score = 0;
          for (Index i = 0; i < head.width; ++i)
            score += static_cast<double>(head.query[static_cast<std::size_t>(t * head.width + i)]) *
                     head.key[static_cast<std::size_t>(s * head.width + i)];
          weights.push_back(std::exp(head.scale * score));
          sum += weights.back();
        }
        for (std::size_t i = 0; i < weights.size(); ++i)
          EXPECT_NEAR(at(head, t, first + static_cast<Index>(i)), weights[i] / sum, 1e-5);
      }
    }
  });
}

void expect_same_weights(const Trace& a, const Trace& b) {
  ASSERT_EQ(a.attention.size(), b.attention.size());
  for (std::size_t i = 0; i < a.attention.size(); ++i) {
    EXPECT_EQ(a.attention[i].weights, b.attention[i].weights);
    EXPECT_EQ(a.attention[i].tag, b.attention[i].tag);
  }
}

TEST(Trace, IsThatOfTheSurvivingHypothesis) {
  law("forced = found", 24, [](Draw& draw) {
    const LoadedModel model = testing::some_traced_translator(draw);
    const std::string text = testing::some_text(draw) + " a";
    TraceRequest request = testing::some_request(draw);
    request.decode.beam = draw.integer(2, 5);
    const Trace found = trace_translation(model, "m", text, request);
    request.reference = found.target.text;
    const Trace forced = trace_translation(model, "m", text, request);
    if (forced.target.ids() != found.target.ids()) {  // subwords may spell a text in several ways
      EXPECT_EQ(model.info.target->kind(), "subwords");
      return;
    }
    expect_same_weights(found, forced);
    EXPECT_EQ(found.target.text, forced.target.text);
    EXPECT_EQ(found.log_probability, forced.log_probability);
    EXPECT_EQ(found.score, forced.score);
    EXPECT_EQ(found.alignment.soft, forced.alignment.soft);
    // The best final node of the tree is where it ended, and the way there is what it said.
    const TracedNode* best = nullptr;
    for (const TracedNode& each : found.beam)
      if (each.node.state == BeamState::final && (!best || each.node.score > best->node.score))
        best = &each;
    ASSERT_NE(best, nullptr);
    EXPECT_EQ(best->node.score, found.score);
    std::vector<std::int32_t> said;
    for (Index id = best->node.parent; id >= 0;) {
      const BeamNode& node = found.beam[static_cast<std::size_t>(id)].node;
      EXPECT_EQ(node.state, BeamState::kept);
      said.insert(said.begin(), node.token);
      id = node.parent;
    }
    EXPECT_EQ(said, found.target.ids());
  });
}

TEST(Trace, StepsSayHowProbableEachTokenWas) {
  law("steps of a trace", 24, [](Draw& draw) {
    const LoadedModel model = testing::some_traced_model(draw);
    const TraceRequest request = testing::some_request(draw);
    const Trace trace = trace_translation(model, "m", testing::some_text(draw), request);
    const std::vector<std::vector<std::int32_t>> sources{with_end(trace.source.ids())};
    const std::vector<std::vector<std::int32_t>> targets{trace.target.ids()};
    const PairScore score = score_pairs(*model.model, sources, targets).front();
    EXPECT_NEAR(trace.log_probability, score.log_probability, 1e-5);
    for (std::size_t t = 0; t < trace.steps.size(); ++t) {
      const TracedStep& step = trace.steps[t];
      EXPECT_NEAR(step.log_probability, score.tokens[t], 1e-6);
      ASSERT_EQ(static_cast<Index>(step.top.size()), request.top);
      for (std::size_t i = 0; i < step.top.size(); ++i) {
        if (i > 0) {
          EXPECT_LE(step.top[i].probability, step.top[i - 1].probability);
        }
        if (step.top[i].id == trace.target.tokens[t].id) {
          EXPECT_NEAR(std::log(step.top[i].probability), step.log_probability, 1e-9);
        }
      }
    }
  });
}

TEST(Trace, OfTheSentenceOfTheTextbookHasSixRowsAndFourColumns) {
  const auto words_of = [](const std::string& line) {
    return word_vocabulary(std::vector<std::string>{line},
                           {.min_frequency = 1, .split_punctuation = false});
  };
  ModelInfo info;
  info.source = words_of("i'm home .");
  info.target = words_of("je suis chez moi .");
  info.spec = {.architecture = "bahdanau",
               .source_vocabulary = info.source->size(),
               .target_vocabulary = info.target->size(),
               .width = 8,
               .hidden = 8,
               .encoder_layers = 2,
               .decoder_layers = 2,
               .mechanism = "additive",
               .tied = "none"};
  auto model = make_sequence_model(info.spec, Rng(4));
  const Trace trace = trace_translation({std::move(info), std::move(model)}, "m", "i'm home .",
                                        {.reference = "je suis chez moi ."});
  ASSERT_EQ(trace.attention.size(), 1u);
  const TracedHead& head = trace.attention.front();
  EXPECT_EQ(head.kind, AttentionKind::cross);
  EXPECT_EQ(head.rows, 6);  // the end is one
  EXPECT_EQ(head.cols, 4);
  EXPECT_EQ(trace.target.tokens.back().id, kEos);
}

TEST(Trace, TakesOnlyWhatIsAskedFor) {
  const LoadedModel model = testing::traced_model(testing::small_spec(), Rng(4));
  const Trace all = trace_translation(model, "m", "a b c");
  const Trace some = trace_translation(
      model, "m", "a b c", {.kinds = {AttentionKind::cross}, .layers = {1}, .heads = {0}});
  ASSERT_EQ(some.attention.size(), 1u);
  const TracedHead& head = some.attention.front();
  const auto same = std::ranges::find_if(all.attention, [](const TracedHead& each) {
    return each.kind == AttentionKind::cross && each.layer == 1 && each.head == 0;
  });
  EXPECT_EQ(head.kind, AttentionKind::cross);
  EXPECT_EQ(head.weights, same->weights);
  EXPECT_TRUE(trace_translation(model, "m", "a", {.kinds = {}}).attention.empty());
}

TEST(Trace, RefusesWhatIsNotThere) {
  const LoadedModel model = testing::traced_model(testing::small_spec(), Rng(4));
  EXPECT_THROW(trace_translation(model, "m", "a", {.layers = {2}}), Error);
  EXPECT_THROW(trace_translation(model, "m", "a", {.heads = {2}}), Error);
  EXPECT_THROW(trace_translation(model, "m", "a", {.heads = {-1}}), Error);
  std::string longer;
  for (Index i = 0; i <= kMaxTracedTokens; ++i) longer += "a ";
  EXPECT_THROW(trace_translation(model, "m", longer), Error);
  EXPECT_THROW(trace_translation(model, "m", "a", {.reference = longer}), Error);
  EXPECT_NO_THROW(trace_translation(model, "m", longer.substr(2), {.kinds = {}}));
}

TEST(Trace, StaysInsideALearnedTable) {
  ModelSpec spec = testing::small_spec();
  spec.position = "learned";
  spec.max_length = 5;
  const LoadedModel model = testing::traced_model(spec, Rng(4));
  EXPECT_NO_THROW(trace_translation(model, "m", "a b c d", {.decode = {.min_length = 9}}));
  EXPECT_THROW(trace_translation(model, "m", "a b c d e"), Error);
}

}  // namespace
}  // namespace regard
