#include "regard/position/sinusoids.h"

#include <algorithm>

#include "regard/base/check.h"
#include "regard/base/elementary.h"
#include "regard/ops/add.h"

namespace regard {
namespace {

constexpr double kBase = 10000;

/// Radians a step for each pair of columns; an odd width has a sine without its cosine at the end.
std::vector<double> speeds(Index width, SinusoidLayout layout) {
  const Index last_of_half = width / 2 - 1;
  std::vector<double> speeds;
  for (Index j = 0; j < (width + 1) / 2; ++j) {
    const double power = layout == SinusoidLayout::interleaved
                             ? 2 * static_cast<double>(j) / static_cast<double>(width)
                             : static_cast<double>(j) / static_cast<double>(last_of_half);
    speeds.push_back(1 / elementary::pow(kBase, power));
  }
  return speeds;
}

void fill_row(double position, std::span<const double> speeds, SinusoidLayout layout,
              std::span<double> row) {
  const bool interleaved = layout == SinusoidLayout::interleaved;
  for (std::size_t j = 0; j < speeds.size(); ++j) {
    const std::size_t sine = interleaved ? 2 * j : j;
    const std::size_t cosine = interleaved ? 2 * j + 1 : speeds.size() + j;
    const elementary::SineCosine wave = elementary::sine_and_cosine(position * speeds[j]);
    row[sine] = wave.sine;
    if (cosine < row.size()) row[cosine] = wave.cosine;
  }
}

}  // namespace

Sinusoids sinusoids(std::span<const Index> positions, Index width, SinusoidLayout layout,
                    Dtype dtype) {
  check(layout == SinusoidLayout::interleaved || (width >= 4 && width % 2 == 0),
        "half sines, half cosines need an even width of 4 or more, got ", width);
  // A batch repeats the same few positions; sines are dear.
  std::vector<Index> distinct(positions.begin(), positions.end());
  std::ranges::sort(distinct);
  distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());

  const std::vector<double> speed = speeds(width, layout);
  const auto size = static_cast<std::size_t>(width);
  std::vector<double> table(distinct.size() * size);
  for (std::size_t i = 0; i < distinct.size(); ++i)
    fill_row(static_cast<double>(distinct[i]), speed, layout,
             std::span(table).subspan(i * size, size));

  Sinusoids found{Tensor::of({static_cast<Index>(distinct.size()), width}, table, dtype), {}};
  for (const Index position : positions)
    found.row.push_back(std::ranges::lower_bound(distinct, position) - distinct.begin());
  return found;
}

Var add_sinusoids(const Var& x, std::span<const Index> positions, SinusoidLayout layout) {
  const Index width = x.size(-1);
  check(static_cast<Index>(positions.size()) * width == x.value().count(),
        "expected one position for each row of ", x.shape(), ", got ", positions.size());
  const Sinusoids found = sinusoids(positions, width, layout, x.dtype());
  Tensor waves = Tensor::like(x.value());
  visit(x.dtype(), [&]<class T>(T) {
    T* to = waves.span<T>().data();
    for (const Index row : found.row)
      to = std::copy_n(found.table.span<T>().data() + row * width, width, to);
  });
  return add(x, Var(waves));
}

}  // namespace regard
