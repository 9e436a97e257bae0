#include "regard/serve/html/scan.h"

#include "regard/serve/html/elements.h"
#include "regard/serve/html/tree.h"

namespace regard {
namespace {

using PartKind = HtmlPart::Kind;

/// Calls take(token, tree) for each token, when the tree has taken it.
template <typename Take>
void scan_html(std::string_view html, Take take) {
  HtmlTree tree;
  while (!html.empty()) {
    HtmlToken token = first_token(html, tree.content());
    html.remove_prefix(token.bytes.size());
    tree.take(token);
    take(std::move(token), tree);
  }
}

PartKind part_kind(const HtmlToken& token) {
  const unsigned traits = html_traits(token.name);
  switch (token.kind) {
    case HtmlToken::Kind::text:
      return PartKind::text;
    case HtmlToken::Kind::comment:
      return PartKind::stands;
    case HtmlToken::Kind::start:
      if (traits & HtmlTrait::alone) return PartKind::stands;
      return traits & HtmlTrait::phrase ? PartKind::opens : PartKind::breaks;
    case HtmlToken::Kind::end:
      return traits & (HtmlTrait::phrase | HtmlTrait::alone | HtmlTrait::kept_inline)
                 ? PartKind::closes
                 : PartKind::breaks;
    default:
      return PartKind::breaks;
  }
}

/// Gathers what is not to be touched into one part.
class PartReader {
 public:
  explicit PartReader(std::string_view html) : html_(html) {}

  void take(HtmlToken token, const HtmlTree& tree) {
    const std::size_t begin = static_cast<std::size_t>(token.bytes.data() - html_.data());
    if (keeping_) {
      if (tree.kept()) return;
      const bool own_end =
          token.kind == HtmlToken::Kind::end && token.name == kept_.name && tree.depth() == depth_;
      end_kept(own_end ? begin + token.bytes.size() : begin, own_end);
      if (own_end) return;
    } else if (tree.kept()) {
      keeping_ = true;
      begin_ = begin;
      depth_ = tree.depth() - 1;
      const bool inside_sentence =
          html_traits(token.name) & (HtmlTrait::phrase | HtmlTrait::kept_inline);
      kept_ = {inside_sentence ? PartKind::stands : PartKind::breaks, {}, std::move(token.name)};
      return;
    }
    PartKind kind = part_kind(token);
    // What looks like a tag in a <title> is none, but not every reader knows that: it stays.
    if (kind == PartKind::text && tree.content().kind != HtmlContent::Kind::markup &&
        token.bytes.find('<') != token.bytes.npos)
      kind = PartKind::breaks;
    parts_.push_back({kind, token.bytes, std::move(token.name)});
  }

  std::vector<HtmlPart> finish() {
    if (keeping_) end_kept(html_.size(), false);
    return std::move(parts_);
  }

 private:
  /// One that something else ended is not moved: who knows how far it goes.
  void end_kept(std::size_t end, bool own_end) {
    keeping_ = false;
    kept_.bytes = html_.substr(begin_, end - begin_);
    if (!own_end) kept_.kind = PartKind::breaks;
    parts_.push_back(std::move(kept_));
  }

  std::string_view html_;
  std::vector<HtmlPart> parts_;
  bool keeping_ = false;
  std::size_t begin_ = 0, depth_ = 0;  // of what is kept
  HtmlPart kept_;
};

}  // namespace

std::vector<HtmlToken> html_tokens(std::string_view html) {
  std::vector<HtmlToken> tokens;
  scan_html(html, [&](HtmlToken token, const HtmlTree&) { tokens.push_back(std::move(token)); });
  return tokens;
}

std::vector<HtmlPart> html_parts(std::string_view html) {
  PartReader reader(html);
  scan_html(html,
            [&](HtmlToken token, const HtmlTree& tree) { reader.take(std::move(token), tree); });
  return reader.finish();
}

}  // namespace regard
