#include "regard/batch/po.h"

#include "tests/batch/batch_testing.h"
#include "tests/support/law.h"

namespace regard {
namespace {

using namespace std::string_literals;
using testing::Draw;
using testing::expect_fault;
using testing::law;
using Dropped = std::map<std::string, Index>;

class Po : public testing::InFolder {
 protected:
  std::vector<Pair> read_po_text(const std::string& text) {
    // A message that is always good, so that a corpus is left.
    return read({write("x.po", text + "\n\nmsgid \"end\"\nmsgstr \"fin\"\n")});
  }
  /// The reason why the text, which is one bad message, is dropped, as "line: reason".
  std::string complaint_about(const std::string& text) {
    EXPECT_EQ(read_po_text(text), (std::vector<Pair>{{"end", "fin"}})) << text;
    EXPECT_EQ(report_.read, 2) << text;
    return report_.first_errors.empty() ? "none"
                                        : report_.first_errors[0].substr(path("x.po").size() + 1);
  }
};

TEST_F(Po, GivesItsMessagesOnOneLineEach) {
  const std::vector<Pair> expected = {{"Open file", "Ouvrir le fichier"},
                                      {"tab \"x\" \\ caf\xC3\xA9", "y z A"},
                                      {"same", "a"},
                                      {"same", "b"},
                                      {"end", "fin"}};
  EXPECT_EQ(read_po_text(R"(# a comment
msgid ""
msgstr ""
"Project-Id-Version: x\n"
"Content-Type: text/plain; charset=UTF-8\n"

#: source.c:12
#, c-format
msgid ""
"Open "
"file\n"
msgstr "Ouvrir le fichier\n"
msgid "tab\t\"x\" \\ caf\303\251"
msgstr "y\r\n z \x41"
msgctxt "menu"
msgid "same"
msgstr "a"
#| msgid "old"
msgctxt "window"
msgid "same"
msgstr "b"
)"),
            expected);
  EXPECT_TRUE(report_.dropped.empty());
}

TEST_F(Po, GivesSingularAndPlural) {
  const std::vector<Pair> expected = {{"a file", "1 plik"},
                                      {"%d files", "%d plik\xC3\xB3w"},
                                      {"%d days", "%d nichi"},
                                      {"end", "fin"}};
  EXPECT_EQ(read_po_text("msgid \"a file\"\nmsgid_plural \"%d files\"\nmsgstr[0] \"1 plik\"\n"
                         "msgstr[1] \"%d pliki\"\nmsgstr[2] \"%d plik\xC3\xB3w\"\n"
                         "msgid \"a day\"\nmsgid_plural \"%d days\"\nmsgstr[0] \"%d nichi\"\n"),
            expected);
}

TEST_F(Po, LeavesOutWhatIsNoTranslation) {  // covers CO9
  EXPECT_EQ(read_po_text("#, fuzzy, c-format\nmsgid \"a\"\nmsgstr \"b\"\n\n"
                         "#, fuzzy\n#~ msgid \"old\"\n#~ msgstr \"vieux\"\n\n"
                         "msgid \"live\"\nmsgstr \"vif\"\n\n"
                         "msgid \"c\"\nmsgstr \"\"\n\n"
                         "msgid \"end\"\nmsgstr \"first\"\n"),
            (std::vector<Pair>{{"live", "vif"}, {"end", "first"}}));
  EXPECT_EQ(report_.dropped, (Dropped{{"fuzzy message", 1},
                                      {"obsolete message", 1},
                                      {"untranslated message", 1},
                                      {"repeated message", 1}}));
}

TEST_F(Po, ReportsWhatIsMalformed) {  // covers CO9
  EXPECT_EQ(complaint_about("msgid \"a\nmsgstr \"b\""), "1: string without closing quote");
  EXPECT_EQ(complaint_about("msgid \"a\"\nmsgstr \"b\\\""), "2: string without closing quote");
  EXPECT_EQ(complaint_about("msgid \"a\" x\nmsgstr \"b\""), "1: text after the closing quote");
  EXPECT_EQ(complaint_about("msgid \"a\"\nmsgstr \"\\q\""), "2: bad escape sequence");
  EXPECT_EQ(complaint_about("msgid \"a\"\nmsgstr \"\\400\""), "2: bad escape sequence");
  EXPECT_EQ(complaint_about("msgid \"a\"\nmsgstr \"\\x100\""), "2: bad escape sequence");
  EXPECT_EQ(complaint_about("msgid \"a\"\nmsgstr \"\\x100000041\""), "2: bad escape sequence");
  EXPECT_EQ(complaint_about("msgid \"a\"\nmsgstr \"\\x\""), "2: bad escape sequence");
  EXPECT_EQ(complaint_about("msgid \"a\"\nmsgstr \"x\\0\""), "1: NUL inside the line");
  EXPECT_EQ(complaint_about("msgid \"a\"\nmsgstr \"\\377\""), "1: not valid UTF-8");
  EXPECT_EQ(complaint_about("msgid \"a\"\nmsgstr \"\xFF\""), "2: not valid UTF-8");
  EXPECT_EQ(complaint_about("msgid \"a\"\nmsgid_plural \"b\"\nmsgstr \"c\""),
            "1: msgid_plural without msgstr[n]");
  EXPECT_EQ(complaint_about("msgid \"a\"\nmsgstr[0] \"c\""), "1: msgstr[n] without msgid_plural");
  const std::string plural = "msgid \"a\"\nmsgid_plural \"b\"\n";
  EXPECT_EQ(complaint_about(plural + "msgstr[1000000000] \"c\""), "3: msgstr out of order");
  EXPECT_EQ(complaint_about(plural + "msgstr[4294967296] \"c\""), "3: msgstr out of order");
  EXPECT_EQ(complaint_about(plural + "msgstr[-1] \"c\""), "3: bad index of msgstr[n]");
  EXPECT_EQ(complaint_about("msgid \"a\"\nmsgid \"b\"\nmsgstr \"c\""),
            "2: keyword given twice in one message");
  EXPECT_EQ(complaint_about("msgstr \"b\""), "1: message without msgid");
  EXPECT_EQ(complaint_about("\"b\""), "1: string that belongs to no keyword");
  EXPECT_EQ(complaint_about("hello world"), "1: unknown keyword");
  expect_fault(Fault::input, {"x.po:1", "without msgstr"},
               [&] { read({write("x.po", "msgid \"a\"\n")}); });
}

TEST_F(Po, IsReadAsUtf8Only) {  // covers CO9
  const auto with_charset = [](const std::string& name) {
    return "msgid \"\"\nmsgstr \"Content-Type: text/plain; charset=" + name + "\\n\"\n";
  };
  for (const std::string name : {"UTF-8", "utf8", "us-ascii", "CHARSET"})
    EXPECT_EQ(read_po_text(with_charset(name)).size(), 1u);
  for (const std::string name : {"ISO-8859-1", "UTF-16", ""})
    expect_fault(Fault::input, {"x.po:1:", "expected UTF-8"},
                 [&] { read_po_text(with_charset(name)); });
}

TEST_F(Po, HoldsNoMessageBeyondTheLongestLine) {  // covers CO3
  std::string text = "msgid \"a\"\nmsgstr \"\"\n";
  const std::string line = '"' + std::string(1000, 'x') + "\"\n";
  for (int i = 0; i < 2000; ++i) text += line;
  EXPECT_EQ(complaint_about(text), "1051: message too long");
}

TEST_F(Po, OfAnyTextIsPairsOrAnErrorOfInput) {
  const std::vector<std::string> pieces = {"msgid ",     "msgstr ",    "msgid_plural ",
                                           "msgstr[0] ", "msgstr[1] ", "msgctxt ",
                                           "\"a\"",      "\"b\"",      "\n",
                                           "\n",         "\n\n",       "#, fuzzy\n",
                                           "#~ ",        "\"",         "\\",
                                           "\0"s,        "\\x4",       "x",
                                           "charset=",   "\xFF",       "\r"};
  law("no text breaks the reader", 500, [&](Draw& draw) {
    std::string text;
    for (Index i = draw.integer(0, 40); i > 0; --i)
      text +=
          pieces[static_cast<std::size_t>(draw.integer(0, static_cast<Index>(pieces.size()) - 1))];
    try {
      const std::vector<Pair> pairs = read({write("x.po", text)});
      Index dropped = 0;
      for (const auto& [reason, count] : report_.dropped) dropped += count;
      ASSERT_EQ(report_.read, static_cast<Index>(pairs.size()) + dropped);
    } catch (const Error& error) {
      ASSERT_EQ(error.fault, Fault::input) << error.what();
    }
  });
}

}  // namespace
}  // namespace regard
