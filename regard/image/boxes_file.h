#pragma once

#include <map>
#include <string>
#include <vector>

#include "regard/batch/lines.h"
#include "regard/image/image.h"

namespace regard {

/// A caption and which of its words name something.
struct NamingCaption {
  struct Word {
    std::size_t begin, end;  ///< bytes of the caption
    std::size_t object;      ///< of the picture

    bool operator==(const Word&) const = default;
  };
  std::string text;
  std::vector<Word> words{};

  bool operator==(const NamingCaption&) const = default;
};

/// Where things are in a picture.
struct PictureBoxes {
  Index line = 0;       ///< of the file that says so
  bool unseen = false;  ///< it holds a pair of shape and colour that training never shows
  std::vector<PixelBox> objects{};
  std::vector<NamingCaption> captions{};  ///< in each language, or the label

  bool operator==(const PictureBoxes&) const = default;
};

/// By the path of the picture, which begins at the folder of the file unless with a slash.
using BoxesOfPictures = std::map<std::string, PictureBoxes>;

/// Where the boxes of a list of pictures lie, if anywhere: "test.boxes.jsonl" beside "test.tsv" and
/// beside "test.en.tsv". Empty for a list that is a stream, which lies nowhere.
std::string boxes_path(const std::string& list);

/// Lines of JSON as `regard corpus` writes them (cli/corpus/scene_lines.h): of builtin:scenes a
/// caption under each language, of builtin:shapes a "label" and which "object" it is of; of an
/// object only "box" is read, [x, y, width, height] in pixels of the picture. UTF-8, plain or gzip.
/// Throws Error(input) with file and line for a line that is anything else, or names a picture
/// again.
BoxesOfPictures read_boxes(Lines& lines);

}  // namespace regard
