#include "regard/backend/cross_entropy.h"

#include <limits>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "regard/backend/cpu/cross_entropy.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "regard/backend/cpu/lanes-inl.h"
#include "regard/backend/cpu/math-inl.h"
#include "regard/base/elementary.h"

HWY_BEFORE_NAMESPACE();
namespace regard {
namespace HWY_NAMESPACE {

HWY_INLINE auto HasShare(F32Vec z) {
  return hn::Gt(z, hn::Set(F32(), -std::numeric_limits<float>::infinity()));
}

/// Fills max x, sum e^z and, where smoothing asks for them, C and sum z.
void LogitStats(const float* x, Index width, bool smooth, float* stats) {
  const F32 d;
  auto peaks = hn::Set(d, -std::numeric_limits<float>::infinity());
  // In this order a NaN leaves the maximum alone; it shows in the sum.
  EachVector(width, [&](Index i, Index left) {
    const auto v = LoadSome(x + i, left);
    const auto larger = hn::Max(v, peaks);
    peaks = left >= kWidth
                ? larger
                : hn::IfThenElse(hn::FirstN(d, static_cast<std::size_t>(left)), larger, peaks);
  });
  const auto top = hn::MaxOfLanes(d, peaks);
  stats[0] = hn::GetLane(top);
  F32Vec classes[kParts], sums[kParts];
  for (Index part = 0; part < kParts; ++part) classes[part] = sums[part] = hn::Zero(d);
  stats[1] = SumOf(width, [&](Index i, Index left) {
    const auto z = Below(LoadSome(x + i, left), top);
    if (smooth) {
      const Index part = i / kWidth % kParts;
      const auto one = hn::IfThenElseZero(HasShare(z), hn::Set(d, 1.0f));
      classes[part] = hn::Add(classes[part], ZeroPast(one, left));
      sums[part] = hn::Add(sums[part], ZeroPast(hn::IfThenElseZero(HasShare(z), z), left));
    }
    return ZeroPast(Exp(d, z), left);
  });
  if (!smooth) return;
  stats[2] = TreeSum(classes);
  stats[3] = TreeSum(sums);
}

/// dx = scale e^z - share where the class has one.
void LogitGradient(const float* x, Index width, const float* peak_scale_share, float* dx) {
  const F32 d;
  const auto top = hn::Set(d, peak_scale_share[0]), scale = hn::Set(d, peak_scale_share[1]);
  const auto share = hn::Set(d, peak_scale_share[2]);
  EachVector(width, [&](Index i, Index left) {
    const auto z = Below(LoadSome(x + i, left), top);
    const auto p = hn::Mul(Exp(d, z), scale);
    StoreSome(hn::Sub(p, hn::IfThenElseZero(HasShare(z), share)), dx + i, left);
  });
}

}  // namespace HWY_NAMESPACE
}  // namespace regard
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace regard {
HWY_EXPORT(LogitStats);
HWY_EXPORT(LogitGradient);

namespace kernel {
namespace {

/// What one pass over a row of logits yields.
template <Real T>
struct LogitSums {
  T peak = -std::numeric_limits<T>::infinity(), total = 0, classes = 1, sum = 0;
};

template <Real T>
T below(T x, T peak) {
  return x == peak ? 0 : x - peak;
}

LogitSums<f32> logit_sums(std::span<const f32> x, bool smooth) {
  float stats[4] = {0, 0, 1, 0};
  HWY_DYNAMIC_DISPATCH(LogitStats)(x.data(), static_cast<Index>(x.size()), smooth, stats);
  return {stats[0], stats[1], stats[2], stats[3]};
}

LogitSums<f64> logit_sums(std::span<const f64> x, bool smooth) {
  LogitSums<f64> sums;
  for (const f64 v : x) sums.peak = v > sums.peak ? v : sums.peak;
  for (const f64 v : x) sums.total += elementary::exp(below(v, sums.peak));
  if (!smooth) return sums;
  sums.classes = 0;
  for (const f64 v : x) {
    const f64 z = below(v, sums.peak);
    if (!(z > -std::numeric_limits<f64>::infinity())) continue;
    sums.classes += 1;
    sums.sum += z;
  }
  return sums;
}

struct LogitScale {
  double peak, scale, share;
};

void logit_gradient(std::span<const f32> x, const LogitScale& in, std::span<f32> dx) {
  const float packed[] = {static_cast<float>(in.peak), static_cast<float>(in.scale),
                          static_cast<float>(in.share)};
  HWY_DYNAMIC_DISPATCH(LogitGradient)
  (x.data(), static_cast<Index>(x.size()), packed, dx.data());
}

void logit_gradient(std::span<const f64> x, const LogitScale& in, std::span<f64> dx) {
  for (std::size_t j = 0; j < x.size(); ++j) {
    const f64 z = below(x[j], in.peak);
    const bool has_share = z > -std::numeric_limits<f64>::infinity();
    dx[j] = elementary::exp(z) * in.scale - (has_share ? in.share : 0);
  }
}

Index grain(Index width) {
  return std::max<Index>(1, 4096 / std::max<Index>(1, width));
}

template <Real T>
void forward(Cpu& cpu, CrossEntropyLabels labels, Rows<const T> x, Rows<T> stats, Rows<T> loss) {
  const double eps = labels.smoothing;
  cpu.parallel_ranges(x.count, grain(x.width), [=](Index begin, Index end) {
    for (Index r = begin; r < end; ++r) {
      const std::int32_t target = labels.targets[r];
      if (target < 0) {
        loss.data[r] = 0;
        continue;
      }
      const LogitSums<T> sums = logit_sums(x[r], eps > 0);
      stats[r][0] = sums.peak;
      stats[r][1] = sums.total;
      stats[r][2] = sums.classes;
      const double z = below<T>(x[r][target], sums.peak);
      loss.data[r] = static_cast<T>(elementary::log(static_cast<double>(sums.total)) -
                                    (1 - eps) * z - eps / sums.classes * sums.sum);
    }
  });
}

template <Real T>
void backward(Cpu& cpu, CrossEntropyLabels labels, const CrossEntropySaved<T>& saved, Rows<T> dx) {
  const double eps = labels.smoothing;
  cpu.parallel_ranges(dx.count, grain(dx.width), [=](Index begin, Index end) {
    for (Index r = begin; r < end; ++r) {
      const std::int32_t target = labels.targets[r];
      if (target < 0) {
        std::ranges::fill(dx[r], T(0));
        continue;
      }
      const double dloss = saved.dloss.data[r];
      const std::span<const T> stats = saved.stats[r];
      logit_gradient(saved.x[r], {stats[0], dloss / stats[1], dloss * eps / stats[2]}, dx[r]);
      dx[r][target] -= static_cast<T>(dloss * (1 - eps));
    }
  });
}

}  // namespace

void CrossEntropy::operator()(Cpu& cpu, CrossEntropyLabels labels, Rows<const f32> x,
                              Rows<f32> stats, Rows<f32> loss) const {
  forward(cpu, labels, x, stats, loss);
}
void CrossEntropy::operator()(Cpu& cpu, CrossEntropyLabels labels, Rows<const f64> x,
                              Rows<f64> stats, Rows<f64> loss) const {
  forward(cpu, labels, x, stats, loss);
}

void CrossEntropyBackward::operator()(Cpu& cpu, CrossEntropyLabels labels,
                                      const CrossEntropySaved<f32>& saved, Rows<f32> dx) const {
  backward(cpu, labels, saved, dx);
}
void CrossEntropyBackward::operator()(Cpu& cpu, CrossEntropyLabels labels,
                                      const CrossEntropySaved<f64>& saved, Rows<f64> dx) const {
  backward(cpu, labels, saved, dx);
}

}  // namespace kernel
}  // namespace regard
#endif
