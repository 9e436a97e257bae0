#include "regard/serve/html/tree.h"

#include <algorithm>
#include <initializer_list>

#include "regard/serve/html/elements.h"
#include "regard/serve/http/message.h"

namespace regard {
namespace {

using Trait = HtmlTrait;

bool is_any(std::string_view name, std::initializer_list<std::string_view> names) {
  return std::ranges::find(names, name) != names.end();
}

/// class="x notranslate"
bool has_class(std::string_view classes, std::string_view name) {
  constexpr std::string_view kBlanks = " \t\n\f\r";
  for (std::size_t at = 0; (at = classes.find_first_not_of(kBlanks, at)) != classes.npos;) {
    const std::size_t end = std::min(classes.find_first_of(kBlanks, at), classes.size());
    if (same_word(classes.substr(at, end - at), name)) return true;
    at = end;
  }
  return false;
}

bool asks_to_be_kept(const HtmlToken& token) {
  return same_word(token.value("translate"), "no") ||
         has_class(token.value("class"), "notranslate");
}

bool has_attribute(const HtmlToken& token, std::string_view name) {
  return std::ranges::any_of(token.attributes, [&](const HtmlAttribute& attribute) {
    return same_word(attribute.name, name);
  });
}

}  // namespace

void HtmlTree::take(const HtmlToken& token) {
  switch (token.kind) {
    case HtmlToken::Kind::start:
      return start(token);
    case HtmlToken::Kind::end:
      return end(token.name);
    case HtmlToken::Kind::text:
      if (!open_.empty() && open_.back().name == "head" &&
          token.bytes.find_first_not_of(" \t\n\f\r") != token.bytes.npos)
        pop();
      return;
    default:
      return;
  }
}

HtmlContent HtmlTree::content() const {
  if (open_.empty()) return {};
  const Element& top = open_.back();
  if (top.space != Space::html) return {.foreign = true};
  if (top.name == "script") return {HtmlContent::Kind::script, top.name};
  if (top.name == "plaintext") return {HtmlContent::Kind::plaintext};
  if (top.traits & Trait::text_only) return {HtmlContent::Kind::text, top.name};
  return {};
}

void HtmlTree::start(const HtmlToken& token) {
  if (is_foreign(token)) {
    const bool leaves =
        html_traits(token.name) & Trait::leaves_foreign ||
        (token.name == "font" && (has_attribute(token, "color") || has_attribute(token, "face") ||
                                  has_attribute(token, "size")));
    if (!leaves) return start_foreign(token);
    leave_foreign();
  }
  start_html(token);
}

void HtmlTree::start_html(const HtmlToken& token) {
  const std::string& name = token.name;
  const unsigned traits = html_traits(name);
  if (!open_.empty() && open_.back().name == "head" && !(traits & Trait::in_head)) pop();
  if (traits & Trait::ends_p) close_within(Barrier::button, last("p"));
  if (traits & Trait::heading && !open_.empty() && open_.back().traits & Trait::heading)
    close(static_cast<Place>(depth()) - 1);
  end_implied(name);
  if (traits & Trait::empty) return;
  if (is_any(name, {"html", "head", "body"}) && last(name) >= 0) return;
  if (traits & Trait::in_table && name != "table" && last(Barrier::table) < 0) return;
  const bool opens_svg = name == "svg", opens_foreign = opens_svg || name == "math";
  if (opens_foreign && token.self_closing) return;
  const bool kept = asks_to_be_kept(token) || traits & (Trait::kept_inline | Trait::kept_block);
  if (opens_foreign)
    push({.name = name + ":" + name, .space = opens_svg ? Space::svg : Space::math, .kept = kept});
  else
    push({.name = name, .traits = traits, .kept = kept});
}

bool HtmlTree::is_foreign(const HtmlToken& token) const {
  if (open_.empty() || open_.back().space == Space::html) return false;
  switch (open_.back().door) {
    case Door::none:
      return true;
    case Door::most:
      return token.name == "mglyph" || token.name == "malignmark";
    case Door::svg:
      return token.name != "svg";
    case Door::all:
      return false;
  }
  return true;
}

void HtmlTree::start_foreign(const HtmlToken& token) {
  if (token.self_closing) return;
  const Space space = open_.back().space;
  Element element{.name = (space == Space::svg ? "svg:" : "math:") + token.name, .space = space};
  if (is_any(element.name, {"svg:foreignobject", "svg:desc", "svg:title"})) {
    element.door = Door::all;
  } else if (is_any(element.name, {"math:mi", "math:mo", "math:mn", "math:ms", "math:mtext"})) {
    element.door = Door::most;
  } else if (element.name == "math:annotation-xml") {
    const std::string_view encoding = token.value("encoding");
    element.door = same_word(encoding, "text/html") || same_word(encoding, "application/xhtml+xml")
                       ? Door::all
                       : Door::svg;
  }
  push(std::move(element));
}

void HtmlTree::leave_foreign() {
  while (!open_.empty() && open_.back().space != Space::html && open_.back().door != Door::all &&
         open_.back().door != Door::most)
    pop();
}

void HtmlTree::end(const std::string& name) {
  if (!open_.empty() && open_.back().space != Space::html) {
    const Place place = std::max(last("svg:" + name), last("math:" + name));
    if (place > last(Barrier::html)) return close(place);
    if (name == "p" || name == "br") leave_foreign();
  }
  end_html(name);
}

void HtmlTree::end_html(const std::string& name) {
  const unsigned traits = html_traits(name);
  if (is_any(name, {"html", "body"})) return;  // what follows is inside them all the same
  if (traits & Trait::formatting) return end_formatting(name);
  if (traits & Trait::heading) {
    Place place = -1;
    for (const char* heading : {"h1", "h2", "h3", "h4", "h5", "h6"})
      place = std::max(place, last(heading));
    return close_within(Barrier::scope, place);
  }
  Barrier barrier = Barrier::special;
  if (name == "p")
    barrier = Barrier::button;
  else if (name == "li")
    barrier = Barrier::list;
  else if (traits & Trait::in_table)
    barrier = Barrier::table;
  else if (traits & Trait::special)
    barrier = Barrier::scope;
  close_within(barrier, last(name));
}

/// The standard's "adoption agency": with a block inside, only the formatting ends.
void HtmlTree::end_formatting(const std::string& name) {
  const Place place = last(name);
  if (place < 0 || last(Barrier::scope) > place) return;
  if (last(Barrier::special) < place) return close(place);
  Element& element = open_[static_cast<std::size_t>(place)];
  kept_ -= element.kept;
  places_[name].pop_back();
  element = {};
}

/// What the start of an element ends beside a paragraph.
void HtmlTree::end_implied(const std::string& by) {
  struct Rule {
    std::vector<std::string> starts, ends;
    Barrier barrier;
  };
  static const std::vector<Rule> kRules{
      {{"li"}, {"li"}, Barrier::item},
      {{"dd", "dt"}, {"dd", "dt"}, Barrier::item},
      {{"option"}, {"option"}, Barrier::special},
      {{"optgroup"}, {"option", "optgroup"}, Barrier::special},
      {{"rb", "rt", "rp"}, {"rb", "rt", "rp"}, Barrier::special},
      {{"button"}, {"button"}, Barrier::scope},
      {{"td", "th"}, {"td", "th", "caption", "colgroup"}, Barrier::table},
      {{"tr"}, {"tr", "td", "th", "caption", "colgroup"}, Barrier::table},
      {{"tbody", "thead", "tfoot", "caption", "colgroup"},
       {"tbody", "thead", "tfoot", "tr", "td", "th", "caption", "colgroup"},
       Barrier::table},
  };
  if (by == "a" || by == "nobr") return end_formatting(by);
  for (const Rule& rule : kRules) {
    if (std::ranges::find(rule.starts, by) == rule.starts.end()) continue;
    auto lowest = static_cast<Place>(depth());
    for (const std::string& name : rule.ends)
      if (const Place place = last(name); place >= 0 && place >= last(rule.barrier))
        lowest = std::min(lowest, place);
    close(lowest);
  }
}

/// Closes an element, if there is one and no barrier stands inside it.
void HtmlTree::close_within(Barrier barrier, Place place) {
  if (place >= 0 && last(barrier) <= place) close(place);
}

void HtmlTree::push(Element element) {
  const auto place = static_cast<Place>(depth());
  places_[element.name].push_back(place);
  const unsigned mask = barriers(element);
  for (unsigned i = 0; i < Barrier::all; ++i)
    if (mask & 1U << i) barriers_[i].push_back(place);
  kept_ += element.kept;
  open_.push_back(std::move(element));
}

HtmlTree::Element HtmlTree::pop() {
  Element element = std::move(open_.back());
  open_.pop_back();
  if (!element.name.empty()) places_[element.name].pop_back();
  const unsigned mask = barriers(element);
  for (unsigned i = 0; i < Barrier::all; ++i)
    if (mask & 1U << i) barriers_[i].pop_back();
  kept_ -= element.kept;
  return element;
}

/// Closes an element and what is open inside, but formatting goes on behind it: of its like, three,
/// as the standard has it.
void HtmlTree::close(Place place) {
  constexpr int kMaxAlike = 3;
  std::vector<Element> again;
  while (static_cast<Place>(depth()) > place) {
    Element element = pop();
    if (element.traits & Trait::marker) again.clear();
    const auto alike = [&](const Element& other) {
      return other.name == element.name && other.kept == element.kept;
    };
    if (static_cast<Place>(depth()) > place && element.traits & Trait::formatting &&
        std::ranges::count_if(again, alike) < kMaxAlike)
      again.push_back(std::move(element));
  }
  while (!open_.empty() && open_.back().name.empty()) pop();
  for (; !again.empty(); again.pop_back()) push(std::move(again.back()));
}

HtmlTree::Place HtmlTree::last(const std::string& name) const {
  const auto found = places_.find(name);
  return found == places_.end() || found->second.empty() ? -1 : found->second.back();
}

HtmlTree::Place HtmlTree::last(Barrier barrier) const {
  return barriers_[barrier].empty() ? -1 : barriers_[barrier].back();
}

unsigned HtmlTree::barriers(const Element& element) {
  const auto bit = [](Barrier barrier) { return 1U << barrier; };
  if (element.space != Space::html)
    return element.door == Door::none
               ? 0
               : bit(Barrier::special) | bit(Barrier::item) | bit(Barrier::scope) |
                     bit(Barrier::button) | bit(Barrier::list);
  const std::string_view name = element.name;
  unsigned mask = bit(Barrier::html);
  if (element.traits & Trait::special) mask |= bit(Barrier::special);
  if (element.traits & Trait::special && !is_any(name, {"address", "div", "p"}))
    mask |= bit(Barrier::item);
  if (element.traits & Trait::scope)
    mask |= bit(Barrier::scope) | bit(Barrier::button) | bit(Barrier::list);
  if (name == "button") mask |= bit(Barrier::button);
  if (name == "ol" || name == "ul") mask |= bit(Barrier::list);
  if (name == "table" || name == "template") mask |= bit(Barrier::table);
  return mask;
}

}  // namespace regard
