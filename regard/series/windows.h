#pragma once

#include <span>
#include <string_view>

#include "regard/series/standardise.h"

namespace regard {

/// How much a forecast sees, and how far it goes, in steps.
struct WindowSize {
  Index context = 0, horizon = 0;

  bool operator==(const WindowSize&) const = default;
};

/// The examples of a part of a table: at every moment whose following `horizon` values lie in the
/// part, each series, its `context` values before and those that follow. The context may reach into
/// what is before the part. Example i is series i % series at moment i / series: those of a moment
/// stand together. Views into the series, which must outlive it.
class Windows {
 public:
  /// `name` is that of the part in messages. Throws Error(input) if the part has no example.
  Windows(const StandardSeries& series, RowRange part, WindowSize size, std::string_view name);
  Windows(StandardSeries&&, RowRange, WindowSize, std::string_view) = delete;

  Index count() const { return moments() * series_->count(); }
  Index moments() const { return last_ - first_ + 1; }
  const WindowSize& size() const { return size_; }

  struct Example {
    Index series, row;  ///< of the first value that follows
  };
  Example example(Index i) const { return {i % series_->count(), first_ + i / series_->count()}; }

  std::span<const float> past(Index i) const;    ///< [context]
  std::span<const float> future(Index i) const;  ///< [horizon]

  const StandardSeries& all() const { return *series_; }

 private:
  const StandardSeries* series_;
  WindowSize size_;
  Index first_, last_;  // rows where futures begin
};

}  // namespace regard
