#include "regard/serve/text/html.h"

#include <map>

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

  bool is_cut_reference(const Piece& piece) const {
    return raw_[piece.start] == '&' && raw_[piece.end - 1] != ';';
  }

  /// The sentences of a passage without tags. None is cut off behind a reference without its
  /// semicolon, which the next translation could join.
  std::vector<SentenceRange> sentences() const {
    std::vector<SentenceRange> result;
    for (const SentenceRange& range : split_sentences(passage_.text, Newlines::are_spaces)) {
      const bool joins =
          !result.empty() &&
          (splitting_ == Splitting::none ||
           (result.back().end == range.start && is_cut_reference(pieces_[range.start - 1])));
      if (joins)
        result.back().end = range.end;
      else
        result.push_back(range);
    }
    return result;
  }

  void add_sentences() {
    std::size_t at = 0;  // of raw_
    for (const SentenceRange& range : sentences()) {
      if (!has_word(range.of(passage_.text))) continue;
      const std::size_t start = pieces_[range.start].start, end = pieces_[range.end - 1].end;
      document_.rest.append(raw_, at, start - at);
      document_.passages.push_back(
          {.before = std::move(document_.rest),
           .text = std::string(range.of(passage_.text)),
           .source = raw_.substr(start, end - start),
           .cut_reference = range.start == 0 ? passage_.cut_reference
                                             : is_cut_reference(pieces_[range.start - 1])});
      document_.rest.clear();
      at = end;
    }
    document_.rest.append(raw_, at);
  }

  void end_passage() {
    if (has_word(passage_.text) && passage_.tags.empty()) {
      add_sentences();
    } else if (has_word(passage_.text)) {
      pair_tags();
      passage_.source =
          raw_.substr(leading_.size(), raw_.size() - leading_.size() - trailing_.size());
      document_.rest += leading_;
      passage_.before = std::move(document_.rest);
      document_.passages.push_back(std::move(passage_));
      document_.rest = std::move(trailing_);
    } else {
      document_.rest += raw_;
    }
    passage_ = {};
    names_.clear();
    pieces_.clear();
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
