#include <gtest/gtest.h>

#include "regard/serve/html/entities.h"
#include "regard/serve/html/scan.h"
#include "tests/serve/html_testing.h"
#include "tests/support/law.h"

namespace regard {
namespace {

using testing::Draw;
using testing::in_capitals;

/// Tokens as "kind:bytes", one after the other.
std::vector<std::string> read(std::string_view html) {
  static const char* const kNames[]{"text", "start", "end", "comment", "doctype", "cut"};
  std::vector<std::string> tokens;
  for (const HtmlToken& token : html_tokens(html))
    tokens.push_back(kNames[static_cast<int>(token.kind)] + (":" + std::string(token.bytes)));
  return tokens;
}

using Tokens = std::vector<std::string>;

// covers SV12
TEST(HtmlTokens, AttributesAreReadAsTheStandardHasIt) {
  for (const std::string tag :
       {"<a title=\n\"a > b\">", "<a title\t=\t'a > b'>", "<a title = \f\"a > b\">",
        "<a title='x'class=\"a > b\">", "<a b=1/ c='>'>", "<a/b='>'/c>", "<a \"b\"='>'>",
        "<a ='x'=\">\">", "<a <b='>'>", "<a\r\nb\r\n=\r\n'>'\r\n>", "<A-1:x\xC3\xA9 b='>'/>"})
    EXPECT_EQ(read(tag + "t"), (Tokens{"start:" + tag, "text:t"}));
  EXPECT_EQ(read("<a b=x'>'>"), (Tokens{"start:<a b=x'>", "text:'>"}));
  EXPECT_EQ(read("<a b=>c>"), (Tokens{"start:<a b=>", "text:c>"}));
  EXPECT_EQ(read("</b title=\">\">c"), (Tokens{"end:</b title=\">\">", "text:c"}));
  const HtmlToken twice = first_token("<a X='1' x=2 y= 3/ z>");
  EXPECT_EQ(twice.value("x"), "1");
  EXPECT_EQ(twice.value("y"), "3/");
  EXPECT_EQ(twice.value("z"), "");
  EXPECT_EQ(twice.attributes.size(), 4u);
  EXPECT_TRUE(first_token("<a b/>").self_closing);
  EXPECT_FALSE(first_token("<a b=c/>").self_closing);
  EXPECT_FALSE(first_token("<a / b>").self_closing);
}

// covers SV12
TEST(HtmlTokens, CommentsAndTheirLikeEndWhereTheStandardHasIt) {
  for (const std::string comment :
       {"<!-->", "<!--->", "<!---->", "<!-- x -->", "<!-- > -- -- --->", "<!-- x --!>", "<!----!>",
        "<!-- <!-- -->", "<!-- <!-->", "<?php '?>", "<?>", "<!x 'y>", "<!>", "</ x>", "</3>", "</>",
        "<![CDATA[ a >", "<!-x>"})
    EXPECT_EQ(read(comment + "a"), (Tokens{"comment:" + comment, "text:a"}));
  EXPECT_EQ(read("<!DocType html PUBLIC \"a>b"),
            (Tokens{"doctype:<!DocType html PUBLIC \"a>", "text:b"}));
  for (const std::string text : {"<", "</", "a < b", "<3", "<=b", "< p>", "a<", "&<", "<\xC3\xA9>"})
    EXPECT_EQ(read(text), Tokens{"text:" + text});
  for (const std::string cut : {"<a", "<a b='>", "<a b", "<a b=", "<a/", "</a ", "<!-- --", "<!--",
                                "<!-", "<!x", "<?", "<!doctype"})
    EXPECT_EQ(read("x" + cut), (Tokens{"text:x", "cut:" + cut}));
}

// covers SV12
TEST(HtmlTokens, ElementsOfTextHoldNoTags) {
  for (const std::string name : {"style", "xmp", "iframe", "noembed", "noframes", "noscript",
                                 "title", "textarea", "script"}) {
    const std::string inside = "a <b title='</" + name + "x'> </ " + name + "> <!-- &lt; </p>";
    for (const std::string& open : {"<" + name + ">", "<" + name + "/>", "<" + name + " src=x/>"})
      for (const std::string& close : {"</" + name + ">", "</" + name + "\n x='>'>"})
        EXPECT_EQ(read(open + inside + close + "<b>"),
                  (Tokens{"start:" + open, "text:" + inside, "end:" + close, "start:<b>"}));
    EXPECT_EQ(read("<" + name + ">a</" + name),
              (Tokens{"start:<" + name + ">", "text:a</" + name}));
    EXPECT_EQ(read("<" + name + "></" + name + " a"),
              (Tokens{"start:<" + name + ">", "cut:</" + name + " a"}));
  }
  EXPECT_EQ(read("<plaintext>a</plaintext><b>"),
            (Tokens{"start:<plaintext>", "text:a</plaintext><b>"}));
}

// covers SV12
TEST(HtmlTokens, AScriptMayHoldAScriptInsideAComment) {
  const auto ends_at = [](const std::string& before, const std::string& after) {
    EXPECT_EQ(read("<script>" + before + "</script>" + after),
              (Tokens{"start:<script>", "text:" + before, "end:</script>", "text:" + after}));
  };
  ends_at("<!-- x", "y");
  ends_at("<!-- <script>x</script> y", "z");
  ends_at("<!-- <script>x</script><SCRIPT\n></script > y", "z");
  ends_at("<!-- <script> -->", "y");
  ends_at("<!--><script>", "y");
  ends_at("<!---><script>", "y");
  ends_at("<!-- <scripts>", "y");
  ends_at("<script>", "y");
}

// covers SV12
TEST(HtmlTokens, SvgAndMathHaveRulesOfTheirOwn) {
  EXPECT_EQ(read("<svg><style><b><style><g>").at(4), "text:<g>") << "HTML again at <b>";
  EXPECT_EQ(read("<svg><style><g></style>").at(2), "start:<g>");
  EXPECT_EQ(read("<svg><![CDATA[ <g> > ]]><g>").at(1), "text:<![CDATA[ <g> > ]]>");
  EXPECT_EQ(read("<svg/><![CDATA[ > ]]>").at(1), "comment:<![CDATA[ >");
  EXPECT_EQ(read("<svg><title><g>").at(2), "start:<g>");
  EXPECT_EQ(read("<svg><foreignObject><title><g>").at(3), "text:<g>");
  EXPECT_EQ(read("<math><mi><style><g>").at(3), "text:<g>");
  EXPECT_EQ(read("<svg><p><style><g>").at(3), "text:<g>");
  EXPECT_EQ(read("<svg><script/><g>").at(2), "start:<g>");
}

// covers SV12
TEST(HtmlTree, KeepsWhatABrowserHasInsideAnElementToKeep) {
  const std::vector<std::pair<std::string, std::string>> cases{
      {"<br class=\"notranslate\">a", "<br class=\"notranslate\">A"},
      {"<img translate=no> a", "<img translate=no> A"},
      {"<p translate = \"no\">a</p>b", "<p translate = \"no\">a</p>B"},
      {"<p translate\n=\nNO>a</p>b", "<p translate\n=\nNO>a</p>B"},
      {"<p translate=yes translate=no>a", "<p translate=yes translate=no>A"},
      {"<p title='translate=no'>a", "<p title='translate=no'>A"},
      {"<p translate=no/>a", "<p translate=no/>A"},
      {"<p class='notranslated'>a", "<p class='notranslated'>A"},
      {"<p class='x\tNoTranslate'>a", "<p class='x\tNoTranslate'>a"},
      {"<p translate=no>a<p>b", "<p translate=no>a<p>B"},
      {"<p translate=no>a<div>b", "<p translate=no>a<div>B"},
      {"<p translate=no>a<span>b</p>c", "<p translate=no>a<span>b</p>C"},
      {"<div><p translate=no>a</div>b", "<div><p translate=no>a</div>B"},
      {"<ul><li translate=no>a<li>b</ul>", "<ul><li translate=no>a<li>B</ul>"},
      {"<ul><li translate=no>a<ul><li>b</ul>c</ul>d",
       "<ul><li translate=no>a<ul><li>b</ul>c</ul>D"},
      {"<dl><dt translate=no>a<dd>b</dl>", "<dl><dt translate=no>a<dd>B</dl>"},
      {"<table><tr><td translate=no>a<td>b<tr><td>c</table>d",
       "<table><tr><td translate=no>a<td>B<tr><td>C</table>D"},
      {"<table><tr translate=no><td>a<td>b<tr><td>c</table>d",
       "<table><tr translate=no><td>a<td>b<tr><td>C</table>D"},
      {"<h1 translate=no>a</h2>b", "<h1 translate=no>a</h2>B"},
      {"<div translate=no><p>a</span></p></p>b</div>c",
       "<div translate=no><p>a</span></p></p>b</div>C"},
      {"<p><b translate=no>a</p>b</b>c", "<p><b translate=no>a</p>b</b>C"},
      {"<b translate=no><p>a</b>b</p>c", "<b translate=no><p>a</b>B</p>C"},
      {"<a translate=no>a<a>b</a>", "<a translate=no>a<a>B</a>"},
      {"<span translate=no>a<div></span>b</div>c</span>d",
       "<span translate=no>a<div></span>b</div>c</span>D"},
      {"<head translate=no><title>a</title></head>b",
       "<head translate=no><title>a</title></head>B"},
      {"<head translate=no><title>a</title>b", "<head translate=no><title>a</title>B"},
      {"<body translate=no>a</body>b", "<body translate=no>a</body>b"},
      {"<p translate=no>a<button><p>b</button></p>c",
       "<p translate=no>a<button><p>b</button></p>C"},
      {"<script/>a</script>b", "<script/>a</script>B"},
      {"<script src=x/>a</script>b", "<script src=x/>a</script>B"},
      {"<code/>a</code>b", "<code/>a</code>B"},
      {"<svg class=x />a", "<svg class=x />A"},
      {"<svg><p>a</svg> b", "<svg><p>A</svg> B"},
      {"<svg><desc><p>a</p></desc></svg>b", "<svg><desc><p>a</p></desc></svg>B"},
      {"<title>a &lt; c</title>d", "<title>A &lt; C</title>D"},
      {"<title>a <b> &lt; c</title>d", "<title>a <b> &lt; c</title>D"},
  };
  for (const auto& [html, expected] : cases) EXPECT_EQ(in_capitals(html), expected) << html;
}

// covers SV12
TEST(HtmlTokens, TileTheSource) {
  testing::law("tiles", 5000, [](Draw& draw) {
    const std::string html = testing::some_html(draw);
    std::string tokens, parts;
    for (const HtmlToken& token : html_tokens(html)) {
      ASSERT_FALSE(token.bytes.empty());
      ASSERT_EQ(token.bytes.data(), html.data() + tokens.size());
      tokens += token.bytes;
    }
    for (const HtmlPart& part : html_parts(html)) parts += part.bytes;
    ASSERT_EQ(tokens, html);
    ASSERT_EQ(parts, html);
  });
}

TEST(Entities, AreReadAsTheStandardHasIt) {
  const std::vector<std::tuple<std::string, std::string, std::size_t>> cases{
      {"&amp;x", "&", 5}, {"&ampx", "&", 4},     {"&notit", "¬", 4},
      {"&notit;", "", 0}, {"&hellip;", "…", 8},  {"&hellip", "", 0},
      {"&#65;", "A", 5},  {"&#65b", "A", 4},     {"&#x41g", "A", 5},
      {"&#X80;", "€", 6}, {"&#0;", "\uFFFD", 4}, {"&#xD800;", "\uFFFD", 8},
      {"&#;", "", 0},     {"&#x;", "", 0},       {"&#99999999999999999999;", "\uFFFD", 23},
      {"&", "", 0},       {"&;", "", 0},         {"& amp;", "", 0},
      {"&times", "×", 6}, {"&timesbar;", "", 0}, {"&#x110000;", "\uFFFD", 10},
  };
  for (const auto& [text, characters, size] : cases) {
    EXPECT_EQ(first_entity(text).characters, characters) << text;
    EXPECT_EQ(first_entity(text).size, size) << text;
  }
  EXPECT_EQ(entity_length("&notit;"), 7u);
  EXPECT_EQ(entity_length("&a b;"), 0u);
}

}  // namespace
}  // namespace regard
