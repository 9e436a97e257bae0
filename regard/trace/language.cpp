#include "regard/trace/language.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace regard {
namespace {

constexpr std::pair<std::string_view, std::string_view> kLanguages[]{
    {"af", "Afrikaans"},  {"ar", "Arabic"},     {"az", "Azerbaijani"}, {"be", "Belarusian"},
    {"bg", "Bulgarian"},  {"bn", "Bengali"},    {"bs", "Bosnian"},     {"ca", "Catalan"},
    {"cs", "Czech"},      {"cy", "Welsh"},      {"da", "Danish"},      {"de", "German"},
    {"el", "Greek"},      {"en", "English"},    {"eo", "Esperanto"},   {"es", "Spanish"},
    {"et", "Estonian"},   {"eu", "Basque"},     {"fa", "Persian"},     {"fi", "Finnish"},
    {"fr", "French"},     {"ga", "Irish"},      {"gl", "Galician"},    {"gu", "Gujarati"},
    {"he", "Hebrew"},     {"hi", "Hindi"},      {"hr", "Croatian"},    {"hu", "Hungarian"},
    {"hy", "Armenian"},   {"id", "Indonesian"}, {"is", "Icelandic"},   {"it", "Italian"},
    {"ja", "Japanese"},   {"ka", "Georgian"},   {"kk", "Kazakh"},      {"km", "Khmer"},
    {"ko", "Korean"},     {"la", "Latin"},      {"lt", "Lithuanian"},  {"lv", "Latvian"},
    {"mk", "Macedonian"}, {"ms", "Malay"},      {"mt", "Maltese"},     {"my", "Burmese"},
    {"nb", "Norwegian"},  {"ne", "Nepali"},     {"nl", "Dutch"},       {"no", "Norwegian"},
    {"pl", "Polish"},     {"pt", "Portuguese"}, {"ro", "Romanian"},    {"ru", "Russian"},
    {"sk", "Slovak"},     {"sl", "Slovenian"},  {"sq", "Albanian"},    {"sr", "Serbian"},
    {"sv", "Swedish"},    {"sw", "Swahili"},    {"ta", "Tamil"},       {"te", "Telugu"},
    {"th", "Thai"},       {"tl", "Tagalog"},    {"tr", "Turkish"},     {"uk", "Ukrainian"},
    {"ur", "Urdu"},       {"uz", "Uzbek"},      {"vi", "Vietnamese"},  {"zh", "Chinese"},
};

}  // namespace

std::string language_name(std::string_view code) {
  std::string plain(code.substr(0, code.find_first_of("-_")));
  for (char& c : plain)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  const auto known = std::ranges::find(kLanguages, std::string_view(plain),
                                       &std::pair<std::string_view, std::string_view>::first);
  return std::string(known == std::end(kLanguages) ? code : known->second);
}

}  // namespace regard
