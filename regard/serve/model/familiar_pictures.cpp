#include "regard/serve/model/familiar_pictures.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>

#include "regard/base/base64.h"
#include "regard/image/png_writer.h"
#include "regard/image/scenes/caption.h"
#include "regard/image/scenes/corpus.h"
#include "regard/image/scenes/paint.h"
#include "regard/tokens/normalise.h"

namespace regard {
namespace {

constexpr Index kPictures = 6;

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || static_cast<unsigned char>(c) >= 128;
}

/// Whether the vocabulary has each word, and cuts none in two.
bool knows(const Tokenizer& tokenizer, const std::string& caption) {
  const std::string plain = normalise(caption);
  return std::ranges::none_of(tokenizer.tokens(caption), [&](const Token& token) {
    const auto start = static_cast<std::size_t>(token.start);
    const bool cuts = start > 0 && is_letter(plain[start - 1]) && is_letter(plain[start]);
    return cuts || token.id == kUnk;
  });
}

}  // namespace

nlohmann::ordered_json familiar_pictures(const ModelInfo& info) {
  using Json = nlohmann::ordered_json;
  Json all = Json::array();
  if (std::ranges::find(scenes::languages(), info.to) == scenes::languages().end()) return all;
  for (Index i = 0; i < kPictures; ++i) {
    const scenes::Scene scene = scenes::scene({.split = Split::test}, i);
    const std::string caption = scenes::caption(scene.content, info.to).text;
    if (!knows(*info.target, caption)) return Json::array();
    const Image picture = scenes::painted(scene);
    all.push_back({{"name", "builtin:scenes test " + std::to_string(i)},
                   {"caption", caption},
                   {"image", base64(png_bytes(picture.width, picture.height, picture.pixels))}});
  }
  return all;
}

}  // namespace regard
