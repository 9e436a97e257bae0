#pragma once

#include <string>
#include <string_view>

namespace regard {

/// When a line is seen by who reads the output.
enum class Pace {
  usual,   ///< at once, but in a regular file when many have come
  at_once  ///< at once, everywhere
};

/// Where a command writes lines as they are ready: standard output, or a file that takes its name
/// only when all is written: until then it is FILE.part.
class LineOutput {
 public:
  /// "-" is standard output. Throws Error(io).
  explicit LineOutput(std::string path, Pace pace = Pace::usual);
  ~LineOutput();  ///< what is not finished and not kept goes away
  LineOutput(const LineOutput&) = delete;
  LineOutput& operator=(const LineOutput&) = delete;

  void write(std::string_view text);  ///< whole lines, with their ends; Error(io)
  void finish();                      ///< all is written; Error(io)
  /// No more will come: what is written stays, a file as FILE.part, which is returned; else "".
  std::string keep_part();
  /// The end of a command: finishes, or keeps the part and says so on standard error where
  /// StopSignal has caught one.   -> the exit code
  int end();

 private:
  void flush();

  std::string path_, pending_;
  int file_;
  bool at_once_, done_ = false;
};

}  // namespace regard
