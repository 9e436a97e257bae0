#pragma once

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "regard/serve/html/scan.h"
#include "regard/serve/text/html.h"
#include "tests/support/law.h"

namespace regard::testing {

/// HTML with each passage translated by a function.
inline std::string rewritten(std::string_view html,
                             const std::function<LineTranslation(const Passage&)>& translate) {
  const Document document = html_document(html);
  std::vector<LineTranslation> all;
  for (const Passage& passage : document.passages) all.push_back(translate(passage));
  std::vector<const LineTranslation*> by;
  for (const LineTranslation& each : all) by.push_back(&each);
  return rendered(document, by);
}

/// HTML with its words in capitals.
inline std::string in_capitals(std::string_view html) {
  return rewritten(html, [](const Passage& passage) {
    LineTranslation result{.text = passage.text};
    for (char& c : result.text)
      if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
    const Index words = 1 + std::ranges::count(passage.text, ' ');
    for (Index i = 0; i < words; ++i) result.links.emplace_back(i, i);
    return result;
  });
}

/// Tags, comments and doctypes, in order.
inline std::vector<std::string> tags_of(std::string_view html) {
  std::vector<std::string> tags;
  for (const HtmlToken& token : html_tokens(html))
    if (token.kind != HtmlToken::Kind::text) tags.emplace_back(token.bytes);
  return tags;
}

/// Pieces that begin, end and break everything.
inline std::string some_html(Draw& draw) {
  static const std::vector<std::string> kBits{"a ",
                                              "b",
                                              " c ",
                                              "d. ",
                                              "Hi. ",
                                              "Yo!&#32",
                                              "&nbsp",
                                              "?",
                                              "\xE3\x80\x82",
                                              "\xFF",
                                              "\xC3\xA9",
                                              "\n",
                                              "<b>",
                                              "</b>",
                                              "<i ",
                                              "</i>",
                                              "<p>",
                                              "</p>",
                                              "<br>",
                                              "<img>",
                                              "< ",
                                              "<",
                                              ">",
                                              "/>",
                                              "&amp;",
                                              "&",
                                              "&amp",
                                              "&#32",
                                              "&#x3c;",
                                              "&foo;",
                                              "<!--",
                                              "-->",
                                              "--!>",
                                              "<!-->",
                                              "<!",
                                              "<?",
                                              "</",
                                              "</ ",
                                              "<u x='",
                                              "'",
                                              "\"",
                                              "=",
                                              " x =\n\"",
                                              "<code>",
                                              "</code>",
                                              "<script>",
                                              "<script/>",
                                              "</script>",
                                              "<style>",
                                              "</style >",
                                              "<title>",
                                              "</title>",
                                              "<svg>",
                                              "</svg>",
                                              "<g/>",
                                              "<desc>",
                                              "<p translate=no>",
                                              "<![CDATA[",
                                              "]]>",
                                              "<plaintext>",
                                              "<li>",
                                              "<td>",
                                              "<table>",
                                              "</table>",
                                              "<div>",
                                              "</div>",
                                              "<h1>",
                                              "<br class='notranslate'>",
                                              "<span class=notranslate>",
                                              "</span>",
                                              "<textarea>"};
  std::string html;
  for (Index n = draw.integer(0, 25); n > 0; --n)
    html += kBits[static_cast<std::size_t>(draw.integer(0, static_cast<Index>(kBits.size()) - 1))];
  return html;
}

}  // namespace regard::testing
