#pragma once

#include <sys/types.h>

#include <string>
#include <string_view>

#include "regard/base/file.h"

namespace regard {

/// When a line is seen by who reads the output.
enum class Pace {
  usual,   ///< at once, but in a regular file when many have come
  at_once  ///< at once, everywhere
};

/// Where a command writes lines as they are ready: standard output, or a file that takes its name
/// only when all is written: until then it is FILE.part, or FILE.part-XXXXXX if that name is
/// taken, so that nobody else's file is touched.
class LineOutput {
 public:
  /// "-" is standard output. Throws Error(io).
  LineOutput(std::string path, IfThere there, Pace pace = Pace::usual);
  /// Without end or finish, as an error leaves it, keeps the lines that are written and says so. A
  /// file in which nothing stands goes away.
  ~LineOutput();
  LineOutput(const LineOutput&) = delete;
  LineOutput& operator=(const LineOutput&) = delete;

  void write(std::string_view text);  ///< whole lines, with their ends; Error(io)
  void finish();                      ///< all is written; Error(io)
  /// The end of a command: finishes, or keeps what is done and says so if StopSignal has caught
  /// one.   -> the exit code
  int end();

 private:
  void flush();
  bool has_file() const { return file_.get() >= 0; }
  /// What is done stays, a file under its name so far, of which standard error is told.
  void keep(std::string_view why);
  void tell_of_part(std::string_view why) const;
  [[noreturn]] void fail_to_write();

  std::string path_, part_, pending_;
  IfThere there_;
  Descriptor file_;
  bool at_once_;
  bool ended_ = false;  // finished, kept, or broken: nothing is left to be saved
  off_t written_ = 0;   // bytes of whole lines in the part
};

}  // namespace regard
