#pragma once

#include <list>
#include <mutex>
#include <string>
#include <utility>

#include "regard/base/real.h"
#include "regard/tensor/safetensors.h"

namespace regard {

/// Pictures of the weights of a model, made when first asked for; the last ones are kept.
class WeightPictures {
 public:
  static constexpr std::size_t kMaxBytes = std::size_t{4} << 20;  ///< that are kept, in all

  /// The file stays open: its pictures are of the same weights even if another takes its name.
  explicit WeightPictures(SafetensorsFile weights) : file_(std::move(weights)) {}

  const SafetensorsFile& file() const { return file_; }

  /// A weight pooled to at most size x size, as JSON: {"schema": 1, "parameter", "shape", "rows",
  /// "cols", "dtype": "i8", "scale", "data"}.   REQUIRES size >= 1
  /// Throws Error(usage) if there is none of that name, Error(input) if the file was damaged since.
  std::string picture(const std::string& name, Index size);

  std::size_t held_bytes() const;

 private:
  struct Picture {
    std::string name;
    Index size;
    std::string json;

    std::size_t bytes() const { return sizeof(Picture) + name.size() + json.size(); }
  };

  const SafetensorsFile file_;
  mutable std::mutex mutex_;
  std::list<Picture> kept_;  // the last asked for first
  std::size_t held_ = 0;     // bytes
};

}  // namespace regard
