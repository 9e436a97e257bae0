#pragma once

#include <sstream>
#include <string>

#include "regard/base/check.h"
#include "regard/base/real.h"

namespace regard {

/// Where input came from: a file, or the text of an option itself. Faults are blamed accordingly.
struct InputSource {
  std::string name;  ///< a path, or an option as "--query"
  bool is_file = false;

  Fault fault() const { return is_file ? Fault::input : Fault::usage; }
};

/// A line of input, from 1; 0 if lines mean nothing. Remembers where in our source it was named.
struct Line {
  Index number;
  const char* file;
  int line;
  Line(Index number, const char* file = __builtin_FILE(), int line = __builtin_LINE())
      : number(number), file(file), line(line) {}
};

/// Throws Error that knows its place: "m.csv:2: " or "--query: " and the parts joined. Line 0 is
/// left out.
template <class... Parts>
[[noreturn, gnu::cold]] void fail_at(const InputSource& source, Line at, const Parts&... parts) {
  std::ostringstream text;
  text.imbue(std::locale::classic());
  text << source.name;
  if (source.is_file && at.number > 0) text << ':' << at.number;
  text << ": ";
  (text << ... << parts);
  throw Error(source.fault(), text.str(), at.file, at.line,
              source.is_file ? InputPlace{source.name, at.number} : InputPlace{});
}

}  // namespace regard
