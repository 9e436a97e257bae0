#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "regard/image/image.h"
#include "regard/image/picture_corpus.h"

namespace regard {

/// A word of a caption or a label, and where in the picture that is what it names.
struct NamedBox {
  std::size_t begin, end;  ///< bytes of the caption
  PixelBox box;

  bool operator==(const NamedBox&) const = default;
};

/// What is known of a picture.
struct Captioned {
  std::string name;     ///< its path, or "builtin:scenes test 12"
  std::string caption;  ///< what is said of it; a label is the shortest caption
  std::vector<NamedBox> named{};
  bool unseen = false;  ///< it holds a pair of shape and colour that training never shows
  Index line = 0;       ///< of the list that names it; 0: of none
};

/// Pictures with captions or labels, all scaled to squares of one size.
class CaptionedSet {
 public:
  virtual ~CaptionedSet() = default;
  virtual Index count() const = 0;
  virtual Captioned about(Index i) const = 0;
  virtual Image square(Index i) const = 0;
  /// Which picture it is, below count(): those of one number are one picture, said differently.
  virtual Index picture(Index i) const { return i; }
};

/// Pictures 0 to count - 1 of a built-in corpus, painted whenever one is asked for. Throws
/// Error(usage) for a language that it does not have.
std::unique_ptr<CaptionedSet> builtin_pictures(const PictureCorpus& corpus,
                                               const scenes::ScenesSpec& spec, Index count,
                                               std::string language, Index side);

/// The pictures that a model is tested with: the test split of the corpus where it is named, or
/// else a list. Throws as builtin_pictures and captioned_pictures do.
std::unique_ptr<CaptionedSet> test_pictures(const std::string& corpus_or_list,
                                            const PictureCorpus& corpus, std::string language,
                                            Index side);

/// The pictures of a list (read_captioned_files), each read once, however often it is named, and
/// kept as bytes; and where boxes lie beside it (boxes_path), what their words name. Throws
/// Error(input) naming list or boxes, line and picture.
std::unique_ptr<CaptionedSet> captioned_pictures(const std::string& list, Index side);

}  // namespace regard
