#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "regard/model/label_model.h"

namespace regard {

/// log p of every label of each source, a text's tokens with their end or an image's levels; fewer
/// where it was stopped, which is asked between batches; `pass` may listen. A source has the same
/// bits in any batch. Throws Error(input) where one is not finite.
std::vector<std::vector<double>> label_scores(const LabelModel& model,
                                              std::span<const std::vector<std::int32_t>> sources,
                                              const std::function<bool()>& stop = {},
                                              const Pass& pass = {});

/// The same of sources that are made one after another, so that few are in memory at a time.
std::vector<std::vector<double>> label_scores(
    const LabelModel& model, Index count,
    const std::function<std::vector<std::int32_t>(Index)>& source,
    const std::function<bool()>& stop = {}, const Pass& pass = {});

/// The numbers of the labels, the likeliest first, at most `top`; equally likely ones in order.
std::vector<std::size_t> ranked(std::span<const double> scores, Index top);

/// The first of those.
std::int32_t likeliest(std::span<const double> scores);

}  // namespace regard
