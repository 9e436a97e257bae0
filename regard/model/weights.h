#pragma once

#include <span>
#include <string>

#include "regard/autograd/var.h"
#include "regard/tensor/safetensors.h"

namespace regard {

/// A parameter and what it is called in a file: "encoder.0.self.output.weight".
struct NamedParameter {
  std::string name;
  Var parameter;
};

/// What to do about weights that are not finite.
enum class NotFinite {
  warn,    ///< once, naming the tensor
  refuse,  ///< Error(input)
};

/// Sets the parameters from a .safetensors file that holds exactly these, of these shapes,
/// converted to each parameter's dtype. Throws one Error(input) that lists all that is wrong, one
/// per line; then no parameter has changed.
void load_weights(const SafetensorsFile& file, std::span<const NamedParameter> into,
                  NotFinite not_finite = NotFinite::warn);
void load_weights(const std::string& path, std::span<const NamedParameter> into,
                  NotFinite not_finite = NotFinite::warn);

/// The parameters as a .safetensors file.
std::string weights_bytes(std::span<const NamedParameter> parameters);

/// Writes the parameters to a .safetensors file, whole or not at all.
void save_weights(const std::string& path, std::span<const NamedParameter> parameters,
                  const SafetensorsMetadata& metadata = {});

}  // namespace regard
