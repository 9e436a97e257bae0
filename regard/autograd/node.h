#pragma once

#include <cstdint>

#include "regard/autograd/var.h"

namespace regard {

/// What stands behind a Var.
struct Var::Node {
  Tensor value;
  Remake remake;           // how the value is computed again, where it can be
  bool forgotten = false;  // until it is
  Tensor grad;
  bool has_grad = false;
  bool needs_grad = false;
  bool spent = false;       // its backward was run and released
  std::uint64_t order = 0;  // of recording
  std::vector<Var> inputs;
  Backward backward;  // empty for a leaf

  ~Node();
};

/// The order in which things were recorded, and the walk back along it.
class Tape {
 public:
  static Var record(Tensor y, const std::vector<Var>& inputs, Backward backward, Remake remake);
  static void run(const Var& from);

 private:
  using Nodes = std::vector<std::shared_ptr<Var::Node>>;
  static Nodes reachable(const Var& from);
  friend struct Var::Node;
};

}  // namespace regard
