#include "regard/model/weights.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <sstream>
#include <string_view>
#include <utility>
#include <vector>

#include "regard/base/check.h"
#include "regard/base/log.h"

namespace regard {
namespace {

bool transposed(const Shape& a, const Shape& b) {
  const std::span<const Index> x = a.sizes(), y = b.sizes();
  return x.size() > 1 && std::equal(x.begin(), x.end(), y.rbegin(), y.rend());
}

std::vector<SafetensorsItem> items_of(std::span<const NamedParameter> parameters) {
  std::vector<SafetensorsItem> items;
  for (const auto& [name, parameter] : parameters) items.emplace_back(name, parameter.value());
  return items;
}

/// All that keeps the file's tensors from being these parameters, one per line.
std::string mismatches(const SafetensorsFile& file, std::span<const NamedParameter> parameters) {
  std::ostringstream list;
  std::set<std::string_view> wanted;
  for (const auto& [name, parameter] : parameters) {
    check(wanted.insert(name).second, "two parameters are named '", name, "'");
    const SafetensorsEntry* entry = file.find(name);
    if (!entry) {
      list << "\n  '" << name << "' is missing, expected " << parameter.shape();
      continue;
    }
    if (!entry->reads_as(parameter.dtype()))
      list << "\n  '" << name << "' is " << entry->dtype << ", expected "
           << safetensors_name(parameter.dtype());
    if (entry->shape != parameter.shape())
      list << "\n  '" << name << "' has shape " << entry->shape << ", expected "
           << parameter.shape()
           << (transposed(entry->shape, parameter.shape()) ? " (transposed?)" : "");
  }
  for (const SafetensorsEntry& entry : file.entries())
    if (!wanted.contains(entry.name)) list << "\n  '" << entry.name << "' is in no such model";
  return list.str();
}

bool finite(const Tensor& tensor) {
  if (!is_real(tensor.dtype())) return true;
  return visit(tensor.dtype(), [&](auto zero) {
    const auto elements = tensor.span<decltype(zero)>();
    return std::ranges::all_of(elements, [](auto x) { return std::isfinite(x); });
  });
}

}  // namespace

void load_weights(const std::string& path, std::span<const NamedParameter> into,
                  NotFinite not_finite) {
  load_weights(SafetensorsFile(path), into, not_finite);
}

void load_weights(const SafetensorsFile& file, std::span<const NamedParameter> into,
                  NotFinite not_finite) {
  const std::string& path = file.path();
  const std::string problems = mismatches(file, into);
  if (!problems.empty()) fail(Fault::input, path, ": does not fit the model:", problems);

  // All are read before the first is set, so that a file that ends early leaves the model whole.
  std::vector<Tensor> values;
  bool warned = false;
  for (const auto& [name, parameter] : into) {
    values.push_back(file.read(name, parameter.dtype()));
    if (warned || finite(values.back())) continue;
    if (not_finite == NotFinite::refuse)
      fail(Fault::input, path, ": tensor '", name, "' holds NaN or infinity");
    warn(path, ": tensor '", name, "' holds NaN or infinity; the output may be invalid too");
    warned = true;
  }
  for (std::size_t i = 0; i < values.size(); ++i) {
    Var parameter = into[i].parameter;
    parameter.set_value(std::move(values[i]));
  }
}

std::string weights_bytes(std::span<const NamedParameter> parameters) {
  return safetensors_bytes(items_of(parameters));
}

void save_weights(const std::string& path, std::span<const NamedParameter> parameters,
                  const SafetensorsMetadata& metadata) {
  write_safetensors(path, items_of(parameters), metadata);
}

}  // namespace regard
