#include "regard/series/standardise.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "regard/base/check.h"

namespace regard {
namespace {

constexpr double kFarthest = 1e15;  // its square, summed, is a number in f32

Scale scale_of(std::span<const double> values) {
  const auto [least, most] = std::ranges::minmax(values);
  // Rounding would leave a deviation that is not quite 0, and be blown up by it.
  if (least == most) return {.mean = least, .deviation = 1};
  const auto count = static_cast<double>(values.size());
  double sum = 0, squares = 0;
  for (const double value : values) sum += value;
  const double mean = sum / count;
  for (const double value : values) squares += (value - mean) * (value - mean);
  const double deviation = std::sqrt(squares / count);
  return {.mean = mean, .deviation = deviation > 0 ? deviation : 1};
}

}  // namespace

std::vector<Scale> scales_of(const SeriesTable& table, RowRange rows) {
  check(0 <= rows.begin && rows.begin < rows.end && rows.end <= table.rows(), "scales over rows ",
        rows.begin, " to ", rows.end, " of a table of ", table.rows());
  std::vector<Scale> scales;
  for (const std::vector<double>& column : table.columns)
    scales.push_back(scale_of(std::span(column).subspan(static_cast<std::size_t>(rows.begin),
                                                        static_cast<std::size_t>(rows.size()))));
  return scales;
}

StandardSeries::StandardSeries(const SeriesTable& table, std::vector<Scale> scales)
    : path_(table.path), scales_(std::move(scales)), rows_(table.rows()) {
  check(scales_.size() == table.columns.size(), scales_.size(), " scales for ",
        table.columns.size(), " series");
  values_.reserve(table.columns.size() * static_cast<std::size_t>(rows_));
  for (std::size_t i = 0; i < scales_.size(); ++i) {
    for (const double value : table.columns[i]) {
      const double z = (value - scales_[i].mean) / scales_[i].deviation;
      if (!(std::abs(z) <= kFarthest)) {
        const Index line = static_cast<Index>(values_.size()) % rows_ + 2;
        fail(Blame(Fault::input).at(path_, line), path_, ":", line, ": column '", table.names[i],
             "': ", value, " is ", std::abs(z), " deviations away from the mean of train, ",
             scales_[i].mean, "; correct it, or leave the column out");
      }
      values_.push_back(static_cast<float>(z));
    }
  }
}

}  // namespace regard
