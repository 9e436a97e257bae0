#include "regard/convert/target.h"

#include "regard/base/check.h"
#include "regard/base/nearest.h"

namespace regard {

const ConvertTarget& find_convert_target(std::string_view name) {
  std::vector<std::string_view> names;
  for (const ConvertTarget* target : all_convert_targets()) {
    if (target->name == name) return *target;
    names.push_back(target->name);
  }
  fail(Fault::usage, "no form of a model is called '", name, "'", known_values(name, names));
}

}  // namespace regard
