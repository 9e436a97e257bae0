#pragma once

#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>

#include "regard/base/real.h"

namespace regard {

/// Whose fault an error is. The program's exit codes and the server's statuses follow from it.
enum class Fault {
  bug,       ///< ours
  usage,     ///< the caller's: a wrong option, a shape that does not fit
  input,     ///< a file's: malformed matrix, model, corpus
  io,        ///< the disk's or the network's
  device,    ///< out of memory, or no such device
  diverged,  ///< training left the finite numbers
};

/// The exit code of the program for a fault: 1 bug, 2 usage, 3 input, 4 io, 5 device, 6 diverged.
constexpr int exit_code(Fault fault) {
  return static_cast<int>(fault) + 1;
}

/// A place in what the user gave: no path where that was no file, line 0 where lines mean nothing.
struct InputPlace {
  std::string path{};
  Index line = 0;
};

/// The one exception of the library. what() says what was expected, what came, and what to do.
class Error : public std::runtime_error {
 public:
  Error(Fault fault, const std::string& message, const char* file, int line, InputPlace place = {})
      : std::runtime_error(message),
        fault(fault),
        file(file),
        line(line),
        place(std::move(place)) {}

  Fault fault;
  const char* file;  ///< of our source, for `-v`
  int line;
  InputPlace place;  ///< of the user's file, where it is known
};

/// A bool that remembers where it was tested, so `check` needs no macro.
struct Condition {
  bool holds;
  const char* file;
  int line;
  Condition(bool holds, const char* file = __builtin_FILE(), int line = __builtin_LINE())
      : holds(holds), file(file), line(line) {}
};

/// A fault that remembers where it was named: fail(Fault::usage, ...), or, where the place in the
/// user's file is known, fail(Blame(Fault::input).at(path, 7), ...).
struct Blame {
  Fault fault;
  const char* file;
  int line;
  InputPlace place{};
  Blame(Fault fault, const char* file = __builtin_FILE(), int line = __builtin_LINE())
      : fault(fault), file(file), line(line) {}

  Blame at(std::string path, Index number = 0) && {
    place = {std::move(path), number};
    return std::move(*this);
  }
};

/// Throws Error: the parts joined are its message.
template <class... Parts>
[[noreturn, gnu::cold]] void fail(Blame blame, const Parts&... parts) {
  std::ostringstream text;
  text.imbue(std::locale::classic());
  (text << ... << parts);
  throw Error(blame.fault, text.str(), blame.file, blame.line, std::move(blame.place));
}

/// Throws Error(usage) unless the condition holds; the message is built only on failure.
template <class... Parts>
void check(Condition condition, const Parts&... parts) {
  if (condition.holds) [[likely]]
    return;
  fail(Blame(Fault::usage, condition.file, condition.line), parts...);
}

}  // namespace regard
