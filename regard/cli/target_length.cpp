#include "regard/cli/target_length.h"

#include "regard/model/architecture.h"

namespace regard {

void check_length(const ModelInfo& info, std::size_t tokens, const InputSource& from,
                  Index number) {
  const Index most = max_positions(info.spec);
  if (most > 0 && static_cast<Index>(tokens) >= most)
    fail_at(from, number, tokens, " tokens, but the model has only ", most,
            " positions, one of them for the end");
}

}  // namespace regard
