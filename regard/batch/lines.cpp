#include "regard/batch/lines.h"

#include <utility>

#include "regard/base/check.h"

namespace regard {

Lines::Lines(std::string path, Index max_bytes, ReadCall read, Reading reading)
    : bytes_(std::move(path), std::move(read), reading),
      reading_(reading),
      max_bytes_(static_cast<std::size_t>(max_bytes)) {
  check(max_bytes > 0, "the longest line must have at least 1 byte, not ", max_bytes);
}

void Lines::skip_byte_order_mark() {
  constexpr std::string_view kMark = "\xEF\xBB\xBF", kLittle = "\xFF\xFE", kBig = "\xFE\xFF";
  // A pipe may give it in pieces. Who types a line waits for an answer, though.
  while (start_.size() < kMark.size() && start_.find('\n') == start_.npos) {
    const std::string_view more = bytes_.next();
    if (more.empty()) break;
    start_ += more;
  }
  piece_ = start_;
  const bool wide = piece_.starts_with(kLittle) || piece_.starts_with(kBig);
  if (wide && reading_ == Reading::corpus)
    fail(Blame(Fault::input).at(path(), 1), path(),
         ":1: UTF-16 text, expected UTF-8; convert it with `iconv -t UTF-8`");
  if (piece_.starts_with(kMark)) piece_.remove_prefix(kMark.size());
}

std::optional<TextLine> Lines::next() {
  if (number_ == 0) skip_byte_order_mark();
  pending_.clear();
  bool too_long = false;
  for (bool begun = false;; begun = true) {
    if (piece_.empty()) piece_ = bytes_.next();
    if (piece_.empty() && !begun) return std::nullopt;
    const std::size_t end = piece_.find('\n');
    std::string_view text = piece_.substr(0, end);
    const bool whole = end != std::string_view::npos || piece_.empty();
    piece_.remove_prefix(end == std::string_view::npos ? piece_.size() : end + 1);
    // One byte more than allowed is kept while the line goes on: it may be the CR of its end.
    too_long = too_long || pending_.size() + text.size() > max_bytes_ + 1;
    if (too_long) pending_.clear();
    if (!too_long && (begun || !whole)) text = pending_.append(text);
    if (!whole) continue;
    if (text.ends_with('\r')) text.remove_suffix(1);
    too_long = too_long || text.size() > max_bytes_;
    return TextLine{too_long ? std::string_view() : text, ++number_, too_long};
  }
}

}  // namespace regard
