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

  /// Adds a line. Where the disk is full it waits, with a warning, for the next line or `sync`.
  void write(const nlohmann::ordered_json& line);

  /// Puts all lines on the disk; returns the length of the file. Throws Error(io).
  Index sync();
  Index size() const;  ///< bytes of the file

 private:
  bool write_waiting();  // false, with errno set, where the disk does not take them

  std::string path_;
  Descriptor file_;
  std::string waiting_;  // what the file does not hold yet
};

}  // namespace regard
