#pragma once

#include <memory>
#include <vector>

#include "regard/attention/mechanism.h"
#include "regard/block/time_order.h"

namespace regard {

/// Where a decoder that attends step by step makes one glance out of many: the listener sees
/// [T, S] of each sequence, as if all steps had been one call.
class StepGlances {
 public:
  explicit StepGlances(Pass pass) : pass_(std::move(pass)) {}

  /// The pass of the next step, with randomness of its own.
  Pass next_pass();

  /// Tells the listener, where there is one: queries in that order of time, keys of these sources.
  void show(const TimeOrder& order, const Segments& sources) const;

 private:
  Pass pass_;
  std::uint64_t steps_ = 0;
  std::shared_ptr<std::vector<Glance>> seen_ = std::make_shared<std::vector<Glance>>();
};

}  // namespace regard
