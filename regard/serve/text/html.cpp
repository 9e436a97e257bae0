#include "regard/serve/text/html.h"

#include <algorithm>
#include <map>
#include <optional>

#include "regard/serve/html/entities.h"
#include "regard/serve/html/scan.h"
#include "regard/tokens/normalise.h"
#include "regard/tokens/sentences.h"

namespace regard {
namespace {

using Kind = InlineTag::Kind;

/// Gathers a passage until something ends the sentence.
class HtmlReader {
 public:
  explicit HtmlReader(Splitting splitting) : splitting_(splitting) {}

  Document read(std::string_view html) {
    document_.html = true;
    for (const HtmlPart& part : html_parts(html)) take(part);
    end_passage();
    return std::move(document_);
  }

 private:
  /// Bytes of the passage as it stands that make one character, or a space.
  struct Piece {
    std::size_t start, end;
  };

  /// Where a tag stands in the text, and which bytes it is.
  struct TagPlace {
    std::size_t at;
    Piece raw;
  };

  void take(const HtmlPart& part) {
    switch (part.kind) {
      case HtmlPart::Kind::text:
        return take_text(part.bytes);
      case HtmlPart::Kind::opens:
        return take_tag(part.bytes, Kind::opens, part.name);
      case HtmlPart::Kind::closes:
        return take_tag(part.bytes, Kind::closes, part.name);
      case HtmlPart::Kind::stands:
        return take_tag(part.bytes, Kind::stands, {});
      case HtmlPart::Kind::breaks:
        end_passage();
        document_.rest += part.bytes;
    }
  }

  void take_text(std::string_view text) {
    while (!text.empty()) {
      const Entity entity = first_entity(text);
      const std::size_t unknown = entity.size == 0 ? entity_length(text) : 0;
      if (unknown > 0) {
        take_tag(text.substr(0, unknown), Kind::stands, {});
        text.remove_prefix(unknown);
        continue;
      }
      const std::size_t size = entity.size ? entity.size : first_character(text).size;
      const std::string_view bytes = text.substr(0, size);
      take_character(entity.size ? std::string_view(entity.characters) : bytes, bytes);
      text.remove_prefix(size);
    }
  }

  void take_character(std::string_view character, std::string_view bytes) {
    const Piece piece{raw_.size(), raw_.size() + bytes.size()};
    raw_ += bytes;
    if (is_space(first_character(character).code)) {
      (begun() ? trailing_ : leading_) += bytes;
      if (!begun()) passage_.cut_reference = bytes.starts_with('&') && !bytes.ends_with(';');
      gap_ = true;
      space_ = piece;
      if (behind_tag_) passage_.tags.back().space_after = true;
      behind_tag_ = false;
      return;
    }
    trailing_.clear();
    behind_tag_ = false;
    if (gap_ && !passage_.text.empty()) {
      passage_.text += ' ';
      pieces_.push_back(space_);
    }
    if (gap_ || passage_.text.empty()) ++words_;
    gap_ = false;
    passage_.text += character;
    pieces_.insert(pieces_.end(), character.size(), piece);
  }

  void take_tag(std::string_view bytes, Kind kind, std::string name) {
    raw_ += bytes;
    passage_.tags.push_back({.text = std::string(bytes),
                             .kind = kind,
                             .word = words_,
                             .space_before = !trailing_.empty()});
    trailing_.clear();
    behind_tag_ = true;
    names_.push_back(std::move(name));
    tags_.push_back({passage_.text.size(), {raw_.size() - bytes.size(), raw_.size()}});
  }

  bool begun() const { return !passage_.text.empty() || !passage_.tags.empty(); }

  /// Gives each closing tag the nearest open one of its name; what it leaves open has no partner.
  void pair_tags() {
    std::vector<std::size_t> stack;
    std::map<std::string, std::size_t> standing;
    for (std::size_t i = 0; i < passage_.tags.size(); ++i) {
      InlineTag& tag = passage_.tags[i];
      if (tag.kind == Kind::opens) {
        stack.push_back(i);
        ++standing[names_[i]];
      } else if (tag.kind == Kind::closes && standing[names_[i]] > 0) {
        while (names_[stack.back()] != names_[i]) {
          --standing[names_[stack.back()]];
          stack.pop_back();
        }
        tag.partner = static_cast<Index>(stack.back());
        passage_.tags[stack.back()].partner = static_cast<Index>(i);
        --standing[names_[i]];
        stack.pop_back();
      }
    }
  }

  /// Whether the bytes end in a reference without its semicolon.
  static bool ends_in_reference(std::string_view bytes) {
    constexpr std::size_t kLongest = 64;  // with room to spare
    bytes.remove_prefix(bytes.size() - std::min(bytes.size(), kLongest));
    const std::size_t begin = bytes.rfind('&');
    if (begin == bytes.npos || begin + 1 == bytes.size()) return false;
    return std::ranges::all_of(bytes.substr(begin + 1), [](char c) {
      return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '#';
    });
  }

