#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "regard/autograd/var.h"
#include "regard/base/rng.h"
#include "regard/model/spec.h"

namespace regard {

/// What is trained, saved and loaded, whatever it reads and writes: parameters by name. Several
/// threads may read one at once.
class Model {
 public:
  using Visit = std::function<void(const std::string& name, Var& parameter)>;

  virtual ~Model() = default;

  /// Every parameter once, in a fixed order, whatever tables are shared.
  virtual void each(const Visit& visit) = 0;

  /// Arranges the weights as products read them, for good: the model no longer learns and cannot be
  /// saved. It takes the same memory and gives the same bits, sooner.
  virtual void pack() {}

  /// Rounds the weights of every product and table to 8-bit whole numbers: the model no longer
  /// learns, and computes only once it is packed. Throws Error if that cannot be.
  virtual void quantise();
};

/// Shows each parameter to `visit` the first time it comes, whatever tables are shared.
Model::Visit each_once(const Model::Visit& visit);

/// A fresh model. Throws Error(usage) naming the setting that does not fit.
std::unique_ptr<Model> make_model(const ModelSpec& spec, Rng rng, Dtype dtype = Dtype::f32);

/// The settings of a named size: tiny, small, base, big.
ModelSpec preset(std::string_view name);

/// How many numbers a model learns.
Index parameter_count(Model& model);

}  // namespace regard
