#pragma once

#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "regard/autograd/var.h"

namespace regard {

// A layer whose weights can be arranged for products has `pack()` and `quantise()`; these walk down
// to them by `each`, as each_parameter does.

namespace detail {

template <class Layer, class F>
void each_with_weights(Layer& layer, const F& f);

template <class F>
void walk_part(Var&, const F&) {}
template <class Part, class F>
void walk_part(std::unique_ptr<Part>&, const F&) {}  // mechanisms and positions have small ones
template <class Part, class F>
void walk_part(std::vector<Part>& parts, const F& f) {
  for (Part& part : parts) each_with_weights(part, f);
}
template <class Part, class F>
void walk_part(std::optional<Part>& part, const F& f) {
  if (part) each_with_weights(*part, f);
}
template <class Part, class F>
void walk_part(Part& part, const F& f) {
  each_with_weights(part, f);
}

template <class Layer, class F>
void each_with_weights(Layer& layer, const F& f) {
  if constexpr (requires { layer.pack(); })
    f(layer);
  else
    layer.each([&](std::string_view, auto& part) { walk_part(part, f); });
}

}  // namespace detail

/// Packs every weight below the layer. The layer no longer learns; it computes the same bits.
template <class Layer>
void pack_weights(Layer& layer) {
  detail::each_with_weights(layer, [](auto& part) { part.pack(); });
}

/// Rounds every weight below the layer to 8-bit whole numbers. It computes nothing before it is
/// packed.
template <class Layer>
void quantise_weights(Layer& layer) {
  detail::each_with_weights(layer, [](auto& part) { part.quantise(); });
}

}  // namespace regard
