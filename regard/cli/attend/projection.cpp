#include "regard/cli/attend/projection.h"

#include "regard/base/check.h"
#include "regard/cli/matrix/matrix.h"
#include "regard/ops/linear.h"

namespace regard {
namespace {

Tensor read_weight(const std::string& option, const std::string& given, const Width& in) {
  const Tensor weight = read_matrix(option, given);
  if (weight.rank() != 2 || weight.size(0) != in.columns)
    fail_at(source_of(option, given), 0, "has shape ", weight.shape(), ", expected ", in.columns,
            in.columns == 1 ? " row" : " rows", ", as ", in.option, " is ", in.columns, " wide",
            weight.rank() == 2 && weight.size(1) == in.columns
                ? "; x W is computed: transpose it if it was meant for W x"
                : "");
  return weight;
}

Tensor read_bias(const std::string& option, const std::string& given, const Width& out) {
  const Tensor bias = read_matrix(option, given);
  if (bias.rank() != 2 || bias.size(0) != 1 || bias.size(1) != out.columns)
    fail_at(source_of(option, given), 0, "has shape ", bias.shape(), ", expected [1, ", out.columns,
            "], as ", out.option, " is ", out.columns, " wide");
  return bias.reshaped({out.columns});
}

}  // namespace

Projection read_projection(const ProjectionOptions& options, Width& width) {
  const std::string weight = options.weight_name(), bias = options.bias_name();
  check(options.weight || !options.bias, bias, " is added to what ", weight,
        " makes; give both, or neither");
  Projection by{options.letter, {}, {}};
  if (!options.weight) return by;
  by.weight = read_weight(weight, *options.weight, width);
  width = {weight, source_of(weight, *options.weight), by.weight->size(1)};
  if (options.bias) by.bias = read_bias(bias, *options.bias, width);
  return by;
}

Var project(const Var& x, const Projection& by) {
  if (!by.weight) return x;
  return linear(x, Var(*by.weight), by.bias ? Var(*by.bias) : Var());
}

}  // namespace regard
