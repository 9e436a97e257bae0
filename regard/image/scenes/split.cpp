#include "regard/image/scenes/split.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "regard/base/rng.h"
#include "regard/image/scenes/caption.h"

namespace regard::scenes {
namespace {

constexpr std::pair<std::string_view, std::string_view> kHeldOut[]{
    {"circle", "orange"}, {"square", "green"}, {"triangle", "purple"}, {"heart", "black"},
    {"ring", "blue"},     {"star", "red"},     {"cross", "yellow"},    {"moon", "pink"},
};

}  // namespace

bool is_held_out(const Content::Object& object) {
  const std::pair looked_for{shapes()[object.shape].english, colours()[object.colour].word.english};
  return std::ranges::find(kHeldOut, looked_for) != std::end(kHeldOut);
}

bool holds_unseen_pair(const Content& content) {
  return std::ranges::any_of(content.objects, is_held_out);
}

Split split_of(const Content& content) {
  if (holds_unseen_pair(content)) return Split::test;
  const Rng rng = Rng(0).fork(kBuiltinScenes).fork(caption(content, "en").text);
  const std::uint64_t tenth = rng.below(0, 10);
  return tenth == 0 ? Split::test : tenth == 1 ? Split::valid : Split::train;
}

}  // namespace regard::scenes
