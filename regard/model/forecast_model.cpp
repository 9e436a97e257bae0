#include "regard/model/forecast_model.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

#include "regard/base/check.h"
#include "regard/block/pack.h"
#include "regard/block/parameters.h"
#include "regard/ops/add.h"
#include "regard/ops/concat.h"
#include "regard/ops/multiply.h"
#include "regard/ops/reshape.h"

namespace regard {
namespace {

PatchEmbeddingSpec embedding_spec(const ModelSpec& spec, const PatchLayout& patches, Dtype dtype,
                                  Rng rng) {
  return {.values = patches.length,
          .width = spec.width,
          .position = spec.position,
          .length = patches.count(),
          .dtype = dtype,
          .rng = rng};
}

Index outputs_of(const ModelSpec& spec) {
  const auto levels = static_cast<Index>(quantile_levels(spec).size());
  return std::max<Index>(levels, 1) * spec.horizon;
}

std::optional<double> number_from(std::string_view text) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return {};
  return number;
}

/// Windows of mean 0 and deviation 1 as patches, and what they were: [B, 1] each.
struct Normalised {
  Tensor values;   // [B, context]
  Tensor patches;  // [B P, length]
  Tensor mean, deviation;
};

/// Added to the variance, so that a window that never changes is only brought to 0.
constexpr double kLeastVariance = 1e-5;

template <class T>
void normalise(std::span<const T> past, std::span<T> values, T& mean, T& deviation) {
  const auto count = static_cast<double>(past.size());
  double sum = 0, squares = 0;
  for (const T value : past) sum += static_cast<double>(value);
  const double centre = sum / count;
  for (const T value : past) {
    const double off = static_cast<double>(value) - centre;
    squares += off * off;
  }
  const double spread = std::sqrt(squares / count + kLeastVariance);
  mean = static_cast<T>(centre);
  deviation = static_cast<T>(spread);
  for (std::size_t i = 0; i < past.size(); ++i)
    values[i] = static_cast<T>((static_cast<double>(past[i]) - centre) / spread);
}

/// The patches of a window, one after another.
template <class T>
void cut(std::span<const T> values, const PatchLayout& layout, std::span<T> patches) {
  std::size_t at = 0;
  for (Index p = 0; p < layout.count(); ++p)
    for (Index i = layout.begin(p); i < layout.begin(p) + layout.length; ++i)
      patches[at++] = values[static_cast<std::size_t>(std::max<Index>(i, 0))];
}

Normalised normalised(const Tensor& pasts, const PatchLayout& layout) {
  const Index B = pasts.size(0), P = layout.count();
  Normalised made{Tensor::like(pasts), Tensor::empty({B * P, layout.length}, pasts.dtype()),
                  Tensor::empty({B, 1}, pasts.dtype()), Tensor::empty({B, 1}, pasts.dtype())};
  visit(pasts.dtype(), [&]<class T>(T) {
    const auto context = static_cast<std::size_t>(layout.context),
               size = static_cast<std::size_t>(P * layout.length);
    const std::span<const T> all = pasts.span<T>();
    const std::span<T> values = made.values.span<T>(), patches = made.patches.span<T>(),
                       mean = made.mean.span<T>(), deviation = made.deviation.span<T>();
    for (std::size_t b = 0; b < mean.size(); ++b) {
      const std::span<T> own = values.subspan(b * context, context);
      normalise<T>(all.subspan(b * context, context), own, mean[b], deviation[b]);
      cut<T>(own, layout, patches.subspan(b * size, size));
    }
  });
  return made;
}

}  // namespace

PatchLayout patch_layout(const ModelSpec& spec) {
  check(spec.patch <= spec.context, "model.patch is ", spec.patch, ", longer than model.context, ",
        spec.context);
  check(spec.stride <= spec.patch, "model.stride is ", spec.stride, ", longer than model.patch, ",
        spec.patch, ", so that values would be left out");
  return {.context = spec.context, .length = spec.patch, .stride = spec.stride};
}

