#include "regard/tokens/abbreviations.h"

#include <algorithm>
#include <array>
#include <string>

namespace regard {
namespace {

template <std::size_t N>
constexpr std::array<std::string_view, N> sorted(std::array<std::string_view, N> words) {
  std::ranges::sort(words);
  return words;
}

template <std::size_t N>
bool has(const std::array<std::string_view, N>& words, std::string_view word) {
  return std::ranges::binary_search(words, word);
}

constexpr auto kInside = sorted(std::to_array<std::string_view>(
    {// English
     "Mr", "Mrs", "Ms", "Mx", "Messrs", "Dr", "Drs", "Prof", "Rev", "Hon", "Gen", "Col", "Capt",
     "Lt", "Sgt", "Maj", "Cmdr", "Adm", "Gov", "Sen", "Rep", "Reps", "Sens", "Supt", "St", "Mt",
     "Ft", "mr", "mrs", "ms", "dr", "prof", "st", "vs", "cf", "e.g", "i.e", "viz", "approx", "incl",
     "esp", "resp",
     // German
     "Hr", "Hrn", "Fr", "Frl", "Dipl", "Ing", "z.B", "z.T", "d.h", "u.a", "o.ä", "i.d.R", "u.U",
     "v.a", "s.o", "s.u", "vgl", "bzw", "ca", "evtl", "ggf", "inkl", "exkl", "zzgl", "bspw", "sog",
     "geb", "gest", "einschl", "bzgl", "v.Chr", "n.Chr",
     // French
     "M", "MM", "Mme", "Mmes", "Mlle", "Mlles", "Mgr", "Ste", "c.-à-d", "p.ex", "env", "apr",
     // Spanish, Italian, Portuguese
     "Sr", "Sra", "Srta", "Sres", "Dra", "Dña", "Ud", "Uds", "Vd", "p.ej", "Lic", "Arq", "Profa",
     "Sig", "Sigg", "Sig.ra", "Dott", "Dott.ssa", "Prof.ssa", "Avv", "Egr", "Spett", "p.es", "Exmo",
     "Exma",
     // Dutch, Scandinavian
     "dhr", "mevr", "mw", "drs", "bijv", "d.w.z", "o.a", "m.b.t", "t.ex", "bl.a", "d.v.s", "f.eks",
     "hr",
     // Polish, Czech, Turkish
     "np", "tzw", "ul", "m.in", "inż", "mgr", "např", "tzv", "tj", "Doç", "Sn", "örn", "bkz",
     // Russian, Ukrainian
     "т.е", "т.к", "т.н", "им", "ул", "проф", "акад", "гл", "см", "ср", "напр",
     // Greek, Hindi
     "π.χ", "δηλ", "βλ", "Δρ", "डॉ", "डा", "प्रो"}));

constexpr auto kBeforeNumber = sorted(std::to_array<std::string_view>(
    {"No",  "Nos",  "no",   "nos",  "Nr",  "Nrn",  "nr",   "Fig",  "Figs", "fig",  "figs", "Eq",
     "Eqs", "eq",   "Sec",  "sec",  "Ch",  "ch",   "Chap", "chap", "Vol",  "vol",  "vols", "Art",
     "art", "Abs",  "Abb",  "Kap",  "Bd",  "Tab",  "pp",   "Pos",  "Ziff", "Tel",  "tel",  "núm",
     "pág", "págs", "fasc", "kl",   "str", "Jan",  "Feb",  "Mar",  "Apr",  "Jun",  "Jul",  "Aug",
     "Sep", "Sept", "Oct",  "Nov",  "Dec", "janv", "févr", "avr",  "juil", "sept", "oct",  "nov",
     "déc", "стр",  "рис",  "табл", "ст",  "αρ",   "σελ"}));

constexpr auto kNameEnd = sorted(std::to_array<std::string_view>(
    {"Inc",  "Ltd", "Co", "Corp", "Bros", "Jr",  "al",  "Ph.D", "M.D",   "Esq",
     "Blvd", "Ave", "Rd", "Mio",  "Mrd",  "Tsd", "Std", "Str",  "EE.UU", "Cía"}));

constexpr auto kListEnd = sorted(std::to_array<std::string_view>(
    {"etc", "a.m", "p.m", "A.M", "P.M", "usw", "u.s.w", "ff", "ecc", "osv",  "m.m", "enz",
     "itd", "itp", "atd", "vb",  "т.д", "т.п", "др",    "пр", "κλπ", "κ.λπ", "κ.ά"}));

constexpr auto kStarters = sorted(std::to_array<std::string_view>(
    {// English
     "The", "An", "He", "She", "It", "We", "They", "You", "This", "That", "These", "Those", "There",
     "Here", "In", "On", "At", "But", "And", "So", "If", "When", "While", "What", "Who", "Where",
     "Why", "How", "My", "His", "Her", "Their", "Our", "Your", "Its", "No", "Not", "As", "For",
     "From", "After", "Before", "However", "Then", "Now", "Many", "Some", "Most",
     // German
     "Der", "Die", "Das", "Den", "Dem", "Ein", "Eine", "Er", "Sie", "Es", "Wir", "Ich", "Ihr",
     "Aber", "Und", "Wenn", "Dann", "Dies", "Diese", "Dieser", "Dieses", "Im", "Am", "Auch", "Doch",
     // French
     "Le", "La", "Les", "Un", "Une", "Il", "Elle", "Ils", "Elles", "Nous", "Vous", "Je", "Mais",
     "Et", "Ce", "Cette", "Ces", "On", "Dans",
     // Spanish, Italian, Portuguese
     "El", "Los", "Las", "Una", "Ella", "Ellos", "Pero", "Este", "Esta", "Lo", "Gli", "Ma", "Nel",
     "Os", "Ele", "Ela", "Mas",
     // Russian
     "Он", "Она", "Оно", "Они", "Мы", "Это", "Но", "В", "На", "И"}));

/// "Bzw" as "bzw": a word at the beginning of a sentence.
std::string uncapitalised(std::string_view word) {
  std::string lower(word);
  if (!lower.empty() && lower[0] >= 'A' && lower[0] <= 'Z')
    lower[0] = static_cast<char>(lower[0] - 'A' + 'a');
  return lower;
}

Abbreviation exactly(std::string_view word) {
  if (has(kInside, word)) return Abbreviation::inside;
  if (has(kBeforeNumber, word)) return Abbreviation::before_number;
  if (has(kNameEnd, word)) return Abbreviation::name_end;
  if (has(kListEnd, word)) return Abbreviation::list_end;
  return Abbreviation::none;
}

}  // namespace

Abbreviation abbreviation(std::string_view word) {
  const Abbreviation found = exactly(word);
  return found != Abbreviation::none ? found : exactly(uncapitalised(word));
}

bool begins_sentences(std::string_view word) {
  return has(kStarters, word);
}

}  // namespace regard
