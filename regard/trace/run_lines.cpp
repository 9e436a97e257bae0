#include "regard/trace/run_lines.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <vector>

#include "regard/base/check.h"
#include "regard/base/open_file.h"
#include "regard/base/system_call.h"
#include "regard/config/json.h"
#include "regard/model/run_folder.h"

namespace regard {
namespace {

constexpr std::size_t kPiece = 1 << 16;

void check_size(off_t size, const std::string& path) {
  if (size > static_cast<off_t>(kLargestRun))
    fail(Blame(Fault::input).at(path), path, ": larger than the limit of ", kLargestRun, " bytes");
}

}  // namespace

bool each_run_line(const std::string& folder,
                   const std::function<bool(std::string_view line)>& take) {
  const std::string path = RunFolder(folder).metrics();
  std::error_code ignored;
  const auto status = std::filesystem::symlink_status(path, ignored);
  if (status.type() == std::filesystem::file_type::not_found) return false;
  const Descriptor file = open_regular(path, Symlinks::refuse);
  check_size(::lseek(file.get(), 0, SEEK_END), path);
  ::lseek(file.get(), 0, SEEK_SET);
  std::string line;  // so far; once too long, no more of it is kept
  std::vector<char> piece(kPiece);
  for (off_t size = 0;;) {
    const ssize_t n = uninterrupted([&] { return ::read(file.get(), piece.data(), piece.size()); });
    if (n < 0) fail(Blame(Fault::io).at(path), path, ": read failed: ", std::strerror(errno));
    if (n == 0) return true;
    check_size(size += n, path);  // it may grow meanwhile
    std::string_view rest(piece.data(), static_cast<std::size_t>(n));
    for (std::size_t end; (end = rest.find('\n')) != rest.npos; rest.remove_prefix(end + 1)) {
      line += rest.substr(0, end);
      if (!take(line.size() <= kLongestRunLine ? std::string_view(line) : std::string_view()))
        return true;
      line.clear();
    }
    line += rest.substr(0, kLongestRunLine + 1 - std::min(line.size(), kLongestRunLine + 1));
  }
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
