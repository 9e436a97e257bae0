#include "regard/train/schedule.h"

#include <vector>

#include "regard/base/check.h"
#include "regard/base/nearest.h"

namespace regard {

const Schedule& find_schedule(std::string_view name) {
  std::vector<std::string_view> names;
  for (const Schedule* schedule : all_schedules()) {
    if (schedule->name == name) return *schedule;
    names.push_back(schedule->name);
  }
  fail(Fault::usage, "no schedule is called '", name, "'", known_values(name, names));
}

}  // namespace regard
