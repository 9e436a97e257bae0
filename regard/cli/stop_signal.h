#pragma once

namespace regard {

/// While one lives, the first INT or TERM is only noted, so that work can be saved; the second ends
/// the program at once. HUP is ignored: a closed terminal does not end a training.
class StopSignal {
 public:
  StopSignal();
  ~StopSignal();
  StopSignal(const StopSignal&) = delete;
  StopSignal& operator=(const StopSignal&) = delete;

  static int caught();  ///< SIGINT, SIGTERM, or 0
};

}  // namespace regard
