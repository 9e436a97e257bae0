#pragma once

#include <string>

#include "regard/cli/attend/result.h"
#include "regard/cli/attend/steps.h"
#include "regard/viewer/heat_map.h"

namespace regard {

/// The mechanism, and the shapes of what goes in and comes out.
std::string summary(const AttendRequest& request, const AttendResult& result);

/// The result as tables for people: summary, scores, weights, output.
std::string as_text(const AttendRequest& request, const AttendResult& result,
                    const Terminal& terminal);

/// The same of every step, with gradients where there are some.
std::string as_text(const Steps& steps, const Terminal& terminal);

/// Weights as they were given.
std::string as_text(const MatrixStack& weights, const Terminal& terminal);

/// The result as one JSON object: {"schema":1,"mechanism","batch","heads","query_labels",
/// "key_labels","scores","weights","output"}, and if there are steps "loss" and "steps", an array
/// of {"name","equation","value","gradient"}. Arrays lose their batch and head axes if these are
/// 1; numbers have all their digits, and the score of a hidden key is null.
std::string as_json(const AttendRequest& request, const AttendResult& result, const Steps& steps);

/// {"schema":1,"heads","query_labels","key_labels","weights"}
std::string as_json(const MatrixStack& weights);

/// Arrays, all f64, as the bytes of a .npz file: q, k, v as compared and mixed [B, T, D], scores
/// and weights [B, H, T, S] with NaN as the score of a hidden key, output [B, T, Dv], and
/// query_labels, key_labels.
std::string as_npz(const AttendRequest& request, const AttendResult& result);

/// weights [H, T, S], query_labels, key_labels.
std::string as_npz(const MatrixStack& weights);

/// The steps as one HTML page: a heat map of each matrix and gradient, and its numbers. It needs
/// no script and no other file, and follows the reader's choice of light or dark.
std::string as_page(const Steps& steps, const std::string& summary);

/// The weights as a picture, a panel for each batch row and head.
HeatMap as_picture(const AttendRequest& request, const AttendResult& result);
HeatMap as_picture(const MatrixStack& weights, const std::string& title);

/// Every mechanism with its formula and paper.
std::string mechanism_list();
std::string mechanism_list_json();

}  // namespace regard
