#include "regard/cli/corpus/scene_lines.h"

#include <fmt/format.h>

#include "regard/image/scenes/paint.h"
#include "regard/image/scenes/split.h"
#include "regard/viewer/text.h"

namespace regard {
namespace {

nlohmann::ordered_json caption_json(const scenes::Caption& caption) {
  nlohmann::ordered_json words = nlohmann::ordered_json::array();
  const std::string_view text = caption.text;
  for (const scenes::NamingWord& word : caption.words) {
    const std::string_view named = text.substr(word.begin, word.end - word.begin);
    const std::size_t from = code_points(text.substr(0, word.begin)).size();
    words.push_back({{"word", named},
                     {"from", from},
                     {"to", from + code_points(named).size()},
                     {"object", word.object}});
  }
  return {{"caption", caption.text}, {"words", std::move(words)}};
}

}  // namespace

std::string picture_name(Split split, Index i) {
  return fmt::format("{}/{:06}.png", name(split), i);
}

nlohmann::ordered_json scene_json(const PictureCorpus& corpus, const scenes::Scene& scene,
                                  const std::string& picture) {
  nlohmann::ordered_json objects = nlohmann::ordered_json::array();
  for (std::size_t i = 0; i < scene.content.objects.size(); ++i) {
    const scenes::Content::Object& object = scene.content.objects[i];
    const PixelBox box = scenes::box_of(scene, i);
    objects.push_back({{"size", scenes::word(object.size).english},
                       {"colour", scenes::colours()[object.colour].word.english},
                       {"shape", scenes::shapes()[object.shape].english},
                       {"box", {box.x, box.y, box.width, box.height}}});
  }
  nlohmann::ordered_json json{{"schema", 1},
                              {"picture", picture},
                              {"unseen", scenes::holds_unseen_pair(scene.content)},
                              {"objects", std::move(objects)}};
  if (!corpus.has_languages()) {
    const scenes::Caption said = corpus.say(scene.content, {});
    json[std::string(corpus.said)] = said.text;
    json["object"] = said.words.front().object;
    return json;
  }
  for (const std::string_view language : corpus.languages())
    json[std::string(language)] = caption_json(corpus.say(scene.content, language));
  return json;
}

}  // namespace regard
