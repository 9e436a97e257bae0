#pragma once

#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "regard/autograd/var.h"

namespace regard {

// A layer whose weights can be arranged for products has `pack()`; these walk down to them by
// `each`, as each_parameter does.

template <class Layer>
void pack_weights(Layer& layer);

namespace detail {

inline void pack_part(Var&) {}
template <class Part>
void pack_part(std::unique_ptr<Part>&) {}  // mechanisms and positions have small ones, if any
template <class Part>
void pack_part(std::vector<Part>& parts) {
  for (Part& part : parts) pack_weights(part);
}
template <class Part>
void pack_part(std::optional<Part>& part) {
  if (part) pack_weights(*part);
}
template <class Part>
void pack_part(Part& part) {
  pack_weights(part);
}

}  // namespace detail

/// Packs every weight below the layer. The layer no longer learns; it computes the same bits.
template <class Layer>
void pack_weights(Layer& layer) {
  if constexpr (requires { layer.pack(); })
    layer.pack();
  else
    layer.each([](std::string_view, auto& part) { detail::pack_part(part); });
}

}  // namespace regard
