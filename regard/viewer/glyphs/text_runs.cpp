#include "regard/viewer/glyphs/text_runs.h"

#include <fribidi.h>
#include <hb.h>

#include <algorithm>
#include <iterator>
#include <span>

#include "regard/base/check.h"
#include "regard/viewer/text.h"

namespace regard {
namespace {

// HarfBuzz takes time that grows with the square of a run of marks; no figure has a longer line.
constexpr std::size_t kLongest = 512;

using Letters = std::span<const std::uint32_t>;

std::vector<FriBidiLevel> levels_of(Letters letters) {
  const auto count = static_cast<FriBidiStrIndex>(letters.size());
  std::vector<FriBidiCharType> kinds(letters.size());
  std::vector<FriBidiBracketType> brackets(letters.size());
  std::vector<FriBidiLevel> levels(letters.size());
  fribidi_get_bidi_types(letters.data(), count, kinds.data());
  fribidi_get_bracket_types(letters.data(), count, kinds.data(), brackets.data());
  FriBidiParType direction = FRIBIDI_PAR_ON;
  if (fribidi_get_par_embedding_levels_ex(kinds.data(), brackets.data(), count, &direction,
                                          levels.data()) == 0)
    fail(Fault::device, "font: no memory to order ", letters.size(), " letters");
  return levels;
}

bool has_script(hb_script_t script) {
  return script != HB_SCRIPT_COMMON && script != HB_SCRIPT_INHERITED;
}

/// What belongs to no script (spaces, digits, marks) has that of the letter before it, or at the
/// start that of the first letter that has one.
std::vector<hb_script_t> scripts_of(Letters letters) {
  std::vector<hb_script_t> scripts;
  for (const std::uint32_t letter : letters)
    scripts.push_back(hb_unicode_script(hb_unicode_funcs_get_default(), letter));
  const auto first = std::ranges::find_if(scripts, has_script);
  if (first == scripts.end()) return scripts;
  hb_script_t before = *first;
  for (hb_script_t& script : scripts) before = script = has_script(script) ? script : before;
  return scripts;
}

/// Chinese, Japanese and Korean share characters whose forms differ. Letters that only one of them
/// has tell which it is; where there are none it is taken for Chinese.
std::string_view language_of(const std::vector<hb_script_t>& scripts) {
  for (const hb_script_t script : scripts) {
    if (script == HB_SCRIPT_HIRAGANA || script == HB_SCRIPT_KATAKANA) return "ja";
    if (script == HB_SCRIPT_HANGUL) return "ko";
    if (script == HB_SCRIPT_BOPOMOFO) return "zh-Hant";
  }
  return "zh-Hans";
}

std::vector<Typeface*> typefaces_of(std::string_view text, Letters letters, bool bold,
                                    Typefaces& typefaces) {
  std::vector<Typeface*> chosen;
  for (const std::string_view character : characters(text)) {
    const Letters parts = letters.subspan(chosen.size(), code_points(character).size());
    Typeface* const whole = typefaces.drawing(parts, bold);
    for (std::size_t i = 0; i < parts.size(); ++i)
      chosen.push_back(whole ? whole : typefaces.drawing(parts.subspan(i, 1), bold));
  }
  return chosen;
}

/// Rule L2: from the highest level down, what is at it or above is turned round.
void put_in_visual_order(std::vector<TextRun>& runs) {
  int highest = 0;
  for (const TextRun& run : runs) highest = std::max(highest, run.level);
  for (int level = highest; level > 0; --level) {
    const auto within = [&](const TextRun& run) { return run.level >= level; };
    for (auto first = runs.begin(); first != runs.end();) {
      first = std::find_if(first, runs.end(), within);
      const auto last = std::find_if_not(first, runs.end(), within);
      std::reverse(first, last);
      first = last;
    }
  }
}

}  // namespace

TextRuns text_runs(std::string_view text, bool bold, Typefaces& typefaces) {
  TextRuns line;
  std::ranges::copy(code_points(text), std::back_inserter(line.letters));
  if (line.letters.empty()) return line;
  const std::vector<FriBidiLevel> levels = levels_of(line.letters);
  const std::vector<hb_script_t> scripts = scripts_of(line.letters);
  const std::vector<Typeface*> faces = typefaces_of(text, line.letters, bold, typefaces);
  const std::string_view han = language_of(scripts);
  for (std::size_t i = 0; i < line.letters.size(); ++i) {
    const TextRun* last = line.runs.empty() ? nullptr : &line.runs.back();
    const bool goes_on = last && last->level == levels[i] && last->script == scripts[i] &&
                         last->typeface == faces[i] && i - last->begin < kLongest;
    if (!goes_on)
      line.runs.push_back({.begin = i,
                           .level = levels[i],
                           .script = scripts[i],
                           .language = scripts[i] == HB_SCRIPT_HAN ? han : "",
                           .typeface = faces[i]});
    line.runs.back().end = i + 1;
  }
  put_in_visual_order(line.runs);
  return line;
}

}  // namespace regard
