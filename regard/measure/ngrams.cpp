#include "regard/measure/ngrams.h"

#include <algorithm>

namespace regard::measure {

Ngrams ngrams(std::u32string_view symbols, std::size_t order) {
  std::vector<std::u32string_view> all;
  for (std::size_t i = 0; i + order <= symbols.size(); ++i) all.push_back(symbols.substr(i, order));
  std::ranges::sort(all);
  Ngrams counted;
  for (const std::u32string_view ngram : all) {
    if (counted.empty() || counted.back().first != ngram) counted.emplace_back(ngram, 0);
    ++counted.back().second;
  }
  return counted;
}

Index total(const Ngrams& all) {
  Index sum = 0;
  for (const auto& [ngram, count] : all) sum += count;
  return sum;
}

Index matches(const Ngrams& a, const Ngrams& b) {
  Index sum = 0;
  for (auto i = a.begin(), j = b.begin(); i != a.end() && j != b.end();) {
    const int order = i->first.compare(j->first);
    if (order == 0) sum += std::min(i->second, j->second);
    if (order <= 0) ++i;
    if (order >= 0) ++j;
  }
  return sum;
}

Ngrams larger_counts(const Ngrams& a, const Ngrams& b) {
  Ngrams merged;
  std::ranges::merge(a, b, std::back_inserter(merged));
  // Of equal n-grams the merge puts the larger count last.
  Ngrams result;
  for (const auto& entry : merged) {
    if (!result.empty() && result.back().first == entry.first)
      result.back() = entry;
    else
      result.push_back(entry);
  }
  return result;
}

}  // namespace regard::measure
