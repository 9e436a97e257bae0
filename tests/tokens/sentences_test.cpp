#include "regard/tokens/sentences.h"

#include <gtest/gtest.h>

#include <chrono>

#include "regard/tokens/normalise.h"
#include "tests/tokens/texts.h"

namespace regard {
namespace {

using testing::Draw;
using testing::law;

/// The sentences of a text with '|' between them.
std::string cut(std::string_view text, Newlines newlines = Newlines::end_sentences) {
  std::string shown;
  for (const SentenceRange& range : split_sentences(text, newlines))
    shown.append(shown.empty() ? "" : "|").append(range.of(text));
  return shown;
}

/// What '|' marks in an example is where it is cut; spaces around it belong to the text.
void expect_cuts(const std::vector<std::string>& examples) {
  for (const std::string& example : examples) {
    std::string text, expected;
    for (const char c : example)
      if (c != '|') text += c;
    for (std::size_t begin = 0; begin <= example.size();) {
      const std::size_t end = std::min(example.find('|', begin), example.size());
      std::string part = example.substr(begin, end - begin);
      part.erase(0, part.find_first_not_of(' '));
      part.erase(part.find_last_not_of(' ') + 1);
      expected.append(expected.empty() ? "" : "|").append(part);
      begin = end + 1;
    }
    EXPECT_EQ(cut(text), expected);
  }
}

TEST(Sentences, English) {
  expect_cuts({
      "The cat sleeps. | The dog barks!  | Who is there? | Nobody.",
      "Mr. Smith met Dr. Jones and Mrs. Hill at St. Mary's. | They left.",
      "Prices rose, e.g. in the U.S. and the U.K. economies, i.e. everywhere. | Why?",
      "He moved to the U.S. | He likes it there.",
      "I live in the U.S. | I like it. | I left the U.K. | I'm here.",
      "J.K. I. Newton stays whole.",
      "The U.S. Army and Apple Inc. Chairman Jobs met. | It rained.",
      "D. E. Knuth and J. R. R. Tolkien never met. | Or did they?",
      "Pi is about 3.14. | See www.example.com for more. | Version 2.0.1 is out.",
      "It begins at 5 p.m. | Bring food, drinks, etc. | Everyone is welcome.",
      "It begins at 5 p.m. on Monday.",
      "See Fig. 3 and No. 5 in vol. 2. | He said no. | Then he left.",
      "He was born on Jan. 5. | She was born in 1999. | They met.",
      "1. Install it. | 2. Run it.",
      "He is 5. | She is 7.",
      "See paragraph 4. | I agree. | This is a DVD. | Good.",
      "Wait... what? | Wait... | What? | And then… nothing. | Or . . . maybe.",
      "“Go!” he said. | “Why?” | “Because.” | She left.",
      "\"Stop!\" he cried. | \"Now.\" | He ran.",
      "(He left.) | She stayed [for a while]. | It rained.[12] | It stopped.",
      "Really?! | No!!! | Yes.",
      "World War II. | The end. | There is a plan B. | It works.",
      "He uses .NET. | It is fine.",
      "No stop at all",
      "A Ph.D. student",
      "John F. Kennedy Jr. died. | Jr. means junior.",
      "Is it 5 vs. 7? | Yes, approx. five.",
  });
}

TEST(Sentences, LowerCaseAndTokenisedText) {
  expect_cuts({
      "the cat sleeps . | the dog sleeps . | where is it ? | there !",
      "i went home. | it was late. | mr. smith came, e.g. by car. | ok",
      "he said \" go home . \" the cat sleeps .",
      "He said \" Go home . \" | The cat sleeps .",
      "Yahoo! is a company. | It is old.",
      "The cat sleeps . | the dog sleeps .",
  });
}

TEST(Sentences, FrenchGermanAndOthers) {
  expect_cuts({
      "M. Dupont et Mme Martin dorment. | Où est M.\u00A0Petit ? | Il est là.",
      "M. Le Goff arrive. | Vraiment ? demanda-t-il. | Oui !",
      "Il dit : « Oui. » | Elle part. | « Non. » | Fin.",
      "Elle habite rue St. Michel, c.-à-d. loin. | Mlle Roy aussi.",
      "Am 5. Mai kam Hr. Müller, z.B. mit Dr. Klein bzw. Prof. Groß. | Er blieb.",
      "Das gilt z. B. für Äpfel, Birnen usw. | Der Rest ist egal.",
      "»Ja.« | »Nein«, sagte er. | „Gut.“ | Ende.",
      "Ludwig XIV. war König. | Dipl.-Ing. Maier auch.",
      "¿Qué hora es? | ¡Son las tres! | El Sr. García y la Sra. López salen.",
      "Il Sig. Rossi e il Dott. Bianchi parlano. | Va bene.",
      "Dhr. Jansen komt, d.w.z. morgen. | Mooi zo.",
  });
}

TEST(Sentences, OtherScripts) {
  expect_cuts({
      "Он пришёл. | Она ушла, т.е. уехала в г. Москву. | А. С. Пушкин писал стихи. | Да?",
      "Τι κάνεις; | Είμαι καλά. | Μήλα, π.χ. κόκκινα. | Ναι!",
      "كيف حالك؟ | أنا بخير. | شكرا!",
      "یہ کیا ہے؟ | یہ کتاب ہے۔ | اچھا۔",
      "यह क्या है? | यह किताब है। | डॉ. शर्मा आए। | ठीक है॥",
      "今日は晴れです。|明日は雨でしょう！|本当？|「はい。」と彼は言った。|「はい。」|「いいえ。」",
      "你好。|你是谁？|他说：“走吧。”然后走了。|“好。”|“不。” | ３．１４是圆周率。|完",
      "안녕하세요. | 저는 학생입니다. | 정말요?",
      "Բարեւ։ | Ինչպես ես։",
      "สวัสดีครับ ผมชื่อสมชาย",
      "ဟယ်လို။|နေကောင်းလား။",
      "ሰላም።| እንዴት ነህ፧",
      "שלום. | מה שלומך? | טוב.",
      "გამარჯობა. | როგორ ხარ?",
  });
}

TEST(Sentences, LineBreaksEndThemOrAreSpaces) {
  EXPECT_EQ(cut("a title\n\n  First line\r\nsecond.  Third"), "a title|First line|second.|Third");
  EXPECT_EQ(cut("One line\nof two. Next\none.", Newlines::are_spaces),
            "One line\nof two.|Next\none.");
  EXPECT_EQ(cut("One line\nof two. Next\none."), "One line|of two.|Next|one.");
  EXPECT_EQ(cut(" \n\t "), "");
  EXPECT_EQ(cut(""), "");
}

/// Pieces of which sentences, and no sentences, are made.
std::string some_text(Draw& draw) {
  static const std::vector<std::string> bits{
      "The",    "cat",    " ",    " ",   " ",  " ",  "\n", ".",  ".",    "!",  "?",    "…",
      "Mr.",    "U.S",    "e.g.", "I",   "z",  "B",  "5",  "12", "1999", "(",  ")",    "[1]",
      "\"",     "“",      "”",    "«",   "»",  "'",  "-",  "—",  "。",   "？", "「",   "」",
      "．",     "।",      "؟",    "日",  "本", "α",  ";",  "Я",  "т.е",  "é",  "\xFF", "\xE3\x80",
      "\u00A0", "\u2028", "\t",   "etc", "He", "II", "No", "¿",  "😀"};
  if (draw.integer(0, 3) == 0) return testing::awkward_text(draw);
  std::string text;
  for (auto n = draw.integer(0, 40); n > 0; --n)
    text +=
        bits[static_cast<std::size_t>(draw.integer(0, static_cast<std::int64_t>(bits.size()) - 1))];
  return text;
}

bool only_space(std::string_view text) {
  while (!text.empty()) {
    const Character c = first_character(text);
    if (!is_space(c.code)) return false;
    text.remove_prefix(c.size);
  }
  return true;
}

TEST(Sentences, RangesAndGapsAreTheText) {
  law("sentences and white space are the text", 3000, [](Draw& draw) {
    const std::string text = some_text(draw);
    for (const Newlines newlines : {Newlines::end_sentences, Newlines::are_spaces}) {
      std::size_t at = 0;
      for (const SentenceRange& range : split_sentences(text, newlines)) {
        ASSERT_LE(at, range.start);
        ASSERT_LT(range.start, range.end);
        ASSERT_LE(range.end, text.size());
        EXPECT_TRUE(only_space(std::string_view(text).substr(at, range.start - at)));
        const std::string own(range.of(text));
        EXPECT_FALSE(only_space(own.substr(0, first_character(own).size)));
        EXPECT_EQ(split_sentences(own, newlines).size(), 1u) << own;
        at = range.end;
      }
      EXPECT_TRUE(only_space(std::string_view(text).substr(at)));
    }
  });
}

TEST(Sentences, NeverCutsACharacter) {
  law("valid text gives valid sentences", 2000, [](Draw& draw) {
    const std::string text = some_text(draw);
    if (!valid_utf8(text)) return;
    for (const SentenceRange& range : split_sentences(text))
      EXPECT_TRUE(valid_utf8(range.of(text)));
  });
}

TEST(Sentences, TakesTimeInProportion) {
  const auto start = std::chrono::steady_clock::now();
  for (const std::string bit :
       {". ", "a. ", "\" ", ".", "(", ". (", "A.", "5. ", "。」", " \u00BB", "a. - "}) {
    std::string text;
    while (text.size() < 400'000) text += bit;
    split_sentences(text);
    split_sentences(std::string(text.size(), ' ') + text);
  }
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(20));
}

TEST(Sentences, SpaceIsAddedWhereScriptsNeedIt) {
  EXPECT_TRUE(needs_space("Today.", "Tomorrow."));
  EXPECT_FALSE(needs_space("今日。", "明日。"));
  EXPECT_FALSE(needs_space("Today. ", "Tomorrow."));
  EXPECT_FALSE(needs_space("", "Tomorrow."));
  EXPECT_FALSE(needs_space("Today.", ""));
  EXPECT_FALSE(needs_space("今日。", "Tomorrow."));
}

}  // namespace
}  // namespace regard
