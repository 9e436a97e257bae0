#pragma once

#include <span>
#include <vector>

#include "regard/series/split.h"

namespace regard {

/// What a series is brought to mean 0 and deviation 1 by:   z = (x - mean) / deviation
struct Scale {
  double mean = 0, deviation = 1;

  double restored(double z) const { return z * deviation + mean; }
  bool operator==(const Scale&) const = default;
};

/// Mean and population deviation of each series over some rows, those of train as a rule; the
/// deviation of one that never changes there is 1.   REQUIRES rows of the table, one or more
std::vector<Scale> scales_of(const SeriesTable& table, RowRange rows);

/// A table's series, standardised, each in one piece.
class StandardSeries {
 public:
  /// Throws Error(input) with the line and the column of a value that is too far from the mean for
  /// f32 to square it.   REQUIRES a scale per series
  StandardSeries(const SeriesTable& table, std::vector<Scale> scales);

  std::span<const float> series(Index i) const& {
    return std::span(values_).subspan(static_cast<std::size_t>(i * rows_),
                                      static_cast<std::size_t>(rows_));
  }
  void series(Index i) && = delete;  // a view of a temporary would dangle
  const Scale& scale(Index i) const { return scales_[static_cast<std::size_t>(i)]; }

  Index rows() const { return rows_; }
  Index count() const { return static_cast<Index>(scales_.size()); }  ///< of series
  const std::string& path() const { return path_; }                   ///< for messages

 private:
  std::string path_;
  std::vector<Scale> scales_;
  Index rows_;
  std::vector<float> values_;  // [series, rows]
};

}  // namespace regard
