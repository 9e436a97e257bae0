#include "regard/batch/plain_text.h"

namespace regard {

void read_plain_text(Lines& lines, PairFilter& filter) {
  while (const std::optional<TextLine> line = lines.next()) {
    const std::string fault = fault_of_line(*line);
    if (!fault.empty())
      filter.bad({lines.path(), line->number}, fault);
    else
      filter.take_text(std::string(line->text));
  }
}

}  // namespace regard
