#include "regard/serve/html/token.h"

#include <algorithm>

#include "regard/serve/http/message.h"

namespace regard {
namespace {

using TokenKind = HtmlToken::Kind;

bool is_name_start(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\f' || c == '\r';
}

/// What follows the name of a tag.
bool ends_tag_name(char c) {
  return is_blank(c) || c == '/' || c == '>';
}

/// Reads "<name attributes>" or "</name attributes>", one loop for each of the standard's states.
class TagReader {
 public:
  explicit TagReader(std::string_view html) : html_(html) {}

  HtmlToken read() {
    token_.kind = html_[1] == '/' ? TokenKind::end : TokenKind::start;
    at_ = token_.kind == TokenKind::end ? 2 : 1;
    for (; more() && !ends_tag_name(html_[at_]); ++at_) {
      const char c = html_[at_];
      token_.name += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    }
    while (skip_blanks() && html_[at_] != '>') {
      if (html_[at_] != '/')
        read_attribute();
      else
        token_.self_closing = ++at_ < html_.size() && html_[at_] == '>';
    }
    if (!more()) return {TokenKind::cut, html_};
    token_.bytes = html_.substr(0, at_ + 1);
    return std::move(token_);
  }

 private:
  bool more() const { return at_ < html_.size(); }

  bool skip_blanks() {
    while (more() && is_blank(html_[at_])) ++at_;
    return more();
  }

  /// A name may begin with '=' and hold quotes and '<'.
  void read_attribute() {
    const std::size_t begin = at_++;
    while (more() && !ends_tag_name(html_[at_]) && html_[at_] != '=') ++at_;
    HtmlAttribute attribute{html_.substr(begin, at_ - begin), {}};
    if (skip_blanks() && html_[at_] == '=') {
      ++at_;
      attribute.value = read_value();
    }
    token_.attributes.push_back(attribute);
  }

  std::string_view read_value() {
    if (!skip_blanks()) return {};
    const char quote = html_[at_];
    if (quote == '"' || quote == '\'') {
      const std::size_t begin = ++at_;
      const std::size_t end = std::min(html_.find(quote, begin), html_.size());
      at_ = std::min(end + 1, html_.size());
      return html_.substr(begin, end - begin);
    }
    const std::size_t begin = at_;
    while (more() && !is_blank(html_[at_]) && html_[at_] != '>') ++at_;
    return html_.substr(begin, at_ - begin);
  }

  std::string_view html_;
  std::size_t at_ = 0;
  HtmlToken token_;
};

/// Whether "<" or "</" and that name stand there, and the name ends.
bool names_tag(std::string_view html, std::string_view opening, std::string_view name) {
  const std::size_t size = opening.size() + name.size();
  return html.size() > size && html.starts_with(opening) &&
         same_word(html.substr(opening.size(), name.size()), name) && ends_tag_name(html[size]);
}

/// Bytes before the end tag of an element that has no tags inside.
std::size_t text_size(std::string_view html, std::string_view element) {
  std::size_t at = html.find('<');
  while (at != html.npos && !names_tag(html.substr(at), "</", element)) at = html.find('<', at + 1);
  return std::min(at, html.size());
}

/// Bytes before the end tag of a script. Inside "<!--" (escaped), "<script" makes the next end tag
/// part of the text (twice escaped), until "-->".
std::size_t script_size(std::string_view html) {
  enum { plain, escaped, twice } state = plain;
  for (std::size_t at = 0; (at = html.find_first_of("<-", at)) != html.npos; ++at) {
    const std::string_view rest = html.substr(at);
    if (rest[0] == '-') {
      if (rest.starts_with("-->")) state = plain;
    } else if (state == plain && rest.starts_with("<!--")) {
      state = escaped;
      ++at;  // its dashes may be those of "-->"
    } else if (state == escaped && names_tag(rest, "<", "script")) {
      state = twice;
    } else if (names_tag(rest, "</", "script")) {
      if (state != twice) return at;
      state = escaped;
    }
  }
  return html.size();
}

HtmlToken up_to(std::string_view html, std::string_view end, TokenKind kind) {
  const std::size_t found = html.find(end);
  if (found == html.npos) return {TokenKind::cut, html};
  return {kind, html.substr(0, found + end.size())};
}

/// "<!-->" and "<!--->" are whole; others end at "-->" or "--!>".
HtmlToken comment_token(std::string_view html) {
  for (const std::string_view whole : {"<!-->", "<!--->"})
    if (html.starts_with(whole)) return {TokenKind::comment, html.substr(0, whole.size())};
  for (std::size_t at = 4; (at = html.find("--", at)) != html.npos; ++at)
    for (const std::string_view end : {"-->", "--!>"})
      if (html.substr(at).starts_with(end))
        return {TokenKind::comment, html.substr(0, at + end.size())};
  return {TokenKind::cut, html};
}

/// Whether something other than text begins at a '<'.
bool begins_markup(std::string_view html) {
  if (html.size() < 2) return false;
  return is_name_start(html[1]) || html[1] == '!' || html[1] == '?' ||
         (html[1] == '/' && html.size() > 2);
}

HtmlToken markup_token(std::string_view html, bool foreign) {
  constexpr std::string_view kDoctype = "<!doctype", kData = "<![CDATA[";
  if (is_name_start(html[1]) || (html[1] == '/' && is_name_start(html[2])))
    return TagReader(html).read();
  if (html.starts_with("<!--")) return comment_token(html);
  if (same_word(html.substr(0, kDoctype.size()), kDoctype))
    return up_to(html, ">", TokenKind::doctype);
  if (foreign && html.starts_with(kData)) {
    HtmlToken data = up_to(html, "]]>", TokenKind::text);
    data.kind = TokenKind::text;  // without its end too
    return data;
  }
  return up_to(html, ">", TokenKind::comment);
}

}  // namespace

std::string_view HtmlToken::value(std::string_view attribute) const {
  for (const HtmlAttribute& each : attributes)
    if (same_word(each.name, attribute)) return each.value;
  return {};
}

HtmlToken first_token(std::string_view html, const HtmlContent& content) {
  using ContentKind = HtmlContent::Kind;
  if (content.kind == ContentKind::plaintext) return {TokenKind::text, html};
  if (content.kind != ContentKind::markup) {
    const std::size_t size =
        content.kind == ContentKind::script ? script_size(html) : text_size(html, content.element);
    return size > 0 ? HtmlToken{TokenKind::text, html.substr(0, size)} : TagReader(html).read();
  }
  if (html[0] == '<' && begins_markup(html)) return markup_token(html, content.foreign);
  std::size_t end = html.find('<', 1);
  while (end != html.npos && !begins_markup(html.substr(end))) end = html.find('<', end + 1);
  return {TokenKind::text, html.substr(0, end)};
}

}  // namespace regard
