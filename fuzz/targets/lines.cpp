#include "regard/batch/lines.h"

#include "fuzz/target.h"
#include "fuzz/text_in_memory.h"

namespace regard::targets {
namespace {

struct LinesOutcome {
  bool refused = false;
  std::vector<std::string> lines{};
  bool any_too_long = false;

  bool operator==(const LinesOutcome&) const = default;
};

LinesOutcome lines_outcome(ReadCall bytes, Index max_bytes, Reading reading) {
  LinesOutcome outcome;
  try {
    Lines lines("-", max_bytes, std::move(bytes), reading);
    while (const std::optional<TextLine> line = lines.next()) {
      law(static_cast<Index>(line->text.size()) <= max_bytes, "a line is longer than allowed");
      outcome.lines.emplace_back(line->text);
      outcome.any_too_long = outcome.any_too_long || line->too_long;
    }
    law(lines.number() == static_cast<Index>(outcome.lines.size()), "lines are miscounted");
  } catch (const Error& error) {
    if (error.fault != Fault::input) throw;
    outcome.refused = true;
  }
  return outcome;
}

/// However the bytes come cut, the lines are the same; joined, they are the text.
void try_lines(std::string_view bytes) {
  const Reading kind = bytes.size() % 2 == 0 ? Reading::corpus : Reading::any_text;
  const Index most = bytes.size() % 3 == 0 ? 8 : Lines::kMaxBytes;
  const LinesOutcome whole = lines_outcome(reading(bytes, kAtOnce), most, kind);
  law(whole == lines_outcome(reading(bytes, 1), most, kind), "byte by byte, other lines");
  law(whole == lines_outcome(reading(bytes, 7), most, kind), "cut by sevens, other lines");
  const bool plain = !bytes.starts_with("\x1f\x8b") && !bytes.starts_with("\xEF\xBB\xBF");
  if (!plain || whole.refused || whole.any_too_long || bytes.find('\r') != bytes.npos) return;
  std::string joined;
  for (const std::string& line : whole.lines) joined += line + "\n";
  law(joined == bytes || joined == std::string(bytes) + "\n", "lines joined are not the text");
}

}  // namespace

extern const FuzzTarget lines{.name = "lines",
                              .about = "lines of text, plain or packed",
                              .max_bytes = 256,
                              .attempt = try_lines,
                              .slow = true};

}  // namespace regard::targets
