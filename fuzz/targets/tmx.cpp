#include "regard/batch/tmx.h"

#include "fuzz/target.h"
#include "fuzz/text_in_memory.h"

namespace regard::targets {
namespace {

void read_as_tmx(ReadCall bytes, PairFilter& filter) {
  ByteStream stream("-", std::move(bytes));
  read_tmx(stream, {"en", "fr"}, filter);
}

void try_tmx(std::string_view bytes) {
  lawful_corpus(read_as_tmx, bytes, filters_for(bytes));
}

}  // namespace

extern const FuzzTarget tmx{.name = "tmx",
                            .about = "parallel text, a translation memory in XML",
                            .max_bytes = 512,
                            .attempt = try_tmx,
                            .slow = true};

}  // namespace regard::targets
