#include "regard/base/nearest.h"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

namespace regard {
namespace {

/// Levenshtein's distance: the fewest letters to insert, delete or replace.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i - 1] != b[j - 1]);
      diagonal = row[j];
      row[j] = std::min({replaced, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row.back();
}

}  // namespace

std::string did_you_mean(std::string_view wrong, std::span<const std::string_view> names) {
  std::string_view best;
  std::size_t closest = std::max<std::size_t>(2, wrong.size() / 2) + 1;
  for (const std::string_view name : names) {
    const std::size_t distance = edit_distance(wrong, name);
    if (distance < closest) closest = distance, best = name;
  }
  if (!best.empty()) return "; did you mean '" + std::string(best) + "'?";
  std::string list = "; known:";
  for (const std::string_view name : names)
    list += (list.back() == ':' ? " " : ", ") + std::string(name);
  return list;
}

}  // namespace regard
