#pragma once

#include <functional>
#include <sstream>
#include <string_view>

namespace regard {

/// Where warnings go. The library's default is standard error; only the program, the server and
/// tests set another; an empty one brings the default back. Standard output belongs to results.
using WarningSink = std::function<void(std::string_view line)>;
void set_warning_sink(WarningSink sink);

void warn_line(std::string_view line);

/// Warns with the parts joined.
template <class... Parts>
void warn(const Parts&... parts) {
  std::ostringstream text;
  (text << ... << parts);
  warn_line(text.str());
}

}  // namespace regard
