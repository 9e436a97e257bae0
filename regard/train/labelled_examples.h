#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "regard/batch/batches.h"
#include "regard/image/patches.h"
#include "regard/train/run_pictures.h"

namespace regard {

/// Examples with their labels, as a model reads them.
class LabelledExamples {
 public:
  virtual ~LabelledExamples() = default;
  virtual Index count() const = 0;
  virtual std::int32_t label(std::size_t i) const = 0;
  virtual std::vector<std::int32_t> source(std::size_t i) const = 0;
  virtual Index rows(std::size_t i) const = 0;         ///< that the source has in an encoder
  virtual std::string shown(std::size_t i) const = 0;  ///< the text, or what the picture is called
  virtual std::string_view example() const = 0;        ///< what one is called
  virtual std::string_view examples() const = 0;       ///< and several
};

/// Texts: the target of each pair is its label alone. `texts`: as they were given; of a training
/// set none are needed.
std::unique_ptr<const LabelledExamples> labelled_texts(std::vector<IdPair> ids,
                                                       std::vector<std::string> texts);

/// Pictures, which are painted or scaled whenever one is read.   REQUIRES a label for each
std::unique_ptr<const LabelledExamples> labelled_pictures(PictureExamples pictures,
                                                          std::vector<std::int32_t> labels,
                                                          const PatchGrid& grid);

}  // namespace regard
