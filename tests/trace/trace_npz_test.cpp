#include "regard/trace/trace_npz.h"

#include <cmath>

#include "regard/ops/matmul.h"
#include "regard/tensor/npy.h"
#include "tests/support/zip_reader.h"
#include "tests/trace/trace_testing.h"

namespace regard {
namespace {

using testing::Draw;
using testing::law;
using testing::npy_texts;
using testing::unzipped;

using Files = std::map<std::string, std::string>;

Tensor array(const Files& files, const std::string& name) {
  return parse_npy(files.at(name + ".npy"), name);
}

std::vector<std::u32string> ascii_texts(const std::vector<Token>& tokens) {
  std::vector<std::u32string> texts;
  for (const Token& token : tokens) texts.emplace_back(token.text.begin(), token.text.end());
  return texts;
}

/// One head out of [H, rows, cols], as f32.
std::vector<float> head_of(const Tensor& all, Index head) {
  const std::vector<double> values = all.values();
  const auto size = static_cast<std::size_t>(all.size(1) * all.size(2));
  const auto begin = values.begin() + static_cast<std::ptrdiff_t>(size) * head;
  return {begin, begin + static_cast<std::ptrdiff_t>(size)};
}

std::string name_of(const TracedHead& head) {
  const std::string layer = std::to_string(head.layer);
  return head.kind == AttentionKind::encoder   ? "encoder." + layer + ".self"
         : head.kind == AttentionKind::decoder ? "decoder." + layer + ".self"
                                               : "decoder." + layer + ".cross";
}

TEST(TraceNpz, HoldsTheWholeTrace) {
  law("arrays of a trace", 36, [](Draw& draw) {
    const LoadedModel model = testing::some_traced_model(draw);
    TraceRequest request = testing::some_request(draw);
    const Trace trace = trace_translation(model, "m", testing::some_text(draw), request);
    const Files files = unzipped(trace_npz(trace));
    for (const TracedHead& head : trace.attention) {
      const std::string name = name_of(head);
      const Tensor weights = array(files, name + ".weights");
      EXPECT_EQ(weights.shape(), (Shape{heads_of(trace.spec, head.kind), head.rows, head.cols}));
      EXPECT_EQ(head_of(weights, head.head), head.weights);
      EXPECT_EQ(files.contains(name + ".q.npy"), !head.query.empty());
      EXPECT_EQ(files.contains(name + ".v.npy"), request.vectors);
      if (!head.query.empty()) {
        EXPECT_EQ(head_of(array(files, name + ".q"), head.head), head.query);
        EXPECT_EQ(head_of(array(files, name + ".k"), head.head), head.key);
        EXPECT_EQ(array(files, name + ".scale").item(), head.scale);
      }
      if (request.vectors) {
        EXPECT_EQ(head_of(array(files, name + ".v"), head.head), head.value);
        EXPECT_EQ(head_of(array(files, name + ".output"), head.head), head.output);
      }
    }
    if (model.info.target->type() == "words") {  // which are ASCII here
      EXPECT_EQ(npy_texts(files.at("source_tokens.npy")), ascii_texts(trace.source.tokens));
      EXPECT_EQ(npy_texts(files.at("target_tokens.npy")), ascii_texts(trace.target.tokens));
      EXPECT_EQ(npy_texts(files.at("decoder_input.npy")).front(), U"<s>");
    }
    EXPECT_EQ(array(files, "target_ids").count(), array(files, "log_probabilities").count());
    EXPECT_EQ(array(files, "alignment").shape(),
              (Shape{trace.alignment.rows, trace.alignment.cols}));
  });
}

/// The value of each key, mixed by the weights, is what attention gives; with one key it is the
/// value itself. So values are told apart from keys by what the model makes of them.
TEST(TraceNpz, ValuesBelongToTheirKeys) {
  ModelSpec spec = testing::small_spec();
  const LoadedModel model = testing::traced_model(spec, Rng(3));
  TraceRequest request;
  request.vectors = true;
  const Trace trace = trace_translation(model, "m", "a b a", request);
  const TracedHead& head = trace.attention.front();
  ASSERT_EQ(head.kind, AttentionKind::encoder);
  ASSERT_EQ(head.value_width, spec.width / spec.heads);
  ASSERT_EQ(static_cast<Index>(head.value.size()), head.cols * head.value_width);
  EXPECT_NE(head.value, head.key);
  const auto tensor = [](Shape shape, const std::vector<float>& values) {
    return Tensor::of(shape, std::vector<double>(values.begin(), values.end()));
  };
  const Tensor mixed = matmul(tensor({head.rows, head.cols}, head.weights),
                              tensor({head.cols, head.value_width}, head.value));
  ASSERT_EQ(static_cast<Index>(head.output.size()), mixed.count());
  for (std::size_t i = 0; i < head.output.size(); ++i)
    EXPECT_NEAR(head.output[i], mixed.values()[i], 1e-6) << i;
  const auto width = static_cast<std::size_t>(head.value_width);
  for (std::size_t i = 0; i < head.output.size(); ++i) {  // and summed in the order of keys
    double sum = 0;
    for (std::size_t c = 0; c < static_cast<std::size_t>(head.cols); ++c)
      sum +=
          static_cast<double>(head.weights[i / width * static_cast<std::size_t>(head.cols) + c]) *
          head.value[c * width + i % width];
    EXPECT_EQ(head.output[i], static_cast<float>(sum)) << i;
  }
  // The same again where every head shares its keys and values.
  spec.kv_heads = 1;
  const Trace shared =
      trace_translation(testing::traced_model(spec, Rng(3)), "m", "a b a", request);
  EXPECT_EQ(shared.attention[0].value, shared.attention[1].value);
  EXPECT_EQ(shared.attention[0].key, shared.attention[1].key);
  EXPECT_NE(trace.attention[0].value, trace.attention[1].value);
}

}  // namespace
}  // namespace regard
