#include "regard/image/captioned.h"

#include <filesystem>
#include <map>
#include <utility>

#include "regard/base/check.h"
#include "regard/base/memory_left.h"
#include "regard/image/captioned_files.h"
#include "regard/image/fit.h"
#include "regard/image/scenes/caption.h"
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

class CaptionedScenes final : public CaptionedSet {
 public:
  CaptionedScenes(const scenes::ScenesSpec& spec, Index count, std::string language, Index side)
      : spec_(spec), count_(count), language_(std::move(language)), side_(side) {
    check(count >= 0 && count <= scenes::kMaxScenes, kBuiltinScenes, ": ", count,
          " scenes asked for, expected at most ", scenes::kMaxScenes);
    scenes::caption(scenes::scene(spec_, 0).content, language_);
  }

  Index count() const override { return count_; }

  Captioned about(Index i) const override {
    const scenes::Scene scene = scenes::scene(spec_, i);
    const scenes::Caption said = scenes::caption(scene.content, language_);
    Captioned all{.name = std::string(kBuiltinScenes) + " " + std::string(name(spec_.split)) + " " +
                          std::to_string(i),
                  .caption = said.text,
                  .unseen = scenes::holds_unseen_pair(scene.content)};
    for (const scenes::NamingWord& word : said.words)
      all.named.push_back(
          {word.begin, word.end, scaled(scenes::box_of(scene, word.object), side_)});
    return all;
  }

  Image square(Index i) const override {
    return fit_to_square(scenes::painted(scenes::scene(spec_, i)), side_);
  }

 private:
  const scenes::ScenesSpec spec_;
  const Index count_;
  const std::string language_;
  const Index side_;
};

/// The same for a file, however its path is written.
std::string place_of(const std::string& path) {
  std::error_code unknown;  // reading it will tell
  const std::filesystem::path place = std::filesystem::weakly_canonical(path, unknown);
  return unknown ? path : place.string();
}

class CaptionedPictures final : public CaptionedSet {
 public:
  CaptionedPictures(const std::string& list, Index side) {
    const std::vector<CaptionedFile> files = read_captioned_files(list);
    std::map<std::string, Index> numbers;
    std::vector<const CaptionedFile*> first;  // that names a picture
    for (const CaptionedFile& file : files) {
      const auto [known, is_first] =
          numbers.emplace(place_of(file.path), static_cast<Index>(numbers.size()));
      if (is_first) first.push_back(&file);
      pictures_.push_back(known->second);
      about_.push_back({.name = file.path, .caption = file.caption, .line = file.line});
    }
    check_memory("the pictures",
                 3.0 * static_cast<double>(side) * static_cast<double>(side) *
                     static_cast<double>(first.size()),
                 "lower model.image_size or use fewer pictures");
    for (const CaptionedFile* file : first)
      squares_.push_back(fit_to_square(read_picture(list, *file), side));
  }

  Index count() const override { return static_cast<Index>(about_.size()); }
  Captioned about(Index i) const override { return about_[static_cast<std::size_t>(i)]; }
  Index picture(Index i) const override { return pictures_[static_cast<std::size_t>(i)]; }
  Image square(Index i) const override { return squares_[static_cast<std::size_t>(picture(i))]; }

 private:
  std::vector<Captioned> about_;
  std::vector<Index> pictures_;
  std::vector<Image> squares_;  // of each picture
};

}  // namespace

std::unique_ptr<CaptionedSet> captioned_scenes(const scenes::ScenesSpec& spec, Index count,
                                               std::string language, Index side) {
  return std::make_unique<CaptionedScenes>(spec, count, std::move(language), side);
}

std::unique_ptr<CaptionedSet> captioned_pictures(const std::string& list, Index side) {
  return std::make_unique<CaptionedPictures>(list, side);
}

}  // namespace regard
