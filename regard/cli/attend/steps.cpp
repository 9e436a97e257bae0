#include "regard/cli/attend/steps.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "regard/base/check.h"
#include "regard/cli/attend/result.h"
#include "regard/ops/add.h"
#include "regard/ops/linear.h"
#include "regard/ops/mix.h"
#include "regard/ops/reshape.h"
#include "regard/ops/scale.h"
#include "regard/ops/scores.h"
#include "regard/ops/softmax.h"

namespace regard {
namespace {

using Labels = std::vector<std::string>;

/// A matrix on its way, and what it is called in equations.
struct Named {
  std::string name;
  Var value;
};

/// [..., rows, columns] -> [B, H, rows, columns]
Shape panel_shape(const Shape& shape) {
  if (shape.rank() == 1) return {1, 1, 1, shape[0]};
  if (shape.rank() == 2) return {1, 1, shape[0], shape[1]};
  return shape.rank() == 3 ? Shape{shape[0], 1, shape[1], shape[2]} : shape;
}

/// Notes each matrix as it passes.
class Recorder {
 public:
  /// The variable, as it goes on. Its columns are named, or numbered.
  Var add(const Named& named, const std::string& equation, const Labels& rows,
          const Labels& columns = {}) {
    const Tensor value = named.value.value().reshaped(panel_shape(named.value.shape()));
    for (const double x : value.span<f64>()) check_finite(x);
    steps_.push_back(
        {.name = named.name,
         .equation = equation,
         .value = {value, rows, columns.empty() ? numbered_labels("", value.size(3)) : columns},
         .gradient = {}});
    // What reaches the 0 that is added is the gradient of the sum.
    probes_.emplace_back(Tensor(named.value.shape(), Dtype::f64), /*trainable=*/true);
    return regard::add(named.value, probes_.back());
  }

  Step& last() { return steps_.back(); }

  void read_gradients() {
    for (std::size_t i = 0; i < steps_.size(); ++i) {
      const Tensor& probe = probes_[i].has_grad() ? probes_[i].grad() : probes_[i].value();
      for (const double x : probe.span<f64>()) check_finite(x);
      steps_[i].gradient = probe.reshaped(steps_[i].value.values.shape());
    }
  }

  std::vector<Step> take() { return std::move(steps_); }

 private:
  std::vector<Step> steps_;
  std::vector<Var> probes_;
};

/// x W + b by its name, or x itself.
Named projected(Recorder& recorder, const Named& x, const Projection& by, const std::string& name,
                const Labels& rows) {
  if (!by.weight) return x;
  const std::string W = "W" + by.letter, b = "b" + by.letter;
  const Var weight =
      recorder.add({W, Var(*by.weight)}, "", numbered_labels("", by.weight->size(0)));
  const Var bias = by.bias ? recorder.add({b, Var(*by.bias)}, "", {b}) : Var();
  const std::string equation = fmt::format("{} {}{}", x.name, W, by.bias ? " + " + b : "");
  return {name, recorder.add({name, linear(x.value, weight, bias)}, equation, rows)};
}

/// The scores of the mechanism, before any mask, with what they came from.
Var scores_of(const AttendRequest& request, const Var& q, const Var& k, const Var& v) {
  Var scores;
  Pass pass;
  pass.on_attention = [&](const AttentionCapture& capture) { scores = capture.all_scores; };
  (*mechanism_for(request, q, k))({.q = q, .k = k, .v = v}, pass);
  return scores;
}

/// "q W k'" of "softmax(q W k') v".
std::string inside_softmax(const Mechanism& mechanism) {
  constexpr std::string_view before = "softmax(", after = ") v";
  std::string_view formula = mechanism.formula;
  if (!formula.starts_with(before) || !formula.ends_with(after)) return "the mechanism's own";
  formula.remove_prefix(before.size());
  formula.remove_suffix(after.size());
  return std::string(formula);
}

/// Puts NaN where the mask hides.
void mark_hidden(Tensor& values, const Mask& mask) {
  const ScoreShape shape{values.size(0), values.size(1), values.size(2), values.size(3)};
  double* value = values.span<f64>().data();
  for (Index b = 0; b < shape.rows; ++b)
    for (Index h = 0; h < shape.heads; ++h)
      for (Index t = 0; t < shape.queries; ++t)
        for (Index s = 0; s < shape.keys; ++s, ++value)
          if (!mask.visible(shape, b, h, t, s)) *value = std::numeric_limits<double>::quiet_NaN();
}

/// The way from q, k and v to the output, in equations of these names.
class Walk {
 public:
  Walk(const AttendRequest& request, Recorder& recorder)
      : request_(request),
        recorder_(recorder),
        queries_(request.labels.queries),
        keys_(request.labels.keys),
        head_(request.heads > 1 ? "_h" : "") {}

