#pragma once

#include <span>
#include <string_view>

#include "regard/image/scenes/caption.h"
#include "regard/image/scenes/corpus.h"

namespace regard {

/// A corpus of pictures inside the program, and how much of it a model learns unless set otherwise.
struct PictureCorpus {
  std::string_view name;  ///< given where a list may also be a file: builtin:scenes
  std::string_view said;  ///< of a picture: "caption" or "label"
  int version;            ///< which pictures it holds: another number, other pictures
  /// In which it is said; one empty name where that is no sentence of any.
  std::span<const std::string_view> (*languages)();
  scenes::Scene (*scene)(const scenes::ScenesSpec& spec, Index i);
  /// Throws Error(usage) for a language that it does not have.
  scenes::Caption (*say)(const scenes::Content& content, std::string_view language);
  Index to_learn, epochs;

  bool has_languages() const { return !languages().front().empty(); }
};

std::span<const PictureCorpus> picture_corpora();

/// The corpus of that name; nullptr if there is none.
const PictureCorpus* find_picture_corpus(std::string_view name);

}  // namespace regard
