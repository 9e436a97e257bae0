#pragma once

#include <span>
#include <utility>

#include "regard/base/rng.h"

namespace regard {

/// Fisher and Yates' shuffle, by draws that depend on the place alone.
template <class T>
void shuffle(std::span<T> items, const Rng& rng) {
  for (std::size_t i = items.size(); i > 1; --i) std::swap(items[i - 1], items[rng.below(i, i)]);
}

}  // namespace regard
