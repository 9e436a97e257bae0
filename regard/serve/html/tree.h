#pragma once

#include <array>
#include <map>
#include <string>
#include <vector>

#include "regard/serve/html/token.h"

namespace regard {

/// Which elements are open between two tokens, as a browser has it (WHATWG, section 13.2.6): end
/// tags may be left out or cross, formatting goes on behind its block, <svg> and <math> have rules
/// of their own. No tree is kept, and nothing is corrected: only what must be known to read on and
/// to see what is not to be translated. Time is n log n in the tokens.
class HtmlTree {
 public:
  void take(const HtmlToken& token);

  /// How the bytes behind the last token are read.
  HtmlContent content() const;
  /// Whether what stands there is not to be translated.
  bool kept() const { return kept_ > 0; }
  std::size_t depth() const { return open_.size(); }

 private:
  /// Where HTML begins again inside of <svg> and <math>: never, at every tag but two, at <svg>, at
  /// every tag.
  enum class Door { none, most, svg, all };
  enum class Space { html, svg, math };
  /// What ends the search for an open element. `all` counts them.
  enum Barrier { special, item, scope, button, list, table, html, all };

  struct Element {
    std::string name;  // with "svg:" or "math:" in front; empty: closed out of turn
    Space space = Space::html;
    unsigned traits = 0;
    bool kept = false;
    Door door = Door::none;
  };
  using Place = std::ptrdiff_t;  // in open_; -1: none

  void start(const HtmlToken& token);
  void start_html(const HtmlToken& token);
  void start_foreign(const HtmlToken& token);
  bool is_foreign(const HtmlToken& token) const;
  void leave_foreign();
  void end(const std::string& name);
  void end_html(const std::string& name);
  void end_formatting(const std::string& name);
  void end_implied(const std::string& by);

  void push(Element element);
  Element pop();
  void close(Place place);
  void close_within(Barrier barrier, Place place);
  Place last(const std::string& name) const;
  Place last(Barrier barrier) const;
  static unsigned barriers(const Element& element);

  std::vector<Element> open_;
  std::map<std::string, std::vector<Place>> places_;  // of each name in open_
  std::array<std::vector<Place>, Barrier::all> barriers_;
  std::size_t kept_ = 0;
};

}  // namespace regard
