#pragma once

#include <string>
#include <string_view>

namespace regard {

/// Where a command writes lines as they are ready: standard output, at once unless it is a regular
/// file, or a file that takes its name only when all is written: until then it is FILE.part.
class LineOutput {
 public:
  /// "-" is standard output. Throws Error(io).
  explicit LineOutput(std::string path);
  ~LineOutput();  ///< what is not finished and not kept goes away
  LineOutput(const LineOutput&) = delete;
  LineOutput& operator=(const LineOutput&) = delete;

  void write(std::string_view text);  ///< whole lines, with their ends; Error(io)
  void finish();                      ///< all is written; Error(io)
  /// No more will come: what is written stays, a file as FILE.part, which is returned; else "".
  std::string keep_part();

 private:
  void flush();

  std::string path_, pending_;
  int file_;
  bool at_once_, done_ = false;
};

}  // namespace regard
