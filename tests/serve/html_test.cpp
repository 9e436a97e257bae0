#include "regard/serve/text/html.h"

#include <array>
#include <chrono>

#include "tests/serve/html_testing.h"
#include "tests/serve/serve_testing.h"
#include "tests/support/law.h"

namespace regard {
namespace {

using testing::Draw;
using testing::in_capitals;
using testing::tags_of;

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
  const std::string html = "a &lt;b&gt; &amp; c&nbsp;d &#233;&ampx &#x80; &unknown; e";
  const Document document = html_document(html);
  ASSERT_EQ(document.passages.size(), 1u);
  EXPECT_EQ(document.passages[0].text, "a <b> & c d \xC3\xA9&x \xE2\x82\xAC e");
  EXPECT_EQ(in_capitals(html), "A &lt;B&gt; &amp; C D \xC3\xA9&amp;X \xE2\x82\xAC &unknown; E");
}

TEST(HtmlDocument, CutsTextIntoSentences) {
  const auto texts = [](const std::string& html, Splitting splitting = Splitting::sentences) {
    std::vector<std::string> all;
    for (const Passage& passage : html_document(html, splitting).passages)
      all.push_back(passage.text);
    return all;
  };
  using All = std::vector<std::string>;
  const std::string html =
      "<p> The cat\nsleeps.&nbsp; Mr. Dog &amp; co. bark! ... \xF0\x9F\x98\x80</p>";
  EXPECT_EQ(texts(html), (All{"The cat sleeps.", "Mr. Dog & co. bark! ..."}));
  EXPECT_EQ(texts(html, Splitting::none),
            (All{"The cat sleeps. Mr. Dog & co. bark! ... \xF0\x9F\x98\x80"}));
  EXPECT_EQ(in_capitals("<p> Cat\nsleeps.&nbsp; Dog&#33;\tOk </p>"),
            "<p> CAT SLEEPS.&nbsp; DOG!\tOK </p>");
  EXPECT_EQ(in_capitals("<p>Hi!&#32Ho</p>"), "<p>HI!&#32;HO</p>");
  // Tags go with their sentence; where an element reaches over the stop, there is no cut.
  EXPECT_EQ(texts("<p>A <b>cat.</b> <i>The dog</i> barks. <br>No. <img> Yes <a>it is. It</a> is."),
            (All{"A cat.", "The dog barks.", "No.", "Yes it is. It is."}));
  EXPECT_EQ(in_capitals("<p>A <b>cat.</b> <i>The dog</i> barks.</b> <code>x</code> Ok.<u> No</u>"),
            "<p>A <b>CAT.</b> <i>THE DOG</i> BARKS.</b> <code>x</code> OK. <u>NO</u>");
}

// covers SV12
TEST(HtmlDocument, KeepsTheBytesOfWhatIsItsOwnTranslation) {
  testing::law("identity", 5000, [](Draw& draw) {
    const std::string html = testing::some_html(draw);
    EXPECT_EQ(testing::rewritten(
                  html, [](const Passage& passage) { return LineTranslation{passage.text}; }),
              html);
  });
}

// covers SV12
TEST(HtmlDocument, EscapesWhatATranslationSays) {
  const auto says = [](const std::string& html, const std::string& text) {
    return testing::rewritten(html, [&](const Passage&) { return LineTranslation{text}; });
  };
  EXPECT_EQ(says("<p>a</p>", "<script>&lt;</p> &"),
            "<p>&lt;script&gt;&amp;lt;&lt;/p&gt; &amp;</p>");
  EXPECT_EQ(says("<title>a</title>", "</title> -->"), "<title>&lt;/title&gt; --&gt;</title>");
  EXPECT_EQ(says("<p>&#32a", "5"), "<p>&#32;5") << "not &#325";
  EXPECT_EQ(says("<p>a &lt", ";x"), "<p>;x");
  EXPECT_EQ(translated("<svg><<b>a b", {1, 0}), "<svg>&lt;B <b>A") << "not <B";
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

/// Words and links at random; the words would be tags if they could.
LineTranslation some_translation(const Passage& passage, Draw& draw) {
  static const std::vector<std::string> kWords{"w",  "<w>",  "</p>", "&",        "<!--", "-->",
                                               "\"", "</b>", "&lt;", "</title>", "<",    "5;"};
  const Index sources = 1 + std::ranges::count(passage.text, ' '), targets = draw.integer(0, 6);
  LineTranslation by;
  for (Index i = 0; i < targets; ++i)
    by.text +=
        (i == 0 ? "" : " ") +
        kWords[static_cast<std::size_t>(draw.integer(0, static_cast<Index>(kWords.size()) - 1))];
  for (Index n = draw.integer(0, 6); n > 0 && targets > 0; --n)
    by.links.emplace_back(draw.integer(0, sources - 1), draw.integer(0, targets - 1));
  return by;
}

// covers SV12
TEST(HtmlDocument, NeverAddsOrLosesATag) {
  testing::law("tags", 10000, [](Draw& draw) {
    const std::string html = testing::some_html(draw);
    const std::string text = testing::rewritten(
        html, [&](const Passage& passage) { return some_translation(passage, draw); });
    std::vector<std::string> before = tags_of(html), after = tags_of(text);
    std::ranges::sort(before);
    std::ranges::sort(after);
    EXPECT_EQ(before, after) << html << "\n" << text;
    const std::string capitals = in_capitals(html);
    EXPECT_EQ(tags_of(capitals), tags_of(html)) << html << "\n" << capitals;
  });
}

/// A text said n times.
std::string repeated(const std::string& text, std::size_t n) {
  std::string all;
  while (n-- > 0) all += text;
  return all;
}

/// Whether a document is done in a time that only one quadratic in its size exceeds.
void expect_quick(const std::string& html) {
  const auto begin = std::chrono::steady_clock::now();
  in_capitals(html);
  testing::rewritten(html, [](const Passage&) { return LineTranslation{"w"}; });
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(20))
      << html.substr(0, 40);
}

// covers SV12
TEST(HtmlDocument, TakesTimeThatGrowsWithItsSizeAlone) {
  constexpr std::size_t kMegabyte = 1 << 20;
  for (const std::string bit : {"<b>",
                                "<div>",
                                "<a x='",
                                "<",
                                "</",
                                "<!--",
                                "<!-->",
                                "--",
                                "<script>",
                                "</p>",
                                "<p>",
                                "&",
                                "&amp",
                                "&#1",
                                "<a =",
                                "<svg><p>",
                                "<svg><desc>",
                                "<table><td>",
                                "<script><!--<script",
                                "</script",
                                "<b>a ",
                                "a <img> ",
                                "<li><b>a",
                                "<button><p>",
                                "<p translate=no>a",
                                "<b><div></b>",
                                "<![CDATA[",
                                "<title>a"})
    expect_quick(repeated(bit, kMegabyte / bit.size()));
}

// covers SV12
TEST(HtmlDocument, TakesAHundredThousandLevelsInItsStride) {
  constexpr std::size_t kLevels = 100000;
  for (const auto& [before, opens, closes] : std::vector<std::array<std::string, 3>>{
           {"", "<div>", "</div>"},
           {"", "<div><b>", "</div>"},
           {repeated("<div>", kLevels), "<b class=1>", "</div>"},
           {repeated("<b>", kLevels) + "<div>", "<i>", "</b>"},
           {"<p><button>" + repeated("<span>", kLevels), "<div>", "</div>"},
           {repeated("<span>", kLevels), "<x>", "</y>"},
           {repeated("<svg><desc>", kLevels), "<g>", "</svg>"}})
    expect_quick(before + repeated(opens, kLevels) + " a " + repeated(closes, kLevels));
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
