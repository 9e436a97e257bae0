#include "regard/batch/po.h"

#include "fuzz/target.h"
#include "fuzz/text_in_memory.h"

namespace regard::targets {
namespace {

void read_as_po(ReadCall bytes, PairFilter& filter) {
  Lines lines("-", filter.filters().max_line_bytes, std::move(bytes));
  read_po(lines, filter);
}

void try_po(std::string_view bytes) {
  lawful_corpus(read_as_po, bytes, filters_for(bytes));
}

}  // namespace

extern const FuzzTarget po{.name = "po",
                           .about = "parallel text, messages of gettext",
                           .max_bytes = 512,
                           .attempt = try_po,
                           .slow = true};

}  // namespace regard::targets
