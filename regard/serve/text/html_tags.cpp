#include <algorithm>
#include <limits>
#include <optional>

#include "regard/serve/html/entities.h"
#include "regard/serve/text/html.h"
#include "regard/tokens/spaced_words.h"

namespace regard {
namespace {

using Kind = InlineTag::Kind;

/// More tags than that keep their order: to see which may move takes time.
constexpr std::size_t kMaxMoved = 256;

/// Target words [begin, end).
struct Span {
  Index begin = 0, end = 0;
};

/// For each source word, the target words it became.
class WordMap {
 public:
  WordMap(const Links& links, Index sources, Index targets) : targets_(targets) {
    spans_.resize(static_cast<std::size_t>(std::max<Index>(sources, 0)));
    for (const auto& [source, target] : links) {
      if (source < 0 || source >= sources || target < 0 || target >= targets) continue;
      std::optional<Span>& span = spans_[static_cast<std::size_t>(source)];
      if (!span) span = Span{target, target + 1};
      span->begin = std::min(span->begin, target);
      span->end = std::max(span->end, target + 1);
    }
    for (const std::optional<Span>& span : spans_) ends_.push_back(span ? span->end : ends_.back());
  }

  /// What source words [begin, end) became; a point if they became nothing.
  Span of(Index begin, Index end) const {
    Span whole{std::numeric_limits<Index>::max(), -1};
    for (Index i = std::max<Index>(begin, 0); i < end && i < size(); ++i) {
      if (const auto& span = spans_[static_cast<std::size_t>(i)]) {
        whole.begin = std::min(whole.begin, span->begin);
        whole.end = std::max(whole.end, span->end);
      }
    }
    if (whole.end >= 0) return whole;
    const Index point = before(begin);
    return {point, point};
  }

  /// Where something belongs that stands before source word `word`: behind what the word before it
  /// became.
  Index before(Index word) const {
    return ends_[static_cast<std::size_t>(std::clamp<Index>(word, 0, size()))];
  }

  /// Where something belongs that goes with the next word.
  Index at(Index word) const {
    if (word >= size()) return targets_;
    const auto& span = spans_[static_cast<std::size_t>(word)];
    return span ? span->begin : before(word);
  }

 private:
  Index size() const { return static_cast<Index>(spans_.size()); }

  Index targets_;
  std::vector<std::optional<Span>> spans_;
  std::vector<Index> ends_{0};  // before each word, and behind all
};

/// Tags in the order they are written, each before the target word of that number.
struct Placed {
  std::size_t tag;
  Index word;
};

/// Every tag where its words went, but none before the one that it came after.
std::vector<Placed> in_order(const Passage& passage, const WordMap& map) {
  std::vector<Placed> placed;
  Index last = 0;
  for (std::size_t i = 0; i < passage.tags.size(); ++i) {
    const InlineTag& tag = passage.tags[i];
    const Index wanted = tag.kind == Kind::opens ? map.at(tag.word) : map.before(tag.word);
    last = std::max(last, wanted);
    placed.push_back({i, last});
  }
  return placed;
}

/// Elements around what their words became: neighbours in the order of that, none into another.
class Mover {
 public:
  Mover(const Passage& passage, const WordMap& map) : tags_(passage.tags), map_(map) {}

  std::vector<Placed> place(Index words) {
    place_inside(0, tags_.size(), {0, words});
    return std::move(placed_);
  }

 private:
  struct Child {
    std::size_t first, last;  // tags
    Span span;
  };

  std::vector<Child> children(std::size_t begin, std::size_t end) const {
    std::vector<Child> all;
    for (std::size_t i = begin; i < end; ++i) {
      const InlineTag& tag = tags_[i];
      if (tag.kind == Kind::stands) {
        const Index point = map_.before(tag.word);
        all.push_back({i, i, {point, point}});
        continue;
      }
      const auto last = static_cast<std::size_t>(tag.partner);
      all.push_back({i, last, map_.of(tag.word, tags_[last].word)});
      i = last;
    }
    return all;
  }

  void place_inside(std::size_t begin, std::size_t end, Span room) {
    std::vector<Child> all = children(begin, end);
    std::ranges::stable_sort(all, {}, [](const Child& child) { return child.span.begin; });
    for (Child& child : all) {
      child.span.begin = std::clamp(child.span.begin, room.begin, room.end);
      child.span.end = std::clamp(child.span.end, child.span.begin, room.end);
      room.begin = child.span.end;
      placed_.push_back({child.first, child.span.begin});
      if (child.last == child.first) continue;
      place_inside(child.first + 1, child.last, child.span);
      placed_.push_back({child.last, child.span.end});
    }
  }

  const std::vector<InlineTag>& tags_;
  const WordMap& map_;
  std::vector<Placed> placed_;
};

/// What stands between two words: tags, and the space that parts the words, which goes outside of
/// elements.
struct Joint {
  std::string& text;
  bool needs_space = false;

  void space() {
    if (!text.empty() && text.back() != ' ') text += ' ';
    needs_space = false;
  }
  void add(const InlineTag& tag) {
    const bool stands = tag.kind == Kind::stands;
    if (stands ? tag.space_before : needs_space && tag.kind == Kind::opens) space();
    text += tag.text;
    if (stands) needs_space = needs_space || tag.space_after;
  }
  void end() {
    if (needs_space) space();
  }
};

bool may_move(const Passage& passage) {
  return passage.tags.size() <= kMaxMoved &&
         std::ranges::all_of(passage.tags, [](const InlineTag& tag) {
           return tag.kind == Kind::stands || tag.partner >= 0;
         });
}

}  // namespace

std::string with_tags(const Passage& passage, const LineTranslation& translation) {
  const std::vector<std::string> words = spaced_words(translation.text);
  const auto count = static_cast<Index>(words.size());
  const auto sources = static_cast<Index>(std::ranges::count(passage.text, ' ')) + 1;
  const WordMap map(translation.links, sources, count);
  const std::vector<Placed> placed =
      may_move(passage) ? Mover(passage, map).place(count) : in_order(passage, map);
  std::string text;
  std::size_t next = 0;
  for (Index word = 0; word <= count; ++word) {
    Joint joint{.text = text, .needs_space = word > 0 && word < count};
    for (; next < placed.size() && (placed[next].word <= word || word == count); ++next)
      joint.add(passage.tags[placed[next].tag]);
    if (word == count) break;
    joint.end();
    text += escaped_html(words[static_cast<std::size_t>(word)]);
  }
  return text;
}

}  // namespace regard
