#include "regard/cli/attend/request.h"

#include <algorithm>

#include "regard/base/check.h"
#include "regard/cli/attend/mask.h"
#include "regard/cli/matrix/matrix.h"

namespace regard {
namespace {

constexpr Index kMaxScores = Index{1} << 26;

/// What is known of queries, keys or values beside their numbers: who is to blame for them.
struct Operand {
  std::string option;  ///< that gave the rows
  InputSource source;  ///< likewise
  Width width;         ///< once projected
};
struct Operands {
  Operand query, key, value;
};

/// Throws unless the condition holds: Error(input) naming the first of the sources that is a file,
/// Error(usage) if all of them were typed.
template <class... Parts>
void check_fit(Condition condition, const std::vector<InputSource>& sources,
               const Parts&... parts) {
  if (condition.holds) return;
  for (const InputSource& source : sources)
    if (source.is_file) fail_at(source, Line(0, condition.file, condition.line), parts...);
  fail(Blame(Fault::usage, condition.file, condition.line), parts...);
}

void check_standard_input(const AttendOptions& options) {
  std::vector<std::string> given = options.masks;
  for (const MatrixOption& matrix : matrix_options(options)) given.push_back(matrix.given);
  check(std::ranges::count(given, "-") <= 1,
        "standard input, '-', is named twice; it can be read once");
}

Tensor batched(const Tensor& x) {
  return x.rank() == 3 ? x : x.reshaped({1, x.size(0), x.size(1)});
}

/// What the option gives, unless the file of --query held it already.
std::optional<Tensor> matrix_of(const std::optional<std::string>& given, const std::string& option,
                                const std::optional<Tensor>& held) {
  check(!given || !held, option, " is given twice: by the option and inside --query");
  return given ? read_matrix(option, *given) : held;
}

AttendInput input_of(const std::string& option, const Tensor& rows) {
  return {.name = option.substr(2), .rows = batched(rows), .projection = {}};
}

/// --x, and --y if keys and values are of others than those who ask.
Operands read_tokens(const AttendOptions& options, AttendRequest& request) {
  check(!options.query && !options.key && !options.value,
        "--x gives queries, keys and values alike; give it, or --query, --key and --value");
  request.query = request.key = input_of("--x", read_matrix("--x", *options.x));
  const Operand x{"--x", source_of("--x", *options.x), {}};
  if (!options.y) {
    request.value = request.key;
    return {x, x, x};
  }
  request.key = request.value = input_of("--y", read_matrix("--y", *options.y));
  const Operand y{"--y", source_of("--y", *options.y), {}};
  return {x, y, y};
}

Operands read_operands(const AttendOptions& options, AttendRequest& request) {
  check_standard_input(options);
  if (options.x) return read_tokens(options, request);
  check(!options.y, "--y is what the tokens of --x ask; give --x, too");
  check(options.query.has_value(),
        "attend needs a matrix of queries; try: regard attend --query '1,3,2;1,1,3;1,2,1'");
  const Matrices held = read_matrices("--query", *options.query);
  const std::optional<Tensor> key = matrix_of(options.key, "--key", held.key);
  const std::optional<Tensor> value = matrix_of(options.value, "--value", held.value);
  request.query = input_of("--query", *held.query);
  request.key = key ? input_of("--key", *key) : request.query;
  request.value = value ? input_of("--value", *value) : request.key;
  Operands from;
  from.query = {"--query", source_of("--query", *options.query), {}};
  from.key = {"--key", options.key ? source_of("--key", *options.key) : from.query.source, {}};
  from.value = {
      "--value", options.value ? source_of("--value", *options.value) : from.key.source, {}};
  return from;
}

void read_projections(const AttendOptions& options, AttendRequest& request, Operands& from) {
  const auto read = [](const ProjectionOptions& by, AttendInput& input, Operand& operand) {
    operand.width = {operand.option, operand.source, input.rows.size(2)};
    input.projection = read_projection(by, operand.width);
  };
  read(options.wq, request.query, from.query);
  read(options.wk, request.key, from.key);
  read(options.wv, request.value, from.value);
}

void check_heads(const Width& width, Index heads) {
  check(width.columns % heads == 0, width.option, " is ", width.columns, " wide, which ", heads,
        " heads cannot share; the width must be a multiple of --heads");
}

void check_shapes(const AttendRequest& request, const Operands& from) {
  const Tensor &q = request.query.rows, &k = request.key.rows, &v = request.value.rows;
  check_fit(k.size(0) == q.size(0) && v.size(0) == q.size(0),
            {from.value.source, from.key.source, from.query.source}, from.query.option, " holds ",
            q.size(0), " batch rows, ", from.key.option, " ", k.size(0), " and ", from.value.option,
            " ", v.size(0), "; they must be as many");
  check_fit(k.size(1) == v.size(1), {from.value.source, from.key.source}, from.key.option, " has ",
            k.size(1), " rows and ", from.value.option, " ", v.size(1),
            "; each key needs one value");
  const ScoreShape shape = request.shape();
  Index scores = shape.rows;
  for (const Index size : {shape.heads, shape.queries, shape.keys})
    check_fit(!__builtin_mul_overflow(scores, size, &scores) && scores <= kMaxScores,
              {from.query.source, from.key.source}, "these matrices have more than ", kMaxScores,
              " pairs of query and key; give fewer rows");
}

void check_widths(const AttendRequest& request, const Operands& from) {
  const Width &q = from.query.width, &k = from.key.width;
  check_fit(!request.mechanism->same_width || q.columns == k.columns, {k.source, q.source},
            q.option, " is ", q.columns, " wide and ", k.option, " ", k.columns, ", but ",
            request.mechanism->name,
            " attention compares equal widths; try --score additive or bilinear");
  for (const Operand* operand : {&from.query, &from.key, &from.value})
    check_heads(operand->width, request.heads);
}

Tensor read_gradient(const std::string& given, const Shape& output) {
  const Tensor gradient = batched(read_matrix("--output-gradient", given));
  if (gradient.shape() != output)
    fail_at(source_of("--output-gradient", given), 0, "has shape ", gradient.shape().without(0),
            " in ", gradient.size(0), " batch rows, expected ", output.without(0), " in ",
            output[0], ", as the output");
  return gradient;
}

/// "q1" and "k1", or the names of the tokens that both are made of: "x1" and "y1".
AttendLabels default_labels(const AttendRequest& request) {
  const bool tokens = request.query.name == "x";
  const ScoreShape shape = request.shape();
  return {numbered_labels(tokens ? "x" : "q", shape.queries),
          numbered_labels(tokens ? request.key.name : "k", shape.keys)};
}

}  // namespace

std::vector<MatrixOption> matrix_options(const AttendOptions& options) {
  std::vector<MatrixOption> given;
  const auto add = [&](const std::string& name, const std::optional<std::string>& value) {
    if (value) given.push_back({name, *value});
  };
  add("--weights", options.weights);
  add("--x", options.x);
  add("--y", options.y);
  add("--query", options.query);
  add("--key", options.key);
  add("--value", options.value);
  for (const ProjectionOptions* by : {&options.wq, &options.wk, &options.wv, &options.wo}) {
    add(by->weight_name(), by->weight);
    add(by->bias_name(), by->bias);
  }
  add("--output-gradient", options.output_gradient);
  return given;
}

AttendRequest understand(const AttendOptions& options) {
  AttendRequest request;
  request.mechanism = &find_mechanism(options.score.value_or("scaled-dot"));
  request.heads = options.heads.value_or(1);
  request.seed = static_cast<std::uint64_t>(options.seed.value_or(0));
  Operands from = read_operands(options, request);
  check_shapes(request, from);
  read_projections(options, request, from);
  check_widths(request, from);
  Width output = from.value.width;
  request.output = read_projection(options.wo, output);
  const ScoreShape shape = request.shape();
  if (options.output_gradient)
    request.output_gradient =
        read_gradient(*options.output_gradient, {shape.rows, shape.queries, output.columns});
  for (const std::string& mask : options.masks)
    request.mask = request.mask & parse_mask(mask, shape);
  if (options.valid_lens)
    request.mask = request.mask & parse_valid_lens(*options.valid_lens, shape);
  request.labels = read_labels(options.labels, default_labels(request));
  return request;
}

std::vector<std::string> input_files(const AttendOptions& options) {
  std::vector<std::string> files;
  for (const MatrixOption& matrix : matrix_options(options))
    if (matrix.given != "-" && names_file(matrix.given)) files.push_back(matrix.given);
  for (const std::string& mask : options.masks)
    if (mask != "-" && names_file(mask)) files.push_back(mask);
  return files;
}

}  // namespace regard
