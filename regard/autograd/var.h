#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "regard/tensor/tensor.h"

namespace regard {

/// A tensor that remembers how it came about, so that a gradient can flow back through it.
/// A handle: copies are the same variable.
class Var {
 public:
  Var() = default;                                     ///< nothing
  explicit Var(Tensor value, bool trainable = false);  ///< a leaf: a constant, or a parameter

  explicit operator bool() const { return node_ != nullptr; }
  friend bool operator==(const Var&, const Var&) = default;  ///< the same variable

  const Tensor& value() const;
  void set_value(
      Tensor value);  ///< of a leaf: an optimiser's step. REQUIRES the same shape and dtype

  /// The value, given up where this is the last handle on the variable, which then has a shape
  /// alone: nobody can read the value any more, so whoever takes it may write over it unless it is
  /// shared().
  Tensor release_value();

  /// Lets go of a value that can be computed again, until somebody asks for it: memory for time.
  void forget_value() const;

  const Shape& shape() const { return outline().shape(); }
  Index size(int axis) const { return outline().size(axis); }
  int rank() const { return outline().rank(); }
  Dtype dtype() const { return outline().dtype(); }
  Device device() const { return outline().device(); }

  bool is_leaf() const;        ///< a constant or a parameter, not the result of an op
  bool needs_grad() const;     ///< some parameter stands behind it
  bool has_grad() const;       ///< a gradient has reached it
  const Tensor& grad() const;  ///< REQUIRES has_grad()
  void clear_grad() const;

  /// Adds dx to its gradient. The first one is taken over, not copied; does nothing if no
  /// gradient is needed, so a backward may skip computing dx by asking needs_grad() first.
  void accumulate(Tensor dx) const;

 private:
  struct Node;
  friend class Tape;
  const Tensor& outline() const;  // the value, or its shape alone where it was let go of
  std::shared_ptr<Node> node_;
};

/// What an op's backward does: takes dL/dy, hands dL/dx to each input's accumulate().
using Backward = std::function<void(const Tensor& dy)>;

/// Computes an op's value again from what its backward keeps: the same bits while its parameters
/// are the same.
using Remake = std::function<Tensor()>;

/// The result y of an op on `inputs`. Where none of them needs a gradient (or recording is off)
/// this is just y, and the closures with all they hold are dropped.
Var record(Tensor y, const std::vector<Var>& inputs, Backward backward, Remake remake = {});

/// Runs all backwards from `loss`, a scalar, in the reverse order of recording. Leaves keep their
/// gradients; the graph is released on the way, and running any of it again is an Error.
void backward(const Var& loss);
/// The same from any y, given dL/dy.
void backward(const Var& y, Tensor dy);

/// Is what ops do now on this thread recorded?
bool recording();

/// While one lives, nothing is recorded on this thread: inference.
class NoGrad {
 public:
  NoGrad();
  ~NoGrad();
  NoGrad(const NoGrad&) = delete;
  NoGrad& operator=(const NoGrad&) = delete;

 private:
  bool outer_;
};

}  // namespace regard
