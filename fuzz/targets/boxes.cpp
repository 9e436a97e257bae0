#include "fuzz/target.h"
#include "fuzz/text_in_memory.h"
#include "regard/image/boxes_file.h"

namespace regard::targets {
namespace {

struct BoxesOutcome {
  bool refused = false;
  BoxesOfPictures boxes{};

  bool operator==(const BoxesOutcome&) const = default;
};

BoxesOutcome boxes_outcome(ReadCall bytes) {
  BoxesOutcome outcome;
  try {
    Lines lines("-", Lines::kMaxBytes, std::move(bytes));
    outcome.boxes = read_boxes(lines);
  } catch (const Error& error) {
    if (error.fault != Fault::input) throw;
    outcome.refused = true;
  }
  return outcome;
}

/// However the bytes come cut, the same boxes come out: they have an extent, and words stand in
/// their caption and name what there is.
void try_boxes(std::string_view bytes) {
  const BoxesOutcome whole = boxes_outcome(reading(bytes, kAtOnce));
  law(whole == boxes_outcome(reading(bytes, 1)), "byte by byte, other boxes come out");
  for (const auto& [picture, boxes] : whole.boxes) {
    law(!boxes.captions.empty(), "a picture without a caption");
    for (const PixelBox& box : boxes.objects)
      law(box.x >= 0 && box.y >= 0 && box.width > 0 && box.height > 0, "an empty box");
    for (const NamingCaption& said : boxes.captions)
      for (const NamingCaption::Word& word : said.words) {
        law(word.begin < word.end && word.end <= said.text.size(), "a word outside its caption");
        law(valid_utf8(said.text.substr(word.begin, word.end - word.begin)), "a word cut apart");
        law(word.object < boxes.objects.size(), "a word that names nothing");
      }
  }
}

}  // namespace

extern const FuzzTarget boxes{.name = "boxes",
                              .about = "boxes of pictures, JSON lines",
                              .max_bytes = 2048,
                              .attempt = try_boxes,
                              .slow = true};

}  // namespace regard::targets
