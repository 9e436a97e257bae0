#include "regard/image/scenes/caption.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "regard/base/check.h"
#include "regard/image/scenes/corpus.h"
#include "regard/image/scenes/split.h"
#include "said.h"

namespace regard::scenes {
namespace {

using testing::said;

/// Contents of all splits.
std::vector<Content> contents(Index count) {
  std::vector<Content> all;
  for (const Split split : {Split::train, Split::valid, Split::test})
    for (Index i = 0; i < count; ++i) all.push_back(scene({.split = split, .seed = 5}, i).content);
  return all;
}

Content one(std::string_view shape, std::string_view colour, Size size) {
  Content content;
  const auto found = std::ranges::find(shapes(), shape, &Shape::english);
  EXPECT_NE(found, shapes().end()) << shape;
  std::size_t i = 0;
  while (i < colours().size() && colours()[i].word.english != colour) ++i;
  content.objects = {{static_cast<std::size_t>(found - shapes().begin()), i, size}};
  return content;
}

TEST(SceneCaptions, SayWhatIsToBeSaid) {
  Content content = one("circle", "red", Size::small);
  EXPECT_EQ(caption(content, "en").text, "There is a small red circle in the middle.");
  EXPECT_EQ(caption(content, "fr").text, "Il y a un petit cercle rouge au milieu.");
  content.arrangement = Arrangement::beside;
  content.direction = Direction::left;
  content.objects.push_back(one("star", "blue", Size::large).objects[0]);
  EXPECT_EQ(caption(content, "en").text, "A small red circle is to the left of a large blue star.");
  EXPECT_EQ(caption(content, "fr").text,
            "Un petit cercle rouge est à gauche d'une grande étoile bleue.");
  content.direction = Direction::below;
  EXPECT_EQ(caption(content, "en").text, "A small red circle is below a large blue star.");
  EXPECT_EQ(caption(content, "fr").text,
            "Un petit cercle rouge est en dessous d'une grande étoile bleue.");
  content.objects.push_back(one("heart", "green", Size::large).objects[0]);
  content.arrangement = Arrangement::between;
  EXPECT_EQ(caption(content, "en").text,
            "A small red circle is between a large blue star and a large green heart.");
  EXPECT_EQ(caption(content, "fr").text,
            "Un petit cercle rouge est entre une grande étoile bleue et un grand cœur vert.");
  content.arrangement = Arrangement::corner;
  content.direction = Direction::right;
  content.second = Direction::above;
  EXPECT_EQ(
      caption(content, "en").text,
      "A small red circle is to the right of a large blue star and above a large green heart.");
  EXPECT_EQ(caption(content, "fr").text,
            "Un petit cercle rouge est à droite d'une grande étoile bleue et au-dessus d'un grand "
            "cœur vert.");
  content.arrangement = Arrangement::together;
  EXPECT_EQ(caption(content, "en").text,
            "A small red circle and a large blue star are to the right of a large green heart.");
  EXPECT_EQ(caption(content, "fr").text,
            "Un petit cercle rouge et une grande étoile bleue sont à droite d'un grand cœur vert.");
}

// Every adjective with every noun, against a table that knows no rule.
TEST(SceneCaptions, FrenchAgrees) {
  const std::map<std::string, std::pair<std::string, bool>> nouns{
      {"circle", {"cercle", false}},     {"square", {"carré", false}},
      {"triangle", {"triangle", false}}, {"heart", {"cœur", false}},
      {"ring", {"anneau", false}},       {"star", {"étoile", true}},
      {"cross", {"croix", true}},        {"moon", {"lune", true}}};
  const std::map<std::string, std::pair<std::string, std::string>> adjectives{
      {"red", {"rouge", "rouge"}},    {"orange", {"orange", "orange"}},
      {"yellow", {"jaune", "jaune"}}, {"green", {"vert", "verte"}},
      {"blue", {"bleu", "bleue"}},    {"purple", {"violet", "violette"}},
      {"pink", {"rose", "rose"}},     {"black", {"noir", "noire"}}};
  int checked = 0;
  for (const auto& [shape, noun] : nouns)
    for (const auto& [colour, forms] : adjectives)
      for (const Size size : {Size::small, Size::large}) {
        const bool feminine = noun.second, small = size == Size::small;
        const std::string expected =
            std::string("Il y a ") + (feminine ? "une " : "un ") +
            (small ? (feminine ? "petite " : "petit ") : (feminine ? "grande " : "grand ")) +
            noun.first + " " + (feminine ? forms.second : forms.first) + " au milieu.";
        EXPECT_EQ(caption(one(shape, colour, size), "fr").text, expected);
        ++checked;
      }
  EXPECT_EQ(checked, static_cast<int>(shapes().size() * colours().size() * 2));
}

TEST(SceneCaptions, AContentHasOneCaptionAndACaptionOneContent) {
  for (const std::string_view language : languages()) {
    std::map<std::string, Content> known;
    int repeated = 0;
    for (const Content& content : contents(6000)) {
      const auto [entry, added] = known.emplace(caption(content, language).text, content);
      repeated += !added;
      Content found = entry->second;
      // Of what is not said of an arrangement, nothing follows.
      if (content.arrangement == Arrangement::between) found.direction = content.direction;
      if (content.arrangement != Arrangement::corner) found.second = content.second;
      ASSERT_EQ(found, content) << entry->first;
    }
    EXPECT_GT(repeated, 500);
    EXPECT_GT(known.size(), 5000u);
  }
}

TEST(SceneCaptions, WordsThatNameAnObjectAreItsOwn) {
  for (const Content& content : contents(1000))
    for (const std::string_view language : languages()) {
      const Caption said = caption(content, language);
      ASSERT_EQ(said.words.size(), 3 * content.objects.size()) << said.text;
      std::vector<std::multiset<std::string>> named(content.objects.size());
      std::size_t end = 0;
      for (const NamingWord& word : said.words) {
        ASSERT_GT(word.begin, end);  // in order, and never the first word
        end = word.end;
        ASSERT_LT(word.object, named.size());
        named[word.object].insert(said.text.substr(word.begin, word.end - word.begin));
        EXPECT_EQ(said.text[word.begin - 1], ' ');
        EXPECT_TRUE(said.text[word.end] == ' ' || said.text[word.end] == '.');
      }
      for (std::size_t i = 0; i < named.size(); ++i) {
        const Content::Object& object = content.objects[i];
        const Shape& shape = shapes()[object.shape];
        const auto form = [&](const Adjective& adjective) {
          return std::string(language == "en" ? adjective.english
                             : shape.feminine ? adjective.feminine
                                              : adjective.masculine);
        };
        EXPECT_EQ(named[i], (std::multiset<std::string>{
                                form(word(object.size)), form(colours()[object.colour].word),
                                std::string(language == "en" ? shape.english : shape.french)}))
            << said.text;
      }
    }
}

TEST(SceneCaptions, AreRefusedInAnotherLanguage) {
  try {
    caption(one("star", "red", Size::small), "de");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.fault, Fault::usage);
    EXPECT_NE(std::string(error.what()).find("en, fr"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace regard::scenes
