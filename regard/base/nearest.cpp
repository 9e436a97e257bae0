#include "regard/base/nearest.h"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

namespace regard {
namespace {

/// The fewest letters to insert, delete or replace, or neighbours to swap, none of them twice.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before, row(b.size() + 1), next(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    next[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      next[j] = std::min({row[j - 1] + (a[i - 1] != b[j - 1]), row[j] + 1, next[j - 1] + 1});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        next[j] = std::min(next[j], before[j - 2] + 1);
    }
    before = std::exchange(row, next);
  }
  return row.back();
}

/// Empty if none is close: half of a word may be wrong, not more.
std::string_view nearest(std::string_view wrong, std::span<const std::string_view> names) {
  std::string_view best;
  std::size_t closest = std::max<std::size_t>(1, wrong.size() / 2) + 1;
  for (const std::string_view name : names) {
    const std::size_t distance = edit_distance(wrong, name);
    if (distance < closest) closest = distance, best = name;
  }
  return best;
}

std::string list_of(std::span<const std::string_view> names) {
  std::string list = "known:";
  for (const std::string_view name : names)
    list += (list.back() == ':' ? " " : ", ") + std::string(name);
  return list;
}

}  // namespace

std::string did_you_mean(std::string_view wrong, std::span<const std::string_view> names) {
  const std::string_view best = nearest(wrong, names);
  return best.empty() ? "; " + list_of(names) : "; did you mean '" + std::string(best) + "'?";
}

std::string known_values(std::string_view wrong, std::span<const std::string_view> names) {
  const std::string_view best = nearest(wrong, names);
  return (best.empty() ? "; " : "; did you mean '" + std::string(best) + "'? ") + list_of(names);
}

}  // namespace regard
