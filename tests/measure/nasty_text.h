#pragma once

#include <string>
#include <vector>

#include "regard/base/real.h"
#include "tests/support/law.h"

namespace regard::testing {

/// What tokenizers, white space and letter case trip over.
inline const std::vector<std::string> kNasty{"the",
                                             "The",
                                             "black",
                                             "cat",
                                             "sat",
                                             "Hat",
                                             "don't",
                                             "l'eau",
                                             "état",
                                             "ÉTAT",
                                             "Straße",
                                             "STRASSE",
                                             "&quot;",
                                             "&amp;",
                                             "&lt;b&gt;",
                                             "&amp;lt;",
                                             "&apos;",
                                             "&",
                                             "<skipped>",
                                             "<skip<skipped>ped>",
                                             "1,000",
                                             "1.5",
                                             "3.",
                                             ".5",
                                             ",",
                                             ".",
                                             "..",
                                             "...",
                                             ".,.",
                                             "5-3",
                                             "5--3",
                                             "a-b",
                                             "-",
                                             "--",
                                             "1-",
                                             "x,y",
                                             "1,x",
                                             "x.1",
                                             "9,.9",
                                             "e.g.",
                                             "\"",
                                             "''",
                                             "(hi)",
                                             "(",
                                             "hi)",
                                             "[x]",
                                             "{y}",
                                             "a/b",
                                             "C++",
                                             "50%",
                                             "$5",
                                             "#1",
                                             "@home",
                                             "a_b",
                                             "`q`",
                                             "^",
                                             "~",
                                             "|",
                                             "\\",
                                             "!",
                                             "?!",
                                             ":",
                                             ";",
                                             "=",
                                             "*",
                                             "«",
                                             "»bien«",
                                             "„Wort“",
                                             "’",
                                             "l’eau",
                                             "–",
                                             "—",
                                             "…",
                                             "¿qué?",
                                             "·",
                                             "€",
                                             "5€",
                                             "£3",
                                             "°C",
                                             "×",
                                             "½",
                                             "²",
                                             "٣",
                                             "٣٫٥",
                                             "५",
                                             "Ⅳ",
                                             "Ⅷ.",
                                             "①",
                                             "中文",
                                             "，",
                                             "。",
                                             "日本語、",
                                             "한국어",
                                             "ไทย",
                                             "हिन्दी",
                                             "。5",
                                             "😀",
                                             "👩‍👩‍👧",
                                             "🇫🇷",
                                             "❤️",
                                             "e\u0301",
                                             "E\u0301",
                                             "a\u0308\u0323",
                                             "\u0301",
                                             "\u200b",
                                             "\u00ad",
                                             "İstanbul",
                                             "ISPARTA",
                                             "ΟΔΟΣ",
                                             "ΟΔΟΣ.",
                                             "Σ",
                                             "ΑΣ'Α",
                                             "ΑΣ:",
                                             "ΑΣ\u0301Β",
                                             "ⒶΣ",
                                             "ªΣ",
                                             "Ǆ",
                                             "ẞ",
                                             "ﬁ",
                                             "Ω",
                                             "Å",
                                             "𐐀",
                                             "𝐀",
                                             "\xef\xbf\xbd",
                                             std::string(1, '\0')};

inline const std::vector<std::string> kGaps{
    " ",      " ",      " ",      " ",      " ",      " ",      "",       "",       "",
    "  ",     "\t",     "\u00a0", "\u202f", "\u3000", "\u2009", "\u2028", "\u0085", "\u1680",
    "\u001c", "\u001f", "\u200b", "\r",     "\v",     "-\n",    "\n",     "\u2007", "\u205f"};

inline const std::string& any(Draw& draw, const std::vector<std::string>& of) {
  return of[static_cast<std::size_t>(draw.integer(0, static_cast<Index>(of.size()) - 1))];
}

/// Fragments in turn: word, gap, word, gap ... ; sometimes none.
inline std::vector<std::string> nasty_fragments(Draw& draw) {
  std::vector<std::string> fragments;
  const Index words = draw.integer(0, 9) == 0 ? draw.integer(0, 2) : draw.integer(3, 20);
  for (Index i = 0; i < words; ++i) {
    fragments.push_back(any(draw, kNasty));
    fragments.push_back(any(draw, kGaps));
  }
  return fragments;
}

inline std::string joined(const std::vector<std::string>& fragments) {
  std::string text;
  for (const std::string& fragment : fragments) text += fragment;
  return text;
}

/// Mostly the same text: some fragments changed, left out or doubled.
inline std::string reworded(const std::vector<std::string>& fragments, Draw& draw) {
  std::string text;
  for (std::size_t i = 0; i < fragments.size(); ++i) {
    const Index what = draw.integer(0, 15);
    if (what == 0) continue;
    if (what == 1)
      text += any(draw, i % 2 == 0 ? kNasty : kGaps);
    else
      text += fragments[i];
    if (what == 2) text += fragments[i];
  }
  return text;
}

}  // namespace regard::testing
