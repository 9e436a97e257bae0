#include "regard/image/captioned.h"

#include <utility>

#include "regard/base/check.h"
#include "regard/image/captioned_files.h"
#include "regard/image/fit.h"
#include "regard/image/scenes/paint.h"
#include "regard/image/scenes/split.h"

namespace regard {
namespace {

/// A box of a scene in the square that it is scaled to.
PixelBox scaled(const PixelBox& box, Index side) {
  const auto place = [&](Index at) { return at * side / scenes::kSide; };
  return {place(box.x), place(box.y), place(box.x + box.width) - place(box.x),
          place(box.y + box.height) - place(box.y)};
}

class BuiltinPictures final : public CaptionedSet {
 public:
  BuiltinPictures(const PictureCorpus& corpus, const scenes::ScenesSpec& spec, Index count,
                  std::string language, Index side)
      : corpus_(corpus), spec_(spec), count_(count), language_(std::move(language)), side_(side) {
    check(count >= 0 && count <= scenes::kMaxScenes, corpus.name, ": ", count,
          " scenes asked for, expected at most ", scenes::kMaxScenes);
    corpus_.say(corpus_.scene(spec_, 0).content, language_);
  }

  Index count() const override { return count_; }

  Captioned about(Index i) const override {
    const scenes::Scene scene = corpus_.scene(spec_, i);
    const scenes::Caption said = corpus_.say(scene.content, language_);
    Captioned all{.name = std::string(corpus_.name) + " " + std::string(name(spec_.split)) + " " +
                          std::to_string(i),
                  .caption = said.text,
                  .unseen = scenes::holds_unseen_pair(scene.content)};
    for (const scenes::NamingWord& word : said.words)
      all.named.push_back(
          {word.begin, word.end, scaled(scenes::box_of(scene, word.object), side_)});
    return all;
  }

  Image square(Index i) const override {
    return fit_to_square(scenes::painted(corpus_.scene(spec_, i)), side_);
  }

 private:
  const PictureCorpus& corpus_;
  const scenes::ScenesSpec spec_;
  const Index count_;
  const std::string language_;
  const Index side_;
};

class CaptionedPictures final : public CaptionedSet {
 public:
  CaptionedPictures(const std::string& list, Index side) {
    for (const CaptionedFile& file : read_captioned_files(list)) {
      squares_.push_back(fit_to_square(read_picture(list, file), side));
      about_.push_back({.name = file.path, .caption = file.caption, .line = file.line});
    }
  }

  Index count() const override { return static_cast<Index>(about_.size()); }
  Captioned about(Index i) const override { return about_[static_cast<std::size_t>(i)]; }
  Image square(Index i) const override { return squares_[static_cast<std::size_t>(i)]; }

 private:
  std::vector<Captioned> about_;
  std::vector<Image> squares_;
};

}  // namespace

std::unique_ptr<CaptionedSet> builtin_pictures(const PictureCorpus& corpus,
                                               const scenes::ScenesSpec& spec, Index count,
                                               std::string language, Index side) {
  return std::make_unique<BuiltinPictures>(corpus, spec, count, std::move(language), side);
}

std::unique_ptr<CaptionedSet> captioned_pictures(const std::string& list, Index side) {
  return std::make_unique<CaptionedPictures>(list, side);
}

}  // namespace regard
