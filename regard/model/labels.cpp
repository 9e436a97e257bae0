#include "regard/model/labels.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "regard/base/check.h"
#include "regard/batch/labelled_text.h"

namespace regard {

std::optional<std::int32_t> find_label(std::span<const std::string> labels,
                                       std::string_view label) {
  const auto found = std::ranges::find(labels, label);
  if (found == labels.end()) return std::nullopt;
  return static_cast<std::int32_t>(found - labels.begin());
}

std::vector<std::string> labels_from(const nlohmann::json& json, Index count,
                                     const std::string& where) {
  if (!json.is_array()) fail(Fault::input, where, ": expected an array, got ", json.type_name());
  if (json.size() < kMinLabels || json.size() > kMaxLabels ||
      static_cast<Index>(json.size()) != count)
    fail(Fault::input, where, ": ", json.size(), " labels of a model of ", count, ", expected ",
         kMinLabels, " to ", kMaxLabels, ", as many as model.target_vocabulary says");
  std::vector<std::string> labels;
  std::set<std::string_view> seen;
  for (const nlohmann::json& each : json) {
    if (!each.is_string()) fail(Fault::input, where, ": expected text, got ", each.type_name());
    const std::string fault = fault_of_label(each.get_ref<const std::string&>());
    if (!fault.empty()) fail(Fault::input, where, ": number ", labels.size() + 1, " is ", fault);
    if (!seen.insert(each.get_ref<const std::string&>()).second)
      fail(Fault::input, where, ": '", each.get_ref<const std::string&>(), "' is there twice");
    labels.push_back(each.get<std::string>());
  }
  return labels;
}

}  // namespace regard
