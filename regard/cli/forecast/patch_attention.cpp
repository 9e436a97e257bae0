#include "regard/cli/forecast/patch_attention.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace regard {

std::vector<double> PatchAttention::got(Index head) const {
  const std::vector<double> all = heads[static_cast<std::size_t>(head)].values();
  const auto P = static_cast<std::size_t>(patches());
  std::vector<double> sums(P);
  for (std::size_t i = 0; i < all.size(); ++i) sums[i % P] += all[i] / static_cast<double>(P);
  return sums;
}

std::vector<double> PatchAttention::got_if_equal() const {
  const auto P = static_cast<std::size_t>(patches());
  std::vector<double> sums(P);
  for (std::size_t t = 0; t < P; ++t) {
    const auto row = visible.begin() + static_cast<std::ptrdiff_t>(t * P);
    const auto seen = std::count(row, row + static_cast<std::ptrdiff_t>(P), 1);
    for (std::size_t s = 0; s < P; ++s)
      if (visible[t * P + s]) sums[s] += 1 / static_cast<double>(seen) / static_cast<double>(P);
  }
  return sums;
}

PatchAttention patch_attention(const ForecastModel& model, const Tensor& past, Index layer) {
  const Index P = model.patches().count();
  PatchAttention found{.layer = layer};
  const std::string wanted = fmt::format("encoder/{}/self", layer);
  const NoGrad quiet;
  model.forward(past, {.on_attention = [&](const AttentionCapture& capture) {
                  if (capture.where != wanted) return;
                  for (Index h = 0; h < capture.heads; ++h)
                    found.heads.push_back(capture.weights(0, h));
                }});
  for (Index t = 0; t < P; ++t)
    for (Index s = 0; s < P; ++s)
      found.visible.push_back(model.window().visible({1, 1, P, P}, 0, 0, t, s));
  return found;
}

HeatMap patch_map(const PatchAttention& attention, const ForecastModel& model,
                  const SeriesTable& table, Index series, Index first_row) {
  const Index P = attention.patches();
  std::vector<std::string> names;
  for (Index p = 0; p < P; ++p)
    names.push_back(std::to_string(std::max<Index>(model.patches().begin(p), 0) - model.context()));
  HeatMap map{
      .title = fmt::format("{} before {}, layer {}", table.names[static_cast<std::size_t>(series)],
                           table.time.text(first_row), attention.layer + 1),
      .subtitle = fmt::format(
          "what each patch of {} steps of {} looked at; named by its first, 0 is the forecast's",
          model.patches().length, table.time.step_text()),
      .row_axis = "patch that looks",
      .col_axis = "patch looked at",
      .show_values = false};
  for (std::size_t h = 0; h < attention.heads.size(); ++h) {
    Panel panel{.title = fmt::format("head {}", h + 1),
                .rows = P,
                .cols = P,
                .values = attention.heads[h].values(),
                .row_labels = names,
                .col_labels = names};
    for (std::size_t i = 0; i < panel.values.size(); ++i)
      if (!attention.visible[i]) panel.values[i] = std::numeric_limits<double>::quiet_NaN();
    map.panels.push_back(std::move(panel));
  }
  return map;
}

}  // namespace regard
