#pragma once

#include <concepts>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "regard/autograd/var.h"

namespace regard {

// A layer is a value that names its parts once, in `each(visit)`. Saving, loading, counting and
// optimising all walk that.

template <class Layer, class F>
void each_parameter(Layer& layer, F&& f, const std::string& path = "");

namespace detail {

inline std::string below(const std::string& path, std::string_view name) {
  return path.empty() ? std::string(name) : path + "." + std::string(name);
}

template <class F>
void visit_part(Var& parameter, F& f, const std::string& path) {
  f(path, parameter);
}
template <class Part, class F>
void visit_part(std::vector<Part>& parts, F& f, const std::string& path) {
  for (std::size_t i = 0; i < parts.size(); ++i)
    each_parameter(parts[i], f, below(path, std::to_string(i)));
}
template <class Part, class F>
void visit_part(std::unique_ptr<Part>& part, F& f, const std::string& path) {
  if (part)
    part->each([&](std::string_view name, Var& parameter) { f(below(path, name), parameter); });
}
template <class Part, class F>
void visit_part(std::optional<Part>& part, F& f, const std::string& path) {
  if (part) each_parameter(*part, f, path);
}
template <class Part, class F>
void visit_part(Part& part, F& f, const std::string& path) {
  each_parameter(part, f, path);
}

}  // namespace detail

/// Calls f(path, Var&) for every parameter below the layer, in a fixed order: "feed.widen.weight",
/// "blocks.0.self.output.bias".
template <class Layer, class F>
void each_parameter(Layer& layer, F&& f, const std::string& path) {
  layer.each([&](std::string_view name, auto& part) {
    detail::visit_part(part, f, detail::below(path, name));
  });
}

/// How many numbers a layer learns.
template <class Layer>
Index parameter_count(Layer& layer) {
  Index count = 0;
  each_parameter(layer, [&](const std::string&, Var& p) { count += p.value().count(); });
  return count;
}

}  // namespace regard
