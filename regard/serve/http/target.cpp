#include "regard/serve/http/target.h"

#include <algorithm>
#include <optional>

#include "regard/tokens/normalise.h"

namespace regard {
namespace {

constexpr BadRequest kNoSuchPath{404, "no such path"};
constexpr BadRequest kBadEscape{400, "the path has a bad % escape"};

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

bool is_control(char c) {
  return static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
}

std::variant<std::string, BadRequest> decoded_path(std::string_view path) {
  std::string result;
  result.reserve(path.size());
  for (std::size_t i = 0; i < path.size(); ++i) {
    if (path[i] != '%') {
      result += path[i];
      continue;
    }
    if (path.size() - i < 3) return kBadEscape;
    const int high = hex_digit(path[i + 1]), low = hex_digit(path[i + 2]);
    if (high < 0 || low < 0) return kBadEscape;
    const char c = static_cast<char>(high * 16 + low);
    if (is_control(c)) return BadRequest{400, "the path has an escaped control character"};
    if (c == '/') return kNoSuchPath;
    result += c;
    i += 2;
  }
  if (!valid_utf8(result)) return BadRequest{400, "the path is not UTF-8"};
  return result;
}

bool has_odd_part(std::string_view path) {
  if (path.find('\\') != path.npos) return true;
  for (std::size_t from = 1; from < path.size();) {  // path[0] is '/'
    const std::size_t end = std::min(path.find('/', from), path.size());
    const std::string_view part = path.substr(from, end - from);
    if (part.empty() || part == "." || part == "..") return true;
    from = end + 1;
  }
  return false;
}

}  // namespace

std::variant<Target, BadRequest> read_target(std::string_view target, std::string_view host) {
  if (target == "*") return Target{.path = "*"};
  constexpr std::string_view kScheme = "http://";
  if (same_word(target.substr(0, kScheme.size()), kScheme)) {
    target.remove_prefix(kScheme.size());
    const std::size_t end = std::min(target.find_first_of("/?"), target.size());
    // Two names for one server: whoever checks the Host header would look at the wrong one.
    if (!same_word(target.substr(0, end), host))
      return BadRequest{400, "the target names another host than the Host header"};
    target.remove_prefix(end);
    if (target.empty()) return Target{.path = "/"};
  }
  if (!target.starts_with('/')) return BadRequest{400, "the target must start with /"};
  if (target.find('#') != target.npos) return BadRequest{400, "the target has a #"};
  const std::size_t mark = target.find('?');
  std::variant<std::string, BadRequest> path = decoded_path(target.substr(0, mark));
  if (const BadRequest* refusal = std::get_if<BadRequest>(&path)) return *refusal;
  Target result{.path = std::get<std::string>(std::move(path))};
  if (has_odd_part(result.path)) return kNoSuchPath;
  if (mark != target.npos) result.query = target.substr(mark + 1);
  return result;
}

}  // namespace regard
