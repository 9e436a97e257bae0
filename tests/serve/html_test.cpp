#include "regard/serve/text/html.h"

#include "regard/serve/text/html_scan.h"
#include "tests/serve/serve_testing.h"
#include "tests/support/law.h"

namespace regard {
namespace {

using testing::Draw;

/// A translation that says the words in another order: word i becomes target word to[i].
LineTranslation moved(const Passage& passage, std::vector<Index> to) {
  std::vector<std::string> words(to.size());
  std::istringstream in(passage.text);
  LineTranslation result;
  for (std::size_t i = 0; i < to.size(); ++i) {
    in >> words[static_cast<std::size_t>(to[i])];
    result.links.emplace_back(static_cast<Index>(i), to[i]);
  }
  for (std::string& word : words) {
    for (char& c : word) c = static_cast<char>(std::toupper(c));
    result.text += (result.text.empty() ? "" : " ") + word;
  }
  return result;
}

std::string translated(const std::string& html, const std::vector<Index>& to) {
  const Document document = html_document(html);
  EXPECT_EQ(document.passages.size(), 1u) << html;
  const LineTranslation by = moved(document.passages.front(), to);
  return rendered(document, {&by});
}

TEST(HtmlDocument, PutsTagsWhereTheirWordsWent) {
  EXPECT_EQ(translated("<p>the <b>black</b> cat</p>", {0, 2, 1}), "<p>THE CAT <b>BLACK</b></p>");
  EXPECT_EQ(translated("<i>black</i> <b>cat</b>", {1, 0}), "<b>CAT</b> <i>BLACK</i>");
  EXPECT_EQ(translated("<a href=\"x>y\">the <b>black</b> cat</a> sleeps", {0, 2, 1, 3}),
            "<a href=\"x>y\">THE CAT <b>BLACK</b></a> SLEEPS");
  EXPECT_EQ(translated("a <img src=1> b", {0, 1}), "A <img src=1> B");
  EXPECT_EQ(translated("say <code>let x</code> now", {0, 1}), "SAY <code>let x</code> NOW");
  EXPECT_EQ(translated("  <p> a b </p>\n", {0, 1}), "  <p> A B </p>\n");
}

TEST(HtmlDocument, ReadsEntitiesAndWritesThemBack) {
  const Document document = html_document("a &lt;b&gt; &amp; c&nbsp;d &#233; &unknown; e");
  ASSERT_EQ(document.passages.size(), 1u);
  EXPECT_EQ(document.passages[0].text, "a <b> & c d \xC3\xA9 e");
  LineTranslation by;
  by.text = document.passages[0].text;
  for (Index i = 0; i < 7; ++i) by.links.emplace_back(i, i);
  EXPECT_EQ(rendered(document, {&by}), "a &lt;b&gt; &amp; c d \xC3\xA9 &unknown; e");
}

// covers SV12
TEST(HtmlDocument, LeavesScriptsStylesAndWhatIsNotToBeTranslated) {
  for (const std::string html :
       {"<script>if (a < b) alert('</p>')</script>", "<style>p > a { color: red }</style>",
        "<p translate=\"no\">a b <b>c</b></p>", "<p class='x notranslate'>a</p>", "<!-- a b -->",
        "<!DOCTYPE html>", "<textarea>a <b></textarea>", "<?xml a?>", "<p title='a b c'></p>",
        "<div translate=no>a <div>b</div> c</div>", "<p", "<p title='", "<!-- never ends",
        "<script>never ends"}) {
    const Document document = html_document(html);
    EXPECT_TRUE(document.passages.empty()) << html;
    EXPECT_EQ(rendered(document, {}), html);
  }
}

std::vector<std::string> tags_of(std::string_view html) {
  std::vector<std::string> tags;
  while (!html.empty()) {
    const HtmlPart part = first_part(html);
    if (part.kind != HtmlPart::Kind::text) tags.emplace_back(part.bytes);
    html.remove_prefix(part.bytes.size());
  }
  return tags;
}

std::string some_html(Draw& draw) {
  static const std::vector<std::string> kBits{
      "a ",     "b",     " c ",    "<b>",     "</b>", "<i>",      "</i>",      "<p>",        "</p>",
      "<br>",   "<img>", "< ",     "<",       ">",    "&amp;",    "&",         "<!-- x -->", "</",
      "<u x='", "'",     "<code>", "</code>", "\"",   "<script>", "</script>", "\xFF",       "d. "};
  std::string html;
  for (Index n = draw.integer(0, 25); n > 0; --n)
    html += kBits[static_cast<std::size_t>(draw.integer(0, static_cast<Index>(kBits.size()) - 1))];
  return html;
}

// covers SV12
TEST(HtmlDocument, NeverAddsOrLosesATag) {
  testing::law("tags", 3000, [](Draw& draw) {
    const std::string html = some_html(draw);
    std::string parts;
    for (std::string_view rest = html; !rest.empty();) {
      const HtmlPart part = first_part(rest);
      ASSERT_FALSE(part.bytes.empty());
      parts += part.bytes;
      rest.remove_prefix(part.bytes.size());
    }
    ASSERT_EQ(parts, html);
    const Document document = html_document(html);
    std::vector<LineTranslation> all;
    for (const Passage& passage : document.passages) {
      const Index sources = 1 + std::ranges::count(passage.text, ' ');
      LineTranslation by;
      const Index targets = draw.integer(0, 6);
      for (Index i = 0; i < targets; ++i) by.text += i == 0 ? "w" : " <w>";
      for (Index n = draw.integer(0, 6); n > 0 && targets > 0; --n)
        by.links.emplace_back(draw.integer(0, sources - 1), draw.integer(0, targets - 1));
      all.push_back(std::move(by));
    }
    std::vector<const LineTranslation*> by;
    for (const LineTranslation& each : all) by.push_back(&each);
    std::vector<std::string> before = tags_of(html), after = tags_of(rendered(document, by));
    std::ranges::sort(before);
    std::ranges::sort(after);
    EXPECT_EQ(before, after) << html << "\n" << rendered(document, by);
  });
}

// covers SV12
TEST(HtmlDocument, TakesAHundredThousandLevelsInItsStride) {
  for (const std::string open : {"<b>", "<div>", "<code>", "<i><b>", "<a x='"}) {
    std::string html;
    for (int i = 0; i < 100000; ++i) html += open;
    html += " word ";
    for (int i = 0; i < 100000; ++i) html += "</b>";
    const Document document = html_document(html);
    std::vector<LineTranslation> all(document.passages.size());
    std::vector<const LineTranslation*> by;
    for (LineTranslation& each : all) {
      each.text = "word";
      each.links = {{0, 0}};
      by.push_back(&each);
    }
    EXPECT_GE(rendered(document, by).size(), 100000u);
  }
}

class HtmlRoute : public testing::ServeTest {};

// covers SV12, SV22
TEST_F(HtmlRoute, KeepsTheStructure) {
  const std::string html =
      "<p>the <b>black</b> cat</p><script>x()</script><ul><li>a<li>b &lt;img onerror&gt;</ul>";
  const std::string text =
      testing::body_of(
          translate({{"q", html}, {"source", "en"}, {"target", "fr"}, {"format", "html"}}))
          .at("translatedText");
  EXPECT_EQ(tags_of(text), tags_of(html));
}

}  // namespace
}  // namespace regard
