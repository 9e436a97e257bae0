#include "regard/cli/attend/request.h"

#include <algorithm>

#include "regard/base/check.h"
#include "regard/cli/attend/mask.h"
#include "regard/cli/matrix/matrix.h"
#include "regard/cli/number.h"

namespace regard {
namespace {

constexpr Index kMaxScores = Index{1} << 26;

/// Where the matrices came from.
struct Sources {
  InputSource query, key, value;
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
  for (const auto& matrix : {options.query, options.key, options.value})
    if (matrix) given.push_back(*matrix);
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

Sources read_tensors(const AttendOptions& options, AttendRequest& request) {
  check(options.query.has_value(),
        "attend needs a matrix of queries; try: regard attend --query '1,3,2;1,1,3;1,2,1'");
  check_standard_input(options);
  const Matrices held = read_matrices("--query", *options.query);
  const std::optional<Tensor> key = matrix_of(options.key, "--key", held.key);
  const std::optional<Tensor> value = matrix_of(options.value, "--value", held.value);
  request.query = batched(*held.query);
  request.key = key ? batched(*key) : request.query;
  request.value = value ? batched(*value) : request.key;
  Sources sources;
  sources.query = source_of("--query", *options.query);
  sources.key = options.key ? source_of("--key", *options.key) : sources.query;
  sources.value = options.value ? source_of("--value", *options.value) : sources.key;
  return sources;
}

void check_heads(const char* option, const Tensor& x, Index heads) {
  check(x.size(2) % heads == 0, option, " is ", x.size(2), " wide, which ", heads,
        " heads cannot share; the width must be a multiple of --heads");
}

void check_shapes(const AttendRequest& request, const Sources& from) {
  const Tensor &q = request.query, &k = request.key, &v = request.value;
  check_fit(k.size(0) == q.size(0) && v.size(0) == q.size(0), {from.value, from.key, from.query},
            "--query holds ", q.size(0), " batch rows, --key ", k.size(0), " and --value ",
            v.size(0), "; they must be as many");
  check_fit(k.size(1) == v.size(1), {from.value, from.key}, "--key has ", k.size(1),
            " rows and --value ", v.size(1), "; each key needs one value");
  check_fit(!request.mechanism->same_width || q.size(2) == k.size(2), {from.key, from.query},
            "--query is ", q.size(2), " wide and --key ", k.size(2), ", but ",
            request.mechanism->name,
            " attention compares equal widths; try --score additive or bilinear");
  check_heads("--query", q, request.heads);
  check_heads("--key", k, request.heads);
  check_heads("--value", v, request.heads);
  const ScoreShape shape = request.shape();
  Index scores = shape.rows;
  for (const Index size : {shape.heads, shape.queries, shape.keys})
    check_fit(!__builtin_mul_overflow(scores, size, &scores) && scores <= kMaxScores,
              {from.query, from.key}, "these matrices have more than ", kMaxScores,
              " pairs of query and key; give fewer rows");
}

/// "q1", "q2", ... or the labels given, which must be as many.
std::vector<std::string> labels_of(const std::optional<std::string>& given, const char* option,
                                   char letter, Index count) {
  std::vector<std::string> labels;
  if (given) {
    labels = split_at_commas(*given);
    check(static_cast<Index>(labels.size()) == count, option, " names ", labels.size(),
          ", but there are ", count, letter == 'q' ? " queries" : " keys",
          "; separate names by commas");
    return labels;
  }
  for (Index i = 1; i <= count; ++i) labels.push_back(letter + std::to_string(i));
  return labels;
}

void read_labels(const AttendOptions& options, AttendRequest& request) {
  const Index T = request.query.size(1), S = request.key.size(1);
  check(!options.labels || (!options.query_labels && !options.key_labels),
        "--labels names queries and keys alike; give it, or --query-labels and --key-labels");
  check(!options.labels || T == S, "--labels names queries and keys alike, but there are ", T,
        " queries and ", S, " keys; give --query-labels and --key-labels");
  request.query_labels = labels_of(options.labels ? options.labels : options.query_labels,
                                   options.labels ? "--labels" : "--query-labels", 'q', T);
  request.key_labels = labels_of(options.labels ? options.labels : options.key_labels,
                                 options.labels ? "--labels" : "--key-labels", 'k', S);
}

}  // namespace

AttendRequest understand(const AttendOptions& options) {
  AttendRequest request;
  request.mechanism = &find_mechanism(options.score.value_or("scaled-dot"));
  request.heads = options.heads.value_or(1);
  request.seed = static_cast<std::uint64_t>(options.seed.value_or(0));
  check_shapes(request, read_tensors(options, request));
  for (const std::string& mask : options.masks)
    request.mask = request.mask & parse_mask(mask, request.shape());
  if (options.valid_lens)
    request.mask = request.mask & parse_valid_lens(*options.valid_lens, request.shape());
  read_labels(options, request);
  return request;
}

std::vector<std::string> input_files(const AttendOptions& options) {
  std::vector<std::string> files;
  for (const auto& matrix : {options.query, options.key, options.value})
    if (matrix && *matrix != "-" && names_file(*matrix)) files.push_back(*matrix);
  for (const std::string& mask : options.masks)
    if (mask != "-" && names_file(mask)) files.push_back(mask);
  return files;
}

}  // namespace regard
