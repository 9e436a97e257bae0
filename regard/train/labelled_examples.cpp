#include "regard/train/labelled_examples.h"

#include <utility>

#include "regard/image/source.h"

namespace regard {
namespace {

class LabelledTexts final : public LabelledExamples {
 public:
  LabelledTexts(std::vector<IdPair> ids, std::vector<std::string> texts)
      : ids_(std::move(ids)), texts_(std::move(texts)) {}

  Index count() const override { return static_cast<Index>(ids_.size()); }
  std::int32_t label(std::size_t i) const override { return ids_[i].target.front(); }
  std::vector<std::int32_t> source(std::size_t i) const override { return ids_[i].source; }
  Index rows(std::size_t i) const override { return static_cast<Index>(ids_[i].source.size()); }
  std::string shown(std::size_t i) const override { return texts_.at(i); }
  std::string_view example() const override { return "text"; }
  std::string_view examples() const override { return "texts"; }

 private:
  std::vector<IdPair> ids_;
  std::vector<std::string> texts_;
};

class LabelledPictures final : public LabelledExamples {
 public:
  LabelledPictures(PictureExamples pictures, std::vector<std::int32_t> labels,
                   const PatchGrid& grid)
      : pictures_(std::move(pictures)), labels_(std::move(labels)), grid_(grid) {}

  Index count() const override { return pictures_.count(); }
  std::int32_t label(std::size_t i) const override { return labels_[i]; }
  std::vector<std::int32_t> source(std::size_t i) const override {
    return source_of(pictures_.square(i), grid_);
  }
  Index rows(std::size_t) const override { return grid_.count(); }
  std::string shown(std::size_t i) const override { return pictures_.about(i).name; }
  std::string_view example() const override { return "picture"; }
  std::string_view examples() const override { return "pictures"; }

 private:
  PictureExamples pictures_;
  std::vector<std::int32_t> labels_;
  PatchGrid grid_;
};

}  // namespace

std::unique_ptr<const LabelledExamples> labelled_texts(std::vector<IdPair> ids,
                                                       std::vector<std::string> texts) {
  return std::make_unique<LabelledTexts>(std::move(ids), std::move(texts));
}

std::unique_ptr<const LabelledExamples> labelled_pictures(PictureExamples pictures,
                                                          std::vector<std::int32_t> labels,
                                                          const PatchGrid& grid) {
  return std::make_unique<LabelledPictures>(std::move(pictures), std::move(labels), grid);
}

}  // namespace regard
