#include "regard/image/picture_corpus.h"

#include "regard/image/scenes/shapes.h"

namespace regard {
namespace {

std::span<const std::string_view> no_language() {
  static constexpr std::string_view kNone[]{""};
  return kNone;
}

scenes::Caption label(const scenes::Content& content, std::string_view) {
  const std::string text(scenes::largest_shape(content));
  return {.text = text, .words = {{0, text.size(), scenes::largest(content).value()}}};
}

// They are painted as a model learns, so that many cost no more than few.
constexpr PictureCorpus kCorpora[]{{.name = kBuiltinScenes,
                                    .said = "caption",
                                    .version = 1,
                                    .languages = scenes::languages,
                                    .scene = scenes::scene,
                                    .say = scenes::caption,
                                    .to_learn = 60'000,
                                    .epochs = 3},
                                   {.name = kBuiltinShapes,
                                    .said = "label",
                                    .version = 1,
                                    .languages = no_language,
                                    .scene = scenes::shape_scene,
                                    .say = label,
                                    .to_learn = 60'000,
                                    .epochs = 2}};

}  // namespace

std::span<const PictureCorpus> picture_corpora() {
  return kCorpora;
}

const PictureCorpus* find_picture_corpus(std::string_view name) {
  for (const PictureCorpus& corpus : kCorpora)
    if (corpus.name == name) return &corpus;
  return nullptr;
}

}  // namespace regard
