#include "regard/image/boxes_file.h"

#include <filesystem>

#include "regard/base/check.h"
#include "regard/base/open_file.h"
#include "regard/batch/pair_filter.h"
#include "regard/batch/raw_file.h"
#include "regard/config/json.h"

namespace regard {
namespace {

using Json = nlohmann::json;

constexpr Index kMostPixels = 1 << 24;  // of a side, as no picture has

std::string without_suffix(const std::string& path, std::string_view suffix) {
  return path.ends_with(suffix) ? path.substr(0, path.size() - suffix.size()) : path;
}

/// The bytes where characters begin, and the end.
std::vector<std::size_t> character_starts(const std::string& text) {
  std::vector<std::size_t> starts;
  for (std::size_t i = 0; i < text.size(); ++i)
    if ((static_cast<unsigned char>(text[i]) & 0xC0) != 0x80) starts.push_back(i);
  starts.push_back(text.size());
  return starts;
}

/// Reads one line, and says where it is wrong.
class BoxesLine {
 public:
  BoxesLine(std::string path, Index line) : path_(std::move(path)), line_(line) {}

  template <class... Parts>
  [[noreturn]] void blame(const Parts&... parts) const {
    fail(Blame(Fault::input).at(path_, line_), path_, ":", line_, ": ", parts...);
  }

  std::pair<std::string, PictureBoxes> read(std::string_view text) const {
    const Json all = parse_json(text, path_ + ":" + std::to_string(line_));
    if (!all.is_object()) blame("expected an object in {}, got ", all.type_name());
    if (all.value("schema", Json(1)) != 1)
      blame("\"schema\" is ", all["schema"].dump(), ", this version reads 1; update regard");
    PictureBoxes boxes{.line = line_};
    const Json unseen = all.value("unseen", Json(false));
    if (!unseen.is_boolean()) blame("\"unseen\": expected true or false");
    boxes.unseen = unseen.get<bool>();
    for (const Json& object : list(all, "objects", "the picture"))
      boxes.objects.push_back(box(object));
    for (const auto& [key, value] : all.items())
      if (value.is_object()) boxes.captions.push_back(caption(value, key, boxes.objects.size()));
    if (all.contains("label")) boxes.captions.push_back(label(all, boxes.objects.size()));
    if (boxes.captions.empty())
      blame("no caption and no label; expected a caption under its language, as in \"en\": ",
            "{\"caption\": .., \"words\": [..]}, or \"label\": .., \"object\": ..");
    const std::string picture = string(all, "picture", "the line");
    if (picture.empty()) blame("\"picture\" is empty; expected the path of a PNG file");
    return {picture, std::move(boxes)};
  }

 private:
  const Json& at(const Json& object, const char* key, std::string_view of) const {
    if (!object.is_object() || !object.contains(key))
      blame("key \"", key, "\" of ", of, " is missing");
    return object[key];
  }
  const Json& list(const Json& object, const char* key, std::string_view of) const {
    const Json& found = at(object, key, of);
    if (!found.is_array()) blame("\"", key, "\" of ", of, ": expected a list in []");
    return found;
  }
  std::string string(const Json& object, const char* key, std::string_view of) const {
    const Json& found = at(object, key, of);
    if (!found.is_string()) blame("\"", key, "\" of ", of, ": expected text in quotes");
    return found.get<std::string>();
  }
  Index whole(const Json& number, std::string_view what, Index least, Index most) const {
    const bool fits = number.is_number_unsigned() &&
                      number.get<std::uint64_t>() <= static_cast<std::uint64_t>(most);
    if (!fits || number.get<Index>() < least)
      blame(what, " is ", number.dump(-1, ' ', false, Json::error_handler_t::replace),
            ", expected a whole number from ", least, " to ", most);
    return number.get<Index>();
  }

  PixelBox box(const Json& object) const {
    const Json& sides = list(object, "box", "an object");
    if (sides.size() != 4)
      blame("a box of ", sides.size(), " numbers, expected [x, y, width, height]");
    return {.x = whole(sides[0], "x of a box", 0, kMostPixels),
            .y = whole(sides[1], "y of a box", 0, kMostPixels),
            .width = whole(sides[2], "the width of a box", 1, kMostPixels),
            .height = whole(sides[3], "the height of a box", 1, kMostPixels)};
  }

  NamingCaption caption(const Json& object, const std::string& language,
                        std::size_t objects) const {
    NamingCaption said{.text = string(object, "caption", "\"" + language + "\"")};
    const std::vector<std::size_t> starts = character_starts(said.text);
    const auto characters = static_cast<Index>(starts.size()) - 1;
    for (const Json& each : list(object, "words", "\"" + language + "\"")) {
      const std::string word = string(each, "word", "a word");
      const Index from = whole(at(each, "from", "a word"), "\"from\" of a word", 0, characters);
      const Index to = whole(at(each, "to", "a word"), "\"to\" of a word", from, characters);
      const std::size_t begin = starts[static_cast<std::size_t>(from)],
                        end = starts[static_cast<std::size_t>(to)];
      if (word.empty() || said.text.substr(begin, end - begin) != word)
        blame("the word '", word, "' is not what stands from character ", from, " to ", to,
              " of the caption '", said.text, "'");
      if (objects == 0) blame("the word '", word, "' names an object, but there is none");
      const Index named = whole(at(each, "object", "a word"), "\"object\" of a word", 0,
                                static_cast<Index>(objects) - 1);
      said.words.push_back({begin, end, static_cast<std::size_t>(named)});
    }
    return said;
  }

  /// A label is a caption that names one object, and does so from its first letter to its last.
  NamingCaption label(const Json& all, std::size_t objects) const {
    NamingCaption said{.text = string(all, "label", "the line")};
    if (said.text.empty()) blame("\"label\" is empty; expected what the picture shows");
    if (objects == 0) blame("the label '", said.text, "' names an object, but there is none");
    const Index named = whole(at(all, "object", "the line"), "\"object\" of the line", 0,
                              static_cast<Index>(objects) - 1);
    said.words.push_back({0, said.text.size(), static_cast<std::size_t>(named)});
    return said;
  }

  const std::string path_;
  const Index line_;
};

}  // namespace

std::string boxes_path(const std::string& list) {
  constexpr std::string_view kSuffix = ".boxes.jsonl";
  if (is_stream(list)) return {};
  const std::string name = without_suffix(without_suffix(list, ".gz"), ".tsv");
  const std::string whole = name + std::string(kSuffix);
  if (is_there(whole)) return whole;
  return std::filesystem::path(name).replace_extension().string() + std::string(kSuffix);
}

BoxesOfPictures read_boxes(Lines& lines) {
  BoxesOfPictures all;
  const auto folder = std::filesystem::path(lines.path()).parent_path();
  while (const std::optional<TextLine> line = lines.next()) {
    const BoxesLine reader(lines.path(), line->number);
    const std::string fault = fault_of_line(*line);
    if (!fault.empty()) reader.blame(fault);
    auto [picture, boxes] = reader.read(line->text);
    const auto [place, is_new] =
        all.emplace((folder.empty() ? "." : folder) / picture, std::move(boxes));
    if (!is_new) reader.blame("'", picture, "' is there already, in line ", place->second.line);
  }
  return all;
}

}  // namespace regard
