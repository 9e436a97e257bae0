#include "regard/cli/translate/line_report.h"

#include "regard/base/log.h"

namespace regard {

void LineReport::add(Index number, const TranslatedLine& line) {
  unknown_.add(number, line.unknown);
  sentences_ = sentences_ || !line.sentences.empty();
  const std::span<const TranslatedLine> parts =
      line.sentences.empty() ? std::span(&line, 1) : std::span(line.sentences);
  for (const TranslatedLine& part : parts) {
    if (part.source_tokens.empty() || !part.best.front().text.empty()) continue;
    if (empty_++ == 0) first_empty_ = number;
  }
}

void LineReport::tell() {
  unknown_.tell();
  if (empty_ > 0)
    warn(empty_, sentences_ ? " sentence" : " line", empty_ == 1 ? " has" : "s have",
         " an empty translation", empty_ == 1 ? ": line " : ", the first in line ", first_empty_);
  empty_ = 0;
}

}  // namespace regard
