#include "regard/serve/html/elements.h"

#include <unordered_map>

namespace regard {
namespace {

using Trait = HtmlTrait;

struct TraitNames {
  unsigned trait;
  std::string_view names;  // parted by single spaces
};

// Those for reading are the lists of the HTML standard, section 13.2.
constexpr TraitNames kTraitNames[]{
    {Trait::phrase,
     "a abbr acronym b bdi bdo big cite data del dfn em font i ins label mark q rb rp rt ruby s "
     "small span strike strong sub sup time tt u"},
    {Trait::alone, "img wbr input"},
    {Trait::kept_inline, "code kbd samp var svg math object canvas audio video iframe"},
    {Trait::kept_block, "script style textarea xmp noembed noframes noscript plaintext"},
    {Trait::empty,
     "area base basefont bgsound br col embed frame hr image img input keygen link meta param "
     "source track wbr"},
    {Trait::text_only, "title textarea style xmp iframe noembed noframes noscript"},
    {Trait::special,
     "address applet article aside blockquote body button caption center colgroup dd details dir "
     "div dl dt fieldset figcaption figure footer form frameset h1 h2 h3 h4 h5 h6 head header "
     "hgroup html iframe li listing main marquee menu nav noembed noframes noscript object ol p "
     "plaintext pre script search section select style summary table tbody td template textarea "
     "tfoot th thead title tr ul xmp"},
    {Trait::scope, "applet caption html table td th marquee object select template"},
    {Trait::formatting, "a b big code em font i nobr s small strike strong tt u"},
    {Trait::marker, "applet caption marquee object td template th"},
    {Trait::ends_p,
     "address article aside blockquote center dd details dialog dir div dl dt fieldset figcaption "
     "figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr li listing main menu nav ol p "
     "plaintext pre search section summary table ul xmp"},
    {Trait::heading, "h1 h2 h3 h4 h5 h6"},
    {Trait::in_head,
     "base basefont bgsound head html link meta noframes noscript script style template title"},
    {Trait::in_table, "caption colgroup table tbody td tfoot th thead tr"},
    {Trait::leaves_foreign,
     "b big blockquote body br center code dd div dl dt em embed h1 h2 h3 h4 h5 h6 head hr i img "
     "li listing menu meta nobr ol p pre ruby s small span strong strike sub sup table tt u ul "
     "var"},
};

std::unordered_map<std::string_view, unsigned> trait_table() {
  std::unordered_map<std::string_view, unsigned> table;
  for (auto [trait, names] : kTraitNames) {
    while (!names.empty()) {
      const std::string_view name = names.substr(0, names.find(' '));
      table[name] |= trait;
      names.remove_prefix(name.size());
      if (!names.empty()) names.remove_prefix(1);
    }
  }
  return table;
}

}  // namespace

unsigned html_traits(std::string_view name) {
  static const auto table = trait_table();
  const auto found = table.find(name);
  return found == table.end() ? 0 : found->second;
}

}  // namespace regard