  /// A sentence of the passage with its tags [tag, tag_end), and the bytes of both.
  struct Part {
    SentenceRange text;
    std::size_t tag, tag_end;
    Piece raw;
  };

  /// Where one sentence ends and the next begins: bytes of what is kept between them, and how many
  /// tags come before.
  struct Gap {
    Piece raw;
    std::size_t tags;
  };

  /// None if an element reaches from one sentence to the next, or a reference without its
  /// semicolon ends the first, which the next translation could join. `tags`: those before the end
  /// of the first sentence.
  std::optional<Gap> gap_between(std::size_t end, std::size_t next, std::size_t tags) const {
    for (Gap gap{{pieces_[end - 1].end, 0}, tags};; ++gap.tags) {
      const bool tag = gap.tags < tags_.size() && tags_[gap.tags].at == end;
      gap.raw.end = tag ? tags_[gap.tags].raw.start : pieces_[next].start;
      const bool space = gap.raw.start < gap.raw.end;
      const bool apart =
          space || (!tag && !ends_in_reference(std::string_view(raw_).substr(0, gap.raw.end)));
      if (apart && reach_[gap.tags] <= gap.tags) return gap;
      if (!tag) return std::nullopt;
      gap.raw.start = tags_[gap.tags].raw.end;
    }
  }

  std::vector<Part> parts() {
    reach_ = {0};
    for (const InlineTag& tag : passage_.tags)
      reach_.push_back(std::max(reach_.back(), static_cast<std::size_t>(tag.partner + 1)));
    const Piece whole{leading_.size(), raw_.size() - trailing_.size()};
    std::vector<Part> result;
    std::size_t tags = 0;
    for (const SentenceRange& range : split_sentences(passage_.text, Newlines::are_spaces)) {
      if (result.empty()) {
        result.push_back({range, 0, passage_.tags.size(), whole});
        continue;
      }
      Part& last = result.back();
      while (tags < tags_.size() && tags_[tags].at < last.text.end) ++tags;
      const auto gap = splitting_ == Splitting::none
                           ? std::nullopt
                           : gap_between(last.text.end, range.start, tags);
      if (!gap) {
        last.text.end = range.end;
        continue;
      }
      last.tag_end = gap->tags;
      last.raw.end = gap->raw.start;
      result.push_back({range, gap->tags, passage_.tags.size(), {gap->raw.end, whole.end}});
    }
    return result;
  }

  /// words: those of the passage before it.
  void add(const Part& part, Index words) {
    const auto begin = passage_.tags.begin();
    const auto first = static_cast<Index>(part.tag), end = static_cast<Index>(part.tag_end);
    std::vector<InlineTag> tags(begin + first, begin + end);
    for (InlineTag& tag : tags) {
      tag.word -= words;
      if (tag.partner >= 0) tag.partner -= first;
    }
    const bool cut =
        part.text.start == 0 ? passage_.cut_reference : ends_in_reference(document_.rest);
    document_.passages.push_back(
        {.before = std::move(document_.rest),
         .text = std::string(part.text.of(passage_.text)),
         .tags = std::move(tags),
         .source = raw_.substr(part.raw.start, part.raw.end - part.raw.start),
         .cut_reference = cut});
    document_.rest.clear();
  }

  void end_passage() {
    std::size_t at = 0, text_at = 0;  // of raw_, and of the text
    if (has_word(passage_.text)) {
      pair_tags();
      Index words = 0;
      for (const Part& part : parts()) {
        words += std::count(passage_.text.begin() + static_cast<Index>(text_at),
                            passage_.text.begin() + static_cast<Index>(part.text.start), ' ');
        text_at = part.text.start;
        if (!has_word(part.text.of(passage_.text))) continue;
        document_.rest.append(raw_, at, part.raw.start - at);
        add(part, words);
        at = part.raw.end;
      }
    }
    document_.rest.append(raw_, at);
    passage_ = {};
    names_.clear();
    pieces_.clear();
    tags_.clear();
    raw_.clear();
    leading_.clear();
    trailing_.clear();
    gap_ = behind_tag_ = false;
    words_ = 0;
  }

  const Splitting splitting_;
  Document document_;
  Passage passage_;
  std::vector<Piece> pieces_;       // for each byte of its text
  std::vector<TagPlace> tags_;      // for each of its tags
  std::vector<std::size_t> reach_;  // before each: tags that the elements so far reach over
  std::vector<std::string> names_;  // of the passage's tags
  std::string raw_;                 // the passage as it stands
  std::string leading_, trailing_;  // space at its ends
  bool gap_ = false;                // space since the last word
  Piece space_{};                   // the last of it
  bool behind_tag_ = false;         // nothing since the last tag
  Index words_ = 0;
};

}  // namespace

Document html_document(std::string_view html, Splitting splitting) {
  return HtmlReader(splitting).read(html);
}

}  // namespace regard
