#pragma once

#include <string>

#include "regard/cli/attend/result.h"
#include "regard/viewer/heat_map.h"

namespace regard {

/// The result as tables for people: shapes, scores, weights, output.
std::string as_text(const AttendRequest& request, const AttendResult& result,
                    const Terminal& terminal);

/// The result as one JSON object: {"schema":1,"mechanism","batch","heads","query_labels",
/// "key_labels","scores","weights","output"}. Arrays lose their batch and head axes where these are
/// 1; numbers have all their digits, and the score of a hidden key is null.
std::string as_json(const AttendRequest& request, const AttendResult& result);

/// Arrays, all f64, as the bytes of a .npz file: q, k, v as given [B, T, D], scores and weights [B,
/// H, T, S] with NaN as the score of a hidden key, output [B, T, Dv], and query_labels, key_labels.
std::string as_npz(const AttendRequest& request, const AttendResult& result);

/// The weights as a picture, a panel for each batch row and head.
HeatMap as_picture(const AttendRequest& request, const AttendResult& result);

/// Every mechanism with its formula and paper.
std::string mechanism_list();
std::string mechanism_list_json();

}  // namespace regard
