#include "regard/trace/position_table.h"

#include <algorithm>
#include <numeric>

#include "regard/base/check.h"
#include "regard/model/architecture.h"
#include "regard/position/position.h"

namespace regard {
namespace {

void check_length(Index length) {
  check(length >= 1 && length <= kMaxPositions, "positions of ", length, " tokens; expected 1 to ",
        kMaxPositions);
}

/// What the scheme adds to zeros.
PositionTable added(const PositionScheme& scheme, Index length, Index width, Index first) {
  const NoGrad quiet;
  std::vector<Index> positions(static_cast<std::size_t>(length));
  std::iota(positions.begin(), positions.end(), first);
  const std::unique_ptr<Position> made = scheme.make({.width = width, .length = length + first});
  const std::vector<double> values =
      made->add_to(Var(Tensor({length, width})), positions).value().values();
  PositionTable table{.scheme = std::string(scheme.name), .first = first, .values = {}, .note = {}};
  if (std::ranges::all_of(values, [](double x) { return x == 0; })) {
    table.note = std::string(scheme.name) + " adds nothing to embeddings, so there is no table: ";
    table.note += scheme.formula;
    return table;
  }
  table.rows = length;
  table.cols = width;
  table.values.assign(values.begin(), values.end());
  return table;
}

/// The table that was learned, cut to the length.
PositionTable learned(const LoadedModel& model, Index length) {
  const ModelSpec& spec = model.info.spec;
  PositionTable table{
      .scheme = spec.position, .first = spec.first_position, .values = {}, .note = {}};
  model.model->each([&](const std::string& name, Var& parameter) {
    if (table.rows > 0 || !name.ends_with(".position.table") || !name.starts_with("encoder"))
      return;
    const Tensor& all = parameter.value();
    const Index most = all.size(0) - spec.first_position;
    table.rows = std::min(length, most);
    table.cols = all.size(1);
    const std::vector<double> values = all.values();
    const auto begin = values.begin() + spec.first_position * table.cols;
    table.values.assign(begin, begin + table.rows * table.cols);
    if (most < length) table.note = "the model learned " + std::to_string(most) + " positions";
  });
  return table;
}

}  // namespace

PositionTable position_table(const LoadedModel& model, Index length) {
  check_length(length);
  const ModelSpec& spec = model.info.spec;
  const std::string_view without = find_architecture(spec.architecture).without_positions;
  if (!without.empty()) return {.scheme = "none", .values = {}, .note = std::string(without)};
  if (spec.position == "learned") return learned(model, length);
  return added(find_position_scheme(spec.position), length, spec.width, spec.first_position);
}

PositionTable position_table(const std::string& scheme, Index length, Index width) {
  check_length(length);
  check(width >= 2 && width <= 1 << 16 && width % 2 == 0, "a model width of ", width,
        "; expected an even number from 2 to 65536");
  const PositionScheme& found = find_position_scheme(scheme);
  if (scheme == "learned")
    return {.scheme = scheme,
            .values = {},
            .note = "a learned table means nothing before it is trained; show a model's"};
  return added(found, length, width, 0);
}

}  // namespace regard
