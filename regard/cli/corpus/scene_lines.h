#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "regard/base/real.h"
#include "regard/image/picture_corpus.h"

namespace regard {

/// "train/000012.png": where the picture of scene i lies beside the lists of its split.
std::string picture_name(Split split, Index i);

/// What is known of a scene: its picture's name; whether it holds a pair of shape and colour that
/// training never shows; its objects with their boxes [x, y, width, height] in pixels; and in each
/// language the caption with the words that name an object. `from` and `to` of a word count
/// characters of the caption, `object` counts from 0:
///
///   {"schema": 1, "picture": "train/000012.png", "unseen": false,
///    "objects": [{"size": "small", "colour": "red", "shape": "circle", "box": [6, 39, 12, 12]}],
///    "en": {"caption": "There is a small red circle on the left.",
///           "words": [{"word": "small", "from": 11, "to": 16, "object": 0}, ..]},
///    "fr": {..}}
///
/// Of a corpus with labels, instead of what is said in languages: "label": "star", and the object
/// that it names, "object": 0.
nlohmann::ordered_json scene_json(const PictureCorpus& corpus, const scenes::Scene& scene,
                                  const std::string& picture);

}  // namespace regard
