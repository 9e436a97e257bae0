#include "regard/batch/tmx.h"

#include "tests/batch/batch_testing.h"
#include "tests/support/law.h"

namespace regard {
namespace {

using namespace std::string_literals;
using testing::Draw;
using testing::expect_fault;
using testing::gzip;
using testing::law;
using Dropped = std::map<std::string, Index>;

std::string variant(const std::string& language, const std::string& text) {
  return "<tuv xml:lang=\"" + language + "\"><seg>" + text + "</seg></tuv>\n";
}

std::string unit(const std::string& source, const std::string& target) {
  return "<tu>" + variant("en", source) + variant("fr", target) + "</tu>\n";
}

const std::string kHead =
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!DOCTYPE tmx SYSTEM \"tmx14.dtd\">\n"
    "<tmx version=\"1.4\"><header srclang=\"en\"/><body>\n";
const std::string kTail = "</body></tmx>\n";

class Tmx : public testing::InFolder {
 protected:
  std::vector<Pair> read_whole(const std::string& text) { return read({write("x.tmx", text)}); }
  std::vector<Pair> read_units(const std::string& units) {
    return read_whole(kHead + units + kTail);
  }
  /// The whole file must be refused, with a message that holds the part.
  void expect_refused(const std::string& text, const std::string& part) {
    expect_fault(Fault::input, {path("x.tmx") + ":", part}, [&] { read_whole(text); });
  }
};

TEST_F(Tmx, GivesTheTwoLanguagesOfEachUnit) {
  const std::vector<Pair> expected = {{"Tom & Jerry", "caf\xC3\xA9 <3"}, {"two lines", "x"}};
  EXPECT_EQ(read_units(unit("Tom &amp; Jerry", "caf&#233; &lt;3") + unit("two\n  lines ", "x")),
            expected);
  EXPECT_EQ(report_.text(), "read 2 pairs, kept 2");
  expect_fault(Fault::usage, {"--from and --to"}, [&] {
    read_corpus({.paths = {path("x.tmx")}, .from = "en", .to = ""}, {}, report_);
  });
}

TEST_F(Tmx, PicksLanguagesByCodeThenByRegion) {  // covers CO8
  const std::string units = "<tu>" + variant("EN_us", "color") + variant("fr-CA", "char") +
                            variant("de", "Auto") + "</tu><tu>" + variant("en-GB", "colour") +
                            variant("fr", "bagnole") + variant("en", "the one") +
                            variant("fr-CH", "auto") + "</tu><tu>" + variant("eng", "no") +
                            variant("fr", "non") + "</tu>";
  EXPECT_EQ(read_units(units), (std::vector<Pair>{{"color", "char"}, {"the one", "bagnole"}}));
  EXPECT_EQ(report_.dropped, (Dropped{{"unit lacks en", 1}}));
  const CorpusPaths swiss{.paths = {path("x.tmx")}, .from = "en", .to = "fr-CH"};
  EXPECT_EQ(read_corpus(swiss, {}, report_).front(), (Pair{"the one", "auto"}));
}

TEST_F(Tmx, CountsUnitsItCannotUse) {  // covers CO8
  EXPECT_EQ(read_units("<tu>" + variant("en", "alone") + "</tu><tu></tu>" +
                       "<tu><tuv><seg>what</seg></tuv>" + variant("fr", "quoi") + "</tu>" +
                       "<tu><tuv xml:lang='en' lang='de'><seg>old</seg></tuv>" +
                       "<tuv lang='fr'><seg>vieux</seg></tuv>" +
                       "</tu><tu><tuv xml:lang='en'><seg>a</seg><seg>b</seg></tuv>" +
                       variant("fr", "c") + "</tu>" + unit("a &what; b", "c")),
            (std::vector<Pair>{{"old", "vieux"}}));
  EXPECT_EQ(report_.dropped, (Dropped{{"unit lacks fr", 1},
                                      {"unit lacks en", 1},
                                      {"tuv without xml:lang", 1},
                                      {"tuv with two seg", 1},
                                      {"unknown entity", 1}}));
  Filters strict;
  strict.on_bad_line = "stop";
  expect_fault(Fault::input, {path("x.tmx") + ":", "tuv without xml:lang"},
               [&] { read({path("x.tmx")}, strict); });
}

TEST_F(Tmx, LeavesOutNativeCodes) {  // covers CO8
  EXPECT_EQ(read_units(unit("a <bpt i='1'>&lt;b><sub>alt</sub></bpt>bold<ept i='1'>x</ept> <hi>b"
                            "<ph>{1}</ph></hi><it pos='begin'>i</it>!<ut>u</ut>",
                            "c")),
            (std::vector<Pair>{{"a bold b!", "c"}}));
}

TEST_F(Tmx, DeclaresNoEntities) {  // covers CO7
  const auto with_subset = [](const std::string& subset, const std::string& text) {
    return "<?xml version='1.0'?><!DOCTYPE tmx [" + subset + "]><tmx><body>" + unit(text, "b") +
           kTail;
  };
  std::string laughs = "<!ENTITY a 'ha'>";
  for (char c = 'b'; c < 'k'; ++c) {
    laughs += "<!ENTITY "s + c + " '";
    for (int i = 0; i < 10; ++i) laughs += "&"s + static_cast<char>(c - 1) + ";";
    laughs += "'>";
  }
  expect_refused(with_subset(laughs, "&j;"), "an entity is declared");
  expect_refused(with_subset("<!ENTITY a '" + std::string(100'000, 'x') + "'>", "&a;&a;&a;"),
                 "an entity is declared");
  expect_refused(with_subset("<!ENTITY a SYSTEM 'file:///etc/passwd'>", "&a;"),
                 "an entity is declared");
  expect_refused(with_subset("<!ENTITY % a SYSTEM 'http://localhost/x.dtd'> %a;", "x"),
                 "an entity is declared");
  expect_refused("<tmx><body>" + unit("&unknown;", "b") + kTail, "undefined entity");
}

TEST_F(Tmx, NestsAndGrowsWithinLimits) {  // covers CO7
  const auto nested = [](int depth) {
    std::string text = "<tmx>";
    for (int i = 1; i < depth; ++i) text += "<a>";
    return text;
  };
  expect_refused(nested(1'000'000), "nested more than 256 deep");
  expect_refused(nested(256), "no element found");
  std::string attributes = "<tmx";
  for (int i = 0; i < 1'000'000; ++i)
    attributes.append(" a").append(std::to_string(i)).append("=''");
  expect_refused(attributes + "/>", "more than 1 MiB");
  // A file much longer than the longest tag allowed is fine, and so is one long text in it.
  std::string many;
  for (int i = 0; i < 20'000; ++i) many += unit(std::to_string(i), "b");
  EXPECT_EQ(read_units(many).size(), 20'000u);
  EXPECT_EQ(read_units(unit(std::string(3 << 20, 'x'), "b") + unit("a", "b")).size(), 1u);
  EXPECT_EQ(report_.dropped, (Dropped{{"seg too long", 1}}));
}

TEST_F(Tmx, IsNeverHeldWhole) {  // covers CO7
  std::string long_unit = "<tu><note>";
  long_unit.append(1 << 16, 'x').append("</note>");
  long_unit.append(variant("en", "a")).append(variant("fr", "b")).append("</tu>\n");
  const std::string member = gzip(long_unit);
  std::string packed = gzip(kHead);
  for (int i = 0; i < 1024; ++i) packed += member;  // 64 MiB in 300 kB
  packed += gzip(kTail);
  write("x.tmx.gz", packed);
  const auto one_pair = [&] {
    return read({path("x.tmx.gz")}) == std::vector<Pair>{{"a", "b"}} && report_.read == 1024;
  };
  EXPECT_LT(testing::memory_for(one_pair), 16);
}

TEST_F(Tmx, ComesInTheEncodingItNames) {  // covers CO7
  const auto with_encoding = [](const std::string& name, const std::string& text) {
    return "<?xml version='1.0' encoding='" + name + "'?><tmx><body>" + unit("a", text) + kTail;
  };
  const std::vector<Pair> expected = {{"a", "\xC3\xA9"}};
  EXPECT_EQ(read_whole(with_encoding("ISO-8859-1", "\xE9")), expected);
  std::string wide = "\xFF\xFE";
  for (const char c : with_encoding("UTF-16", "\xE9")) (wide += c) += '\0';
  EXPECT_EQ(read_whole(wide), expected);
  expect_refused(with_encoding("klingon", "x"), "unknown encoding");
  expect_refused(with_encoding("UTF-16", "x"), "encoding");
  expect_refused(with_encoding("UTF-8", "\xE9"), "not well-formed");
  expect_refused(kHead + unit("a", "\0"s) + kTail, "not well-formed");
}

TEST_F(Tmx, CutAnywhereIsAnError) {  // covers CO7
  const std::string text = kHead + unit("a", "b") + "</body></tmx>";
  for (std::size_t size = 1; size < text.size(); ++size)
    expect_fault(Fault::input, {path("x.tmx")}, [&] { read_whole(text.substr(0, size)); });
  expect_refused("<html></html>", "not tmx");
  expect_refused("\n<tmx><body><tu></body></tmx>", ":2:");
}

TEST_F(Tmx, DamagedAnywhereIsPairsOrAnErrorOfInput) {  // covers CO7
  const std::string text = kHead + unit("a &amp; <ph>x</ph>b", "c") + unit("d", "e") + kTail;
  law("no byte breaks the reader", 300, [&](Draw& draw) {
    std::string damaged = text;
    for (Index i = draw.integer(1, 4); i > 0; --i)
      damaged[static_cast<std::size_t>(draw.integer(0, static_cast<Index>(text.size()) - 1))] =
          static_cast<char>(draw.integer(0, 255));
    try {
      read_whole(damaged);
      Index dropped = 0;
      for (const auto& [reason, count] : report_.dropped) dropped += count;
      ASSERT_EQ(report_.read, report_.kept + dropped);
    } catch (const Error& error) {
      ASSERT_EQ(error.fault, Fault::input) << error.what();
    }
  });
}

}  // namespace
}  // namespace regard
