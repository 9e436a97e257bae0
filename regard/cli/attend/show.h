#pragma once

#include <string>

#include "regard/cli/attend/result.h"
#include "regard/viewer/heat_map.h"

namespace regard {

/// The result as tables for people: shapes, scores, weights, output.
std::string as_text(const AttendRequest& request, const AttendResult& result,
                    const Terminal& terminal);

/// The result as one JSON object with twelve digits:
/// {"schema":1,"mechanism","batch","heads","scores", "weights","output"}. Arrays lose their batch
/// and head axes where these are 1; the score of a hidden key is null.
std::string as_json(const AttendRequest& request, const AttendResult& result);

/// The weights as a picture, a panel for each batch row and head.
HeatMap as_picture(const AttendRequest& request, const AttendResult& result);

/// Every mechanism with its formula and paper.
std::string mechanism_list();
std::string mechanism_list_json();

}  // namespace regard
