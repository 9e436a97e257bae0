#include "regard/image/scenes/shapes.h"

#include <algorithm>
#include <utility>

#include "regard/base/rng.h"
#include "regard/image/scenes/content.h"
#include "regard/image/scenes/layout.h"
#include "regard/image/scenes/split.h"

namespace regard::scenes {

std::optional<std::size_t> largest(const Content& content) {
  const std::vector<Content::Object>& objects = content.objects;
  if (objects.size() == 1) return 0;
  if (std::ranges::count(objects, Size::large, &Content::Object::size) != 1) return std::nullopt;
  const auto found = std::ranges::find(objects, Size::large, &Content::Object::size);
  return static_cast<std::size_t>(found - objects.begin());
}

std::string_view largest_shape(const Content& content) {
  return shapes()[content.objects[largest(content).value()].shape].english;
}

Scene shape_scene(const ScenesSpec& spec, Index i) {
  const bool test = spec.split == Split::test, unseen = test && i % 2 == 1;
  const auto shape = static_cast<std::size_t>(test ? i / 2 : i) % shapes().size();
  const Rng rng = Rng(spec.seed)
                      .fork(kBuiltinShapes)
                      .fork(name(spec.split))
                      .fork(static_cast<std::uint64_t>(i));
  for (std::uint64_t attempt = 0;; ++attempt) {
    Dice dice(rng.fork(attempt));
    Content content = drawn_content(dice);
    const std::optional<std::size_t> object = largest(content);
    if (!object || content.objects[*object].shape != shape) continue;
    const bool holds = unseen ? is_held_out(content.objects[*object]) : !holds_unseen_pair(content);
    if (holds && split_of(content) == spec.split) return laid_out(std::move(content), dice);
  }
}

}  // namespace regard::scenes
