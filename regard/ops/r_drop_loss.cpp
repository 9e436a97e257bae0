#include "regard/ops/r_drop_loss.h"

#include <algorithm>

#include "regard/backend/cross_entropy.h"
#include "regard/backend/launch.h"
#include "regard/backend/matmul.h"
#include "regard/backend/softmax.h"
#include "regard/base/check.h"
#include "regard/base/elementary.h"
#include "regard/ops/broadcast.h"

namespace regard {
namespace {

constexpr Index kReadingRows = 128;  // of each reading at a time

/// One reading of some rows.
template <Real T>
struct Reading {
  Rows<const T> x;  // [count, D]
  Rows<T> logits, share, stats, unused;
  Rows<T> dx;  // empty if nobody needs it
};

template <Real T>
class Comparison {
 public:
  Comparison(const Tensor& table, const T* bias, double scale)
      : table_(table), bias_(bias), scale_(scale), V_(table.size(0)), D_(table.size(1)) {}

  double total = 0;

  void operator()(const Reading<T>& a, const Reading<T>& b, Tensor& dtable, Tensor& dbias) {
    for (const Reading<T>* each : {&a, &b}) predict(*each);
    std::vector<double> sums(static_cast<std::size_t>(a.x.count));
    Cpu::get().parallel_ranges(a.x.count, 1, [&](Index begin, Index end) {
      for (Index r = begin; r < end; ++r) sums[static_cast<std::size_t>(r)] = compare(a, b, r);
    });
    for (const double sum : sums) total += sum;
    for (const Reading<T>* each : {&a, &b}) fold(*each, dtable, dbias);
  }

 private:
  void predict(const Reading<T>& of) {
    Cpu& cpu = Cpu::get();
    const Index count = of.x.count;
    const T* table = table_.template span<T>().data();
    kernel::matmul(cpu, Product<T>{.a = {of.x.data, count, D_, D_},
                                   .b = {table, V_, D_, D_},
                                   .c = {of.logits.data, count, V_, V_},
                                   .transpose_b = true,
                                   .bias = bias_});
    const std::vector<std::int32_t> any(static_cast<std::size_t>(count), 0);
    const Rows<const T> read = of.logits.template cast<const T>();
    kernel::cross_entropy(cpu, CrossEntropyLabels{any}, read, of.stats, of.unused);
    kernel::softmax(cpu, ScoreShape{1, 1, count, V_}, MaskView<T>{}, read, of.share);
  }

  /// Half the sum of (p - q)(log p - log q) of a row; the logits become the gradients by them:
  ///   d/dz_p = (p (l - sum p l) + p - q) / 2 with l = log p - log q, and alike for q.
  double compare(const Reading<T>& a, const Reading<T>& b, Index r) const {
    const auto log_total = [r](const Reading<T>& of) {
      return static_cast<T>(elementary::log(of.stats[r][1]));
    };
    const T lift = (a.stats[r][0] - b.stats[r][0]) + (log_total(a) - log_total(b));
    const std::span<T> za = a.logits[r], zb = b.logits[r];
    const std::span<const T> p = a.share[r], q = b.share[r];
    double half = 0, by_p = 0, by_q = 0;
    for (std::size_t j = 0; j < za.size(); ++j) {
      za[j] = za[j] - zb[j] - lift;  // log p - log q
      half += static_cast<double>((p[j] - q[j]) * za[j]) / 2;
      by_p += static_cast<double>(p[j] * za[j]);
      by_q += static_cast<double>(q[j] * za[j]);
    }
    const T factor = static_cast<T>(scale_ / 2), mean_p = static_cast<T>(by_p),
            mean_q = static_cast<T>(by_q);
    for (std::size_t j = 0; j < za.size(); ++j) {
      const T apart = za[j];
      za[j] = factor * (p[j] * (apart - mean_p) + p[j] - q[j]);
      zb[j] = factor * (q[j] * (mean_q - apart) + q[j] - p[j]);
    }
    return half;
  }

