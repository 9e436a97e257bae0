#include "regard/series/least_squares.h"

#include <algorithm>

#include "regard/base/check.h"
#include "regard/base/memory_left.h"

namespace regard {
namespace {

/// Values that windows of a series slide over: window t is values[t], ..., values[t + length - 1].
using Slide = std::span<const float>;

/// The products of every two places of a window, summed over all windows: a row for each place of
/// the past, a column for each of the window; below the diagonal nothing.   [context, length]
class WindowProducts {
 public:
  WindowProducts(const Windows& windows)
      : context_(windows.size().context),
        length_(context_ + windows.size().horizon),
        moments_(windows.moments()),
        sums_(static_cast<std::size_t>(context_ * length_)) {
    std::vector<Slide> slides;
    for (Index i = 0; i < windows.all().count(); ++i)
      slides.push_back(windows.all().series(i).subspan(
          static_cast<std::size_t>(windows.example(0).row - context_),
          static_cast<std::size_t>(moments_ + length_ - 1)));
    for (const Slide& slide : slides) add_first_row(slide);
    for (Index i = 1; i < context_; ++i) make_row(i, slides);
    subtract_last();
  }

  double* row(Index i) { return sums_.data() + i * length_; }
  Index length() const { return length_; }

 private:
  void add_first_row(const Slide& slide) {
    double* const sums = row(0);
    for (Index t = 0; t < moments_; ++t) {
      const double first = slide[static_cast<std::size_t>(t)];
      const float* const window = slide.data() + t;
      for (Index j = 0; j < length_; ++j) sums[j] += first * static_cast<double>(window[j]);
    }
  }

  // Places (i, j) of window t are places (i - 1, j - 1) of window t + 1, so that of the sum above
  // to the left only the first window goes and one comes.
  void make_row(Index i, const std::vector<Slide>& slides) {
    const double* const above = row(i - 1);
    double* const sums = row(i);
    for (Index j = i; j < length_; ++j) sums[j] = above[j - 1];
    for (const Slide& slide : slides) {
      const float* const comes = slide.data() + moments_ - 1;
      const float* const goes = slide.data();
      const double come = comes[i], go = goes[i - 1];
      for (Index j = i; j < length_; ++j)
        sums[j] += come * static_cast<double>(comes[j]) - go * static_cast<double>(goes[j - 1]);
    }
  }

  // (a - l)(b - l) = ab - al - lb + ll, where l is the last value of the past.
  void subtract_last() {
    const Index last = context_ - 1;
    std::vector<double> with_last(row(last), row(last) + length_);
    for (Index i = 0; i < last; ++i) with_last[static_cast<std::size_t>(i)] = row(i)[last];
    const double* const l = with_last.data();
    for (Index i = 0; i < context_; ++i)
      for (Index j = i; j < length_; ++j) row(i)[j] += l[last] - l[i] - l[j];
  }

  const Index context_, length_, moments_;
  std::vector<double> sums_;
};

/// y -= factor x
void subtract(double factor, const double* x, double* y, Index count) {
  for (Index i = 0; i < count; ++i) y[i] -= factor * x[i];
}

}  // namespace

std::vector<double> least_squares(const Windows& windows, double ridge) {
  check(ridge > 0, "a ridge of ", ridge, ", expected above 0");
  const Index context = windows.size().context, horizon = windows.size().horizon;
  check_memory("the linear baseline",
               8.0 * static_cast<double>(context) * static_cast<double>(context + 2 * horizon),
               "use a shorter context or horizon");
  WindowProducts products(windows);
  const Index length = products.length();
  for (Index i = 0; i < context; ++i)
    products.row(i)[i] += ridge * static_cast<double>(windows.count());

  // Elimination without pivots, safe as the matrix is positive definite; what is below the diagonal
  // is known by symmetry.
  for (Index k = 0; k < context; ++k) {
    const double* const pivot = products.row(k);
    check(pivot[k] > 0, "a ridge of ", ridge, " is lost in rounding; expected a larger one");
    for (Index i = k + 1; i < context; ++i)
      subtract(pivot[i] / pivot[k], pivot + i, products.row(i) + i, length - i);
  }
  std::vector<double> weights(static_cast<std::size_t>(context * horizon));
  for (Index k = context - 1; k >= 0; --k) {
    double* const weight = weights.data() + k * horizon;
    std::copy_n(products.row(k) + context, horizon, weight);
    for (Index i = k + 1; i < context; ++i)
      subtract(products.row(k)[i], weights.data() + i * horizon, weight, horizon);
    for (Index h = 0; h < horizon; ++h) weight[h] /= products.row(k)[k];
  }
  return weights;
}

}  // namespace regard