  Var output(const Named& q, const Named& k, const Named& v) {
    const Named scores = scored(q, k, v);
    const Named seen = masked(scores);
    const Var weights =
        recorder_.add({"weights", masked_softmax(seen.value, request_.mask)},
                      fmt::format("softmax({}) of each row", seen.name), queries_, keys_);
    const Var mixed = join_heads(mix(weights, split_heads(v.value, request_.heads)));
    const bool projects = request_.output.weight.has_value();
    const std::string name = projects ? "mixed" : "output";
    const std::string one = fmt::format("weights{0} {1}{0}", head_, v.name);
    const Var joined = recorder_.add(
        {name, mixed}, head_.empty() ? one : one + ", the heads side by side", queries_);
    return projected(recorder_, {name, joined}, request_.output, "output", queries_).value;
  }

 private:
  Named scored(const Named& query, const Named& key, const Named& value) {
    const auto heads = [&](const Named& x) { return split_heads(x.value, request_.heads); };
    const Var q = heads(query), k = heads(key);
    if (!request_.mechanism->fused) {
      const Var own = scores_of(request_, q, k, heads(value));
      return shown("scores", own, formula(query, key));
    }
    // The fused one is the scaled dot product, here as on paper.
    const Named dots =
        shown("scores", scores(q, k), fmt::format("{1}{0} {2}{0}'", head_, query.name, key.name));
    const double d = static_cast<double>(q.size(3));
    return shown("scaled", scale(dots.value, 1 / std::sqrt(d)),
                 fmt::format("scores / sqrt({})", d));
  }

  Named masked(const Named& scores) {
    if (request_.mask.is_full()) return scores;
    const Named seen = shown("masked", scores.value, scores.name + ", without what the mask hides");
    Tensor& values = recorder_.last().value.values;
    values = values.clone();
    mark_hidden(values, request_.mask);
    return seen;
  }

  Named shown(const std::string& name, const Var& x, const std::string& equation) {
    return {name, recorder_.add({name, x}, equation, queries_, keys_)};
  }

  /// The mechanism's formula of the scores, with what its letters are, if not q and k.
  std::string formula(const Named& q, const Named& k) const {
    const std::string query = q.name + head_, key = k.name + head_;
    const std::string inside = inside_softmax(*request_.mechanism);
    if (inside == "q k'") return fmt::format("{} {}'", query, key);
    return query == "q" && key == "k" ? inside
                                      : fmt::format("{} with q = {}, k = {}", inside, query, key);
  }

  const AttendRequest& request_;
  Recorder& recorder_;
  const Labels &queries_, &keys_;
  std::string head_;  ///< what marks a head's part of q, k and v
};

}  // namespace

Steps steps_of(const AttendRequest& request, bool with_gradients) {
  std::optional<NoGrad> inference;
  if (!with_gradients) inference.emplace();
  const AttendLabels& labels = request.labels;
  Recorder recorder;
  const auto given = [&](const AttendInput& in, const Labels& rows) -> Named {
    return {in.name, recorder.add({in.name, Var(in.rows)}, "", rows)};
  };
  const Named for_query = given(request.query, labels.queries);
  const Named for_key =
      request.key.name == for_query.name ? for_query : given(request.key, labels.keys);
  const Named for_value =
      request.value.name == for_key.name ? for_key : given(request.value, labels.keys);
  const Named q = projected(recorder, for_query, request.query.projection, "q", labels.queries);
  const Named k = projected(recorder, for_key, request.key.projection, "k", labels.keys);
  const Named v = projected(recorder, for_value, request.value.projection, "v", labels.keys);
  const Var output = Walk(request, recorder).output(q, k, v);
  Steps steps;
  if (with_gradients) {
    const auto& given_gradient = request.output_gradient;
    backward(output, given_gradient ? given_gradient->clone()
                                    : Tensor::full(output.shape(), 1, Dtype::f64));
    recorder.read_gradients();
    steps.loss = given_gradient ? "sum of output * the output gradient given" : "sum of the output";
  }
  steps.all = recorder.take();
  return steps;
}

}  // namespace regard
