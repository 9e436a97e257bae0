#include <fmt/format.h>

#include <filesystem>
#include <limits>

#include "regard/base/file.h"
#include "regard/cli/inspect/show.h"
#include "regard/page/page.h"
#include "regard/trace/model_json.h"
#include "regard/trace/trace_json.h"
#include "regard/train/checkpoint/manifest.h"

namespace regard {
namespace {

using Json = nlohmann::ordered_json;

/// Weights of more numbers than that are saved as bytes, or the page would be too heavy to open.
constexpr std::size_t kMostExact = std::size_t{1} << 20;
constexpr Index kPositions = 64;
constexpr std::size_t kLargestCurve = std::size_t{1} << 26;

Encoding encoding_for(const Trace& trace) {
  std::size_t count = 0;
  for (const TracedHead& head : trace.attention) count += head.weights.size();
  return count <= kMostExact ? Encoding::f32 : Encoding::u8;
}

/// What training wrote down, line by line; a last line cut short, and what is no JSON, is left out.
Json runs_of(const std::string& folder, const std::string& name) {
  const std::string path = folder + "/metrics.jsonl";
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored)) return Json::array();
  const std::string content = read_file(path, kLargestCurve);
  Json lines = Json::array();
  for (std::size_t start = 0, end; (end = content.find('\n', start)) != content.npos;
       start = end + 1) {
    Json line = Json::parse(content.begin() + static_cast<std::ptrdiff_t>(start),
                            content.begin() + static_cast<std::ptrdiff_t>(end), nullptr,
                            /*allow_exceptions=*/false);
    if (line.is_object()) lines.push_back(std::move(line));
  }
  return Json::array({{{"id", name}, {"lines", std::move(lines)}}});
}

}  // namespace

std::string as_page(const Trace& trace, const SavedModel& saved) {
  const std::string weights = saved.folder + "/" + std::string(kWeightsFile);
  const std::string hash = fmt::format(
      "{:016x}", content_hash(read_file(weights, std::numeric_limits<std::size_t>::max())));
  const Json data{{"trace", trace_json(trace, encoding_for(trace))},
                  {"model",
                   {{"schema", 1},
                    {"models", Json::array({model_json(trace.model, saved.model, hash)})},
                    {"limits", Json::object()}}},
                  {"positional", positional_json(position_table(saved.model, kPositions))},
                  {"runs", runs_of(saved.folder, trace.model)}};
  return saved_page(data.dump(-1, ' ', false, Json::error_handler_t::replace));
}

}  // namespace regard
