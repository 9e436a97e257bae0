#include "regard/trace/run_lines.h"

#include <filesystem>

#include "regard/base/check.h"
#include "regard/base/file.h"
#include "regard/config/json.h"

namespace regard {

bool each_run_line(const std::string& folder,
                   const std::function<bool(std::string_view line)>& take) {
  const std::string path = folder + "/metrics.jsonl";
  std::error_code ignored;
  const auto status = std::filesystem::symlink_status(path, ignored);
  if (status.type() == std::filesystem::file_type::not_found) return false;
  const std::string content = read_own_file(path, kLargestRun);
  std::string_view rest = content;
  for (std::size_t end; (end = rest.find('\n')) != rest.npos; rest.remove_prefix(end + 1))
    if (!take(end <= kLongestRunLine ? rest.substr(0, end) : std::string_view())) break;
  return true;
}

std::string run_line_json(std::string_view line) {
  if (!line.starts_with('{')) return {};
  try {
    return parse_json(line, "a line of a run").dump();
  } catch (const Error&) {
    return {};
  }
}

}  // namespace regard
