#pragma once

#include <memory>
#include <vector>

#include "regard/attention/mechanism.h"
#include "regard/block/time_order.h"

namespace regard {

/// Where a decoder that attends step by step makes one capture out of many: `on_attention` gets
/// [T, S] of each sequence, as if all steps had been one call.
class StepCaptures {
 public:
  explicit StepCaptures(Pass pass) : pass_(std::move(pass)) {}

  /// The pass of the next step, with randomness of its own.
  Pass next_pass();

  /// Tells the listener, where there is one: queries in that order of time, keys of these sources.
  void show(const TimeOrder& order, const Segments& sources) const;

 private:
  Pass pass_;
  std::uint64_t steps_ = 0;
  std::shared_ptr<std::vector<AttentionCapture>> seen_ =
      std::make_shared<std::vector<AttentionCapture>>();
};

}  // namespace regard