  void fold(const Reading<T>& of, Tensor& dtable, Tensor& dbias) const {
    Cpu& cpu = Cpu::get();
    const Index count = of.x.count;
    if (of.dx.data)
      kernel::matmul(cpu, Product<T>{.a = {of.logits.data, count, V_, V_},
                                     .b = {table_.template span<T>().data(), V_, D_, D_},
                                     .c = {of.dx.data, count, D_, D_}});
    if (dtable.count())
      kernel::matmul(cpu, Product<T>{.a = {of.logits.data, count, V_, V_},
                                     .b = {of.x.data, count, D_, D_},
                                     .c = {dtable.span<T>().data(), V_, D_, D_},
                                     .transpose_a = true,
                                     .accumulate = true});
    if (!dbias.count()) return;
    const std::span<T> sums = dbias.span<T>();
    for (Index r = 0; r < count; ++r)
      for (std::size_t j = 0; j < sums.size(); ++j) sums[j] += of.logits[r][j];
  }

  const Tensor table_;
  const T* bias_;
  double scale_;
  Index V_, D_;
};

struct AgreementGradients {
  Tensor a, b, table, bias;
};

/// A reading of rows from `begin` on, with scratch of its own.
template <Real T>
Reading<T> reading(const Tensor& x, Tensor& dx, Index begin, Index count, Tensor& scratch) {
  const Index D = x.size(1), V = (scratch.size(1) - 4) / 2;
  T* const own = scratch.span<T>().data();
  return {{x.span<T>().data() + begin * D, count, D},
          {own, count, V},
          {own + kReadingRows * V, count, V},
          {own + 2 * kReadingRows * V, count, 3},
          {own + 2 * kReadingRows * V + 3 * kReadingRows, 1, count},
          dx.count() ? Rows<T>{dx.span<T>().data() + begin * D, count, D} : Rows<T>{}};
}

}  // namespace

Var r_drop_loss(const Var& a, const Var& b, const Var& table, const Var& bias, double scale) {
  check(a.rank() == 2 && a.shape() == b.shape() && table.rank() == 2 && a.size(1) == table.size(1),
        "readings of shapes ", a.shape(), " and ", b.shape(), " do not fit a table of shape ",
        table.shape(), "; expected [N, D] twice and [V, D]");
  const auto wanted = [](const Var& x) { return recording() && x && x.needs_grad(); };
  AgreementGradients gradients{wanted(a) ? Tensor::like(a.value()) : Tensor(),
                               wanted(b) ? Tensor::like(b.value()) : Tensor(),
                               wanted(table) ? Tensor(table.shape(), table.dtype()) : Tensor(),
                               wanted(bias) ? Tensor(bias.shape(), bias.dtype()) : Tensor()};
  double total = 0;
  visit(a.dtype(), [&]<class T>(T) {
    Comparison<T> compare(table.value(), bias ? bias.value().span<T>().data() : nullptr, scale);
    const Shape room{kReadingRows, 2 * table.size(0) + 4};
    Tensor first = Tensor::empty(room, a.dtype()), second = Tensor::empty(room, a.dtype());
    for (Index begin = 0; begin < a.size(0); begin += kReadingRows) {
      const Index count = std::min(kReadingRows, a.size(0) - begin);
      compare(reading<T>(a.value(), gradients.a, begin, count, first),
              reading<T>(b.value(), gradients.b, begin, count, second), gradients.table,
              gradients.bias);
    }
    total = compare.total;
  });
  std::vector<Var> inputs{a, b, table};
  if (bias) inputs.push_back(bias);
  return record(Tensor::full({}, total * scale, a.dtype()), inputs, [=](const Tensor& dy) {
    const auto hand = [&](const Var& to, const Tensor& gradient) {
      if (to && to.needs_grad()) to.accumulate(scaled(gradient, dy.item()));
    };
    hand(a, gradients.a);
    hand(b, gradients.b);
    hand(table, gradients.table);
    hand(bias, gradients.bias);
  });
}

}  // namespace regard
