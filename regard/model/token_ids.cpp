#include "regard/model/token_ids.h"

#include "regard/base/check.h"

namespace regard {

TokenIds TokenIds::ragged(const std::vector<std::vector<std::int32_t>>& sequences) {
  TokenIds tokens;
  std::vector<Index> lengths;
  for (const std::vector<std::int32_t>& sequence : sequences) {
    tokens.ids.insert(tokens.ids.end(), sequence.begin(), sequence.end());
    lengths.push_back(static_cast<Index>(sequence.size()));
  }
  tokens.segments = Segments::of_lengths(lengths);
  return tokens;
}

TokenIds TokenIds::box(std::vector<std::int32_t> ids, Index rows, std::vector<Index> lens) {
  const auto count = static_cast<Index>(ids.size());
  check(rows >= 1 && count % rows == 0, count, " ids do not fill a box of ", rows, " rows");
  check(lens.empty() || static_cast<Index>(lens.size()) == rows, "expected one length per row, ",
        rows, ", got ", lens.size());
  return {std::move(ids), Segments::equal(rows, count / rows), std::move(lens), true};
}

}  // namespace regard
