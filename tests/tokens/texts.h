#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tests/support/law.h"

namespace regard::testing {

/// Bits of text that go wrong somewhere: marks, joiners, other scripts, specials, broken UTF-8.
inline const std::vector<std::string>& awkward_bits() {
  using std::string_literals::operator""s;
  static const std::vector<std::string> bits = {"a",
                                                "e",
                                                "the",
                                                "cat",
                                                "I'm",
                                                " ",
                                                " ",
                                                "  ",
                                                "\t",
                                                "\n",
                                                "\r\n",
                                                "\0"s,
                                                "\x1b",
                                                "\x7f",
                                                ".",
                                                "?",
                                                "é",
                                                "e\u0301",
                                                "\u0301",
                                                "\u0323",
                                                "Å",
                                                "\u212B",
                                                "ß",
                                                "İ",
                                                "ﬁ",
                                                "\u00A0",
                                                "\u202F",
                                                "\u3000",
                                                "\u2028",
                                                "\u200B",
                                                "\u200D",
                                                "\uFEFF",
                                                "\U0001F600",
                                                "\U0001F468\u200D\U0001F469\u200D\U0001F467",
                                                "\U0001F1EB\U0001F1F7",
                                                "你好",
                                                "世界",
                                                "한국",
                                                "\u1112\u1161\u11AB",
                                                "שלום",
                                                "مرحبا",
                                                "\u202E",
                                                "\u2581",
                                                "\u203F",
                                                "'",
                                                "-",
                                                "\u2585",
                                                "\u2047",
                                                "\uFFFD",
                                                "\uFFFF",
                                                "\U0010FFFF",
                                                "<pad>",
                                                "<s>",
                                                "</s>",
                                                "<unk>",
                                                "<bos>",
                                                "<eos>",
                                                "<0x41>",
                                                ">>fra<<",
                                                "\xff",
                                                "\xc0\xaf",
                                                "\xe2\x96",
                                                "\xed\xa0\x80",
                                                "\xf4\x90\x80\x80",
                                                "\x80"};
  return bits;
}

/// Awkward bits in any order.
inline std::string awkward_text(Draw& draw) {
  const auto& bits = awkward_bits();
  std::string text;
  for (auto n = draw.integer(0, 30); n > 0; --n)
    text +=
        bits[static_cast<std::size_t>(draw.integer(0, static_cast<std::int64_t>(bits.size()) - 1))];
  return text;
}

/// A few sentences to learn from.
inline std::vector<std::string> sentences() {
  return {"the cat sat on the mat .",     "the dog sat on the cat .", "I'm home .",
          "a black cat is not a dog .",   "the cats are black .",     "où est le chat noir ?",
          "le chat noir est à la maison", "je suis chez moi .",       "the house is black .",
          "a cat and a dog in the house", "I'm not at home , am I ?", "l'été est fini !"};
}

}  // namespace regard::testing
