#include "regard/cli/text_file.h"

#include "regard/base/check.h"
#include "regard/base/log.h"
#include "regard/base/real.h"
#include "regard/batch/lines.h"

namespace regard {

Text read_text(const std::string& path) {
  Text text{.name = path == "-" ? "standard input" : path, .lines = {}};
  Lines lines(path);
  Index broken = 0;
  while (const auto line = lines.next()) {
    if (line->too_long)
      fail(Fault::input, text.name, ":", line->number, ": a line of more than ", Lines::kMaxBytes,
           " bytes; is this text?");
    if (!line->valid_utf8() && broken++ == 0)
      warn(text.name, ":", line->number, ": not UTF-8; bad bytes count as U+FFFD");
    text.lines.emplace_back(line->text);
  }
  if (text.lines.empty()) fail(Fault::input, text.name, ": no lines to evaluate");
  return text;
}

void check_lengths(const Text& hypotheses, const Text& reference) {
  if (hypotheses.lines.size() != reference.lines.size())
    fail(Fault::input, hypotheses.name, " has ", hypotheses.lines.size(), " lines, ",
         reference.name, " has ", reference.lines.size(),
         "; the files must be aligned line by line");
}

}  // namespace regard
