#include "regard/cli/unknown_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "regard/base/log.h"
#include "regard/tokens/normalise.h"
#include "regard/viewer/text.h"

namespace regard {
namespace {

constexpr std::size_t kMaxNamed = 10, kMaxRemembered = 10'000;
constexpr std::size_t kLongestName = 40;  // columns

std::string name(std::string_view text) {
  const auto width = [](std::string_view part) { return static_cast<double>(display_width(part)); };
  const std::string shown = visible(text.substr(0, 8 * kLongestName));
  if (display_width(shown) == 0) return fmt::format("U+{:04X}", first_character(text).code);
  return shortened(shown, kLongestName, "...", width);
}

/// " (2 times, first in line 1)".
std::string place(Index count, Index line) {
  if (count == 1) return line > 0 ? fmt::format(" (line {})", line) : std::string();
  return line > 0 ? fmt::format(" ({} times, first in line {})", count, line)
                  : fmt::format(" ({} times)", count);
}

}  // namespace

UnknownReport::UnknownReport(const Tokenizer& tokenizer, std::string what)
    : subwords_(tokenizer.kind() == "subwords"), what_(std::move(what)) {}

void UnknownReport::add(Index line, std::span<const UnknownText> unknown) {
  for (const UnknownText& each : unknown) {
    std::string text = name(each.text);
    const auto found = seen_.find(text);
    if (found != seen_.end()) {
      ++found->second.count;
    } else if (seen_.size() < kMaxRemembered) {
      const std::size_t order = seen_.size();
      seen_.emplace(std::move(text), Seen{.count = 1, .line = line, .order = order});
    } else {
      more_ = true;
    }
  }
}

void UnknownReport::tell() {
  if (seen_.empty()) return;
  std::vector<std::pair<std::string, Seen>> all(seen_.begin(), seen_.end());
  std::ranges::sort(all, [](const auto& a, const auto& b) {
    if (a.second.count != b.second.count) return a.second.count > b.second.count;
    return a.second.order < b.second.order;
  });
  std::string names;
  for (std::size_t i = 0; i < all.size() && i < kMaxNamed; ++i) {
    const auto& [text, seen] = all[i];
    names += fmt::format("{}'{}'{}", names.empty() ? "" : ", ", text, place(seen.count, seen.line));
  }
  if (all.size() > kMaxNamed) names += fmt::format(" and {} more", all.size() - kMaxNamed);
  const bool one = all.size() == 1 && !more_;
  const std::string count = fmt::format("{}{}", all.size(), more_ ? " or more" : "");
  if (subwords_)
    warn(count, one ? " part" : " parts", " of the text ", one ? "has" : "have",
         " characters without a piece in the ", what_, " vocabulary, read byte by byte: ", names);
  else
    warn(count, one ? " word is" : " words are", " not in the ", what_,
         " vocabulary, read as <unk>: ", names);
  seen_.clear();
  more_ = false;
}

}  // namespace regard
