#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "regard/base/open_file.h"
#include "regard/base/real.h"

namespace regard {

/// A file of JSON lines that grows as training goes on. What is written there depends on the run
/// alone, never on the machine or the clock, so that a run killed and resumed ends with the same
/// bytes.
class MetricsLog {
 public:
  /// Opens the file, cut back to `bytes`: lines that a killed run wrote after its last checkpoint
  /// are written again. Where the file is shorter than that, throws Error(input), or goes on from
  /// the whole lines that are there where losing lines is allowed.
  MetricsLog(std::string path, Index bytes, bool allow_lost = false);

  /// Adds a line. A disk that is full costs the line and a warning, not the training.
  void write(const nlohmann::ordered_json& line);

  /// Puts on the disk what was written; returns the length of the file. Throws Error(io).
  Index sync();
  Index size() const;  ///< bytes of the file

 private:
  std::string path_;
  Descriptor file_;
};

}  // namespace regard
