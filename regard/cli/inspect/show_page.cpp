#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "regard/base/file.h"
#include "regard/cli/inspect/show.h"
#include "regard/model/run_folder.h"
#include "regard/page/page.h"
#include "regard/trace/model_json.h"
#include "regard/trace/run_lines.h"
#include "regard/trace/trace_json.h"
#include "regard/train/checkpoint/manifest.h"

namespace regard {
namespace {

using Json = nlohmann::ordered_json;

/// Weights of more numbers than that are saved as bytes, or the page would be too heavy to open.
constexpr std::size_t kMaxExact = std::size_t{1} << 20;
constexpr Index kLeastPositions = 64;

Encoding encoding_for(const Trace& trace) {
  std::size_t count = 0;
  for (const TracedHead& head : trace.attention) count += head.weights.size();
  return count <= kMaxExact ? Encoding::f32 : Encoding::u8;
}

/// As many as there are tokens on either side.
Index positions_of(const Trace& trace) {
  const std::size_t most = std::max(trace.source.tokens.size(), trace.target.tokens.size());
  return std::max(kLeastPositions, static_cast<Index>(most));
}

/// What training wrote down, line by line, as JSON; what is no object is left out.
std::string runs_of(const std::string& folder, const std::string& name) {
  std::string lines;
  const bool found = each_run_line(folder, [&](std::string_view line) {
    const std::string object = run_line_json(line);
    if (!object.empty()) lines.append(lines.empty() ? "" : ",").append(object);
    return true;
  });
  if (!found) return "[]";
  const std::string id = Json(name).dump(-1, ' ', false, Json::error_handler_t::replace);
  return fmt::format(R"([{{"id":{},"lines":[{}]}}])", id, lines);
}

}  // namespace

std::string as_page(const Trace& trace, const SavedModel& saved) {
  const std::string weights = RunFolder(saved.folder).weights();
  const std::string hash = fmt::format(
      "{:016x}", content_hash(read_own_file(weights, std::numeric_limits<std::size_t>::max())));
  const std::size_t examples = example_sentences(saved.model.info).size();
  const Json data{{"trace", trace_json(trace, encoding_for(trace))},
                  {"model",
                   {{"schema", 1},
                    {"models", Json::array({model_json(trace.model, saved.model, hash)})},
                    {"limits", Json::object()}}},
                  {"positional", positional_json(position_table(saved.model, positions_of(trace)))},
                  {"heads", survey_json(saved.heads, examples)}};
  std::string text = data.dump(-1, ' ', false, Json::error_handler_t::replace);
  text.pop_back();
  return saved_page(text + ",\"runs\":" + runs_of(saved.folder, trace.model) + "}");
}

}  // namespace regard
