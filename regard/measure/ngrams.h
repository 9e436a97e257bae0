#pragma once

#include <string_view>
#include <utility>
#include <vector>

#include "regard/base/real.h"

namespace regard::measure {

/// Distinct n-grams of one order with how often each occurs, sorted. They view the symbols.
using Ngrams = std::vector<std::pair<std::u32string_view, Index>>;

/// Every run of `order` neighbours. Symbols are code points, or numbers that stand for words.
Ngrams ngrams(std::u32string_view symbols, std::size_t order);

/// How many in all.
Index total(const Ngrams& all);

/// Sum over n-grams of the smaller of both counts.
Index matches(const Ngrams& a, const Ngrams& b);

/// For each n-gram of either, the larger of both counts.
Ngrams larger_counts(const Ngrams& a, const Ngrams& b);

}  // namespace regard::measure
