#include "regard/image/captioned.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <utility>

#include "regard/base/check.h"
#include "regard/base/memory_left.h"
#include "regard/base/open_file.h"
#include "regard/image/boxes_file.h"
#include "regard/image/captioned_files.h"
#include "regard/image/fit.h"
#include "regard/image/scenes/paint.h"
#include "regard/image/scenes/split.h"

namespace regard {
namespace {

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
    const SquareFit fit(scenes::kSide, scenes::kSide, side_);
    for (const scenes::NamingWord& word : said.words)
      all.named.push_back(
          {word.begin, word.end, fit.in_square(scenes::box_of(scene, word.object))});
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

/// The same for a file, however its path is written.
std::string place_of(const std::string& path) {
  std::error_code unknown;  // reading it will tell
  const std::filesystem::path place = std::filesystem::weakly_canonical(path, unknown);
  return unknown ? path : place.string();
}

/// The file that says where things are in the pictures of a list, if there is one.
class BoxesOfList {
 public:
  explicit BoxesOfList(const std::string& list) : list_(list), path_(boxes_path(list)) {
    if (!is_there(path_)) return;
    Lines lines(path_);
    boxes_ = read_boxes(lines);
  }

  /// Adds what is known of the picture, which lies in the square by `fit`.
  void tell(const CaptionedFile& file, const SquareFit& fit, Captioned& about) {
    const auto found = boxes_.find(file.path);
    if (found == boxes_.end()) return;
    ++told_;
    const PictureBoxes& boxes = found->second;
    for (const PixelBox& box : boxes.objects)
      if (box.x + box.width > fit.width() || box.y + box.height > fit.height())
        fail(Blame(Fault::input).at(path_, boxes.line), path_, ":", boxes.line, ": the box [",
             box.x, ", ", box.y, ", ", box.width, ", ", box.height, "] reaches out of ", file.path,
             ", which has ", fit.width(), " x ", fit.height(), " pixels");
    const auto said = std::ranges::find(boxes.captions, file.caption, &NamingCaption::text);
    if (said == boxes.captions.end())
      fail(Blame(Fault::input).at(list_, file.line), list_, ":", file.line, ": the caption '",
           file.caption, "' is none of those in ", path_, ":", boxes.line,
           ", which says what words of this picture name; make them the same");
    about.unseen = boxes.unseen;
    for (const NamingCaption::Word& word : said->words)
      about.named.push_back({word.begin, word.end, fit.in_square(boxes.objects[word.object])});
  }

  /// After the last picture: boxes of other pictures alone are a mistake.
  void check_told() const {
    if (told_ == 0 && !boxes_.empty())
      fail(Blame(Fault::input).at(path_), path_, ": names none of the pictures of ", list_,
           "; expected their paths as they stand there");
  }

 private:
  const std::string list_, path_;
  BoxesOfPictures boxes_{};
  Index told_ = 0;
};

class CaptionedPictures final : public CaptionedSet {
 public:
  CaptionedPictures(const std::string& list, Index side) {
    const std::vector<CaptionedFile> files = read_captioned_files(list);
    BoxesOfList boxes(list);
    std::map<std::string, Index> numbers;
    std::vector<const CaptionedFile*> first;  // that names a picture
    for (const CaptionedFile& file : files) {
      const auto [known, is_first] =
          numbers.emplace(place_of(file.path), static_cast<Index>(numbers.size()));
      if (is_first) first.push_back(&file);
      pictures_.push_back(known->second);
    }
    check_memory("the pictures",
                 3.0 * static_cast<double>(side) * static_cast<double>(side) *
                     static_cast<double>(first.size()),
                 "lower model.image_size or use fewer pictures");
    std::vector<SquareFit> fits;
    for (const CaptionedFile* file : first) {
      const Image image = read_picture(list, *file);
      fits.emplace_back(image.width, image.height, side);
      squares_.push_back(fits.back()(image));
    }
    for (std::size_t i = 0; i < files.size(); ++i) {
      const CaptionedFile& file = files[i];
      about_.push_back({.name = file.path, .caption = file.caption, .line = file.line});
      boxes.tell(file, fits[static_cast<std::size_t>(pictures_[i])], about_.back());
    }
    boxes.check_told();
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

std::unique_ptr<CaptionedSet> builtin_pictures(const PictureCorpus& corpus,
                                               const scenes::ScenesSpec& spec, Index count,
                                               std::string language, Index side) {
  return std::make_unique<BuiltinPictures>(corpus, spec, count, std::move(language), side);
}

std::unique_ptr<CaptionedSet> captioned_pictures(const std::string& list, Index side) {
  return std::make_unique<CaptionedPictures>(list, side);
}

std::unique_ptr<CaptionedSet> test_pictures(const std::string& corpus_or_list,
                                            const PictureCorpus& corpus, std::string language,
                                            Index side) {
  if (corpus_or_list != corpus.name) return captioned_pictures(corpus_or_list, side);
  return builtin_pictures(corpus, {.split = Split::test}, scenes::usual_scenes(Split::test),
                          std::move(language), side);
}

}  // namespace regard
