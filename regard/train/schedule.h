#pragma once

#include <span>
#include <string_view>

#include "regard/train/spec.h"

namespace regard {

/// A course of the learning rate.
struct Schedule {
  std::string_view name, formula;
  /// The share of the highest rate at update `step`, counted from 1; `last` is the number of
  /// updates in all, or 0 if it is not known.
  double (*share)(const TrainSpec& spec, Index step, Index last);
};

/// Every schedule of this build; made from the files in schedules/.
std::span<const Schedule* const> all_schedules();

/// Throws Error(usage), with the nearest name, if there is none.
const Schedule& find_schedule(std::string_view name);

}  // namespace regard
