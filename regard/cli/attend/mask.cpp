#include "regard/cli/attend/mask.h"

#include <array>

#include "regard/base/check.h"
#include "regard/base/nearest.h"
#include "regard/cli/matrix/matrix.h"
#include "regard/cli/number.h"

namespace regard {
namespace {

Mask window_mask(const std::string& given) {
  const std::vector<Index> reach =
      parse_wholes(std::string_view(given).substr(given.find(':') + 1), "--mask " + given);
  check(reach.size() == 2 && reach[0] >= 0 && reach[1] >= 0, "--mask '", given,
        "', expected window:L,R with L keys back and R ahead, as window:2,0");
  return Mask::window(reach[0], reach[1]);
}

Mask table_mask(const std::string& given, const ScoreShape& shape) {
  const Tensor table = read_matrix("--mask", given);
  const InputSource source = source_of("--mask", given);
  const Index B = table.rank() == 3 ? table.size(0) : 1, T = table.size(-2), S = table.size(-1);
  if ((B != 1 && B != shape.rows) || T != shape.queries || S != shape.keys)
    fail_at(source, 0, "has shape ", table.shape(), ", expected [", shape.queries, ", ", shape.keys,
            "]: a row for each query, a column for each key");
  std::vector<std::uint8_t> allowed;
  for (const double x : table.span<f64>()) {
    const Index at = static_cast<Index>(allowed.size());
    if (x != 0 && x != 1)
      fail_at(source, 0, "row ", at / S % T + 1, ", column ", at % S + 1, " is ", x,
              ", expected 0 (hidden) or 1 (seen)");
    allowed.push_back(x == 1);
  }
  return Mask::table({B, 1, T, S}, std::move(allowed));
}

}  // namespace

Mask parse_mask(const std::string& given, const ScoreShape& shape) {
  if (given == "full") return Mask::full();
  if (given == "causal") return Mask::causal();
  if (given.starts_with("window:") && !names_file(given)) return window_mask(given);
  constexpr std::array<std::string_view, 3> kNames{"full", "causal", "window:L,R"};
  check(names_file(given) || given.find_first_of("01") != given.npos, "--mask '", given,
        "' is neither a kind of mask, a file, nor a matrix as '1,0;1,1'",
        known_values(given, kNames));
  return table_mask(given, shape);
}

Mask parse_valid_lens(const std::string& given, const ScoreShape& shape) {
  const std::vector<Index> lens = parse_wholes(given, "--valid-lens");
  const Index count = static_cast<Index>(lens.size());
  check(count == shape.rows || count == shape.rows * shape.queries, "--valid-lens has ", count,
        count == 1 ? " number" : " numbers", ", expected ", shape.rows, " (one per batch row) or ",
        shape.rows * shape.queries, " (one per query)");
  for (const Index length : lens)
    check(length >= 0 && length <= shape.keys, "--valid-lens: ", length,
          " is no number of keys; expected 0 to ", shape.keys);
  return count == shape.rows ? Mask::valid(lens) : Mask::valid(lens, shape.queries);
}

}  // namespace regard