std::vector<double> quantile_levels(const ModelSpec& spec) {
  std::vector<double> levels;
  if (spec.quantiles.empty()) return levels;
  std::string_view rest = spec.quantiles;
  while (true) {
    const std::size_t comma = rest.find(',');
    const std::optional<double> level = number_from(rest.substr(0, comma));
    check(level && *level > 0 && *level < 1 && (levels.empty() || levels.back() < *level),
          "model.quantiles is '", spec.quantiles,
          "', expected numbers between 0 and 1 that rise, as 0.1,0.5,0.9");
    levels.push_back(*level);
    if (comma == rest.npos) return levels;
    rest.remove_prefix(comma + 1);
  }
}

ForecastModel::ForecastModel(const ModelSpec& spec, Rng rng, Dtype dtype)
    : patches_(patch_layout(spec)),
      levels_(quantile_levels(spec)),
      horizon_(spec.horizon),
      dropout_(spec.dropout),
      embed_(embedding_spec(spec, patches_, dtype, rng.fork("embed"))),
      encoder_(encoder_spec(spec, dtype), rng.fork("encoder")),
      head_({.in = patches_.count() * spec.width + spec.context,
             .out = outputs_of(spec),
             .dtype = dtype,
             .rng = rng.fork("head")}) {
  // From nothing: what a random head says along directions in which windows hardly differ would
  // stay.
  head_.weight.set_value(Tensor(head_.weight.shape(), dtype));
  if (spec.causal) encoder_.window = encoder_.window & Mask::causal();
}

// Windows are brought to (x - mean) / deviation, so that y is restored from the same map of them:
//   u_last + (u - u_last) W = u W + u_last (1 - the sum of W's column)
void ForecastModel::begin_as(std::span<const double> W) {
  Tensor weight = head_.weight.value().clone();  // [patches D + context, levels horizon]
  const auto context = static_cast<std::size_t>(patches_.context),
             horizon = static_cast<std::size_t>(horizon_),
             outputs = static_cast<std::size_t>(weight.size(1)),
             first = static_cast<std::size_t>(weight.size(0)) - context;
  check(W.size() == context * horizon, "a linear map of ", W.size(), " weights, expected ",
        context * horizon);
  std::vector<double> last(horizon, 1);
  for (std::size_t i = 0; i < W.size(); ++i) last[i % horizon] -= W[i];
  visit(weight.dtype(), [&]<class T>(T) {
    const std::span<T> to = weight.span<T>().subspan(first * outputs);
    for (std::size_t c = 0; c < context; ++c)
      for (std::size_t o = 0; o < outputs; ++o) {
        const std::size_t h = o % horizon;
        const double more = c + 1 == context ? last[h] : 0;
        to[c * outputs + o] = static_cast<T>(W[c * horizon + h] + more);
      }
  });
  head_.weight.set_value(weight);
}

Var ForecastModel::forward(const Tensor& pasts, const Pass& pass) const {
  check(pasts.rank() == 2 && pasts.size(1) == context(), "pasts of shape ", pasts.shape(),
        ", expected [windows, ", context(), "]");
  const Index B = pasts.size(0), P = patches_.count();
  const Normalised in = normalised(pasts, patches_);
  const Segments segments = Segments::equal(B, P);
  const Pass inside = pass.inside("encoder");
  const Var rows = encoder_(
      {.rows = embed_(Var(in.patches), segments,
                      {pass.training ? dropout_ : 0, inside.rng.fork("embed")}),  // [B P, D]
       .segments = segments,
       .position = embed_.position.get()},
      inside);
  const Var seen = concat({reshape(rows, {B, P * rows.size(-1)}), Var(in.values)}, 1);
  const Var said = head_(seen);  // [B, levels horizon]
  const Var restored = add(multiply(said, Var(in.deviation)), Var(in.mean));
  return reshape(restored, {B, said.size(1) / horizon_, horizon_});
}

void ForecastModel::each(const Visit& visit) {
  each_parameter(embed_, visit, "embed");
  each_parameter(encoder_, visit, "encoder");
  each_parameter(head_, visit, "head");
}

void ForecastModel::pack() {
  pack_weights(encoder_);
  head_.pack();
}

void ForecastModel::quantise() {
  quantise_weights(encoder_);
}

}  // namespace regard
