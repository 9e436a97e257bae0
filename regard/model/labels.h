#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "regard/base/real.h"

namespace regard {

/// What a model that labels can say, and how much of it: a table of confusions must stay readable.
inline constexpr std::size_t kMinLabels = 2, kMaxLabels = 1000;

/// The number of a label among all.
std::optional<std::int32_t> find_label(std::span<const std::string> labels, std::string_view label);

/// The labels of a model of `count`, from a config. Throws Error(input) naming `where` unless they
/// are so many, all different.
std::vector<std::string> labels_from(const nlohmann::json& json, Index count,
                                     const std::string& where);

}  // namespace regard
