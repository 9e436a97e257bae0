#include "regard/batch/builtin/lexicon.h"

namespace regard::builtin {
namespace {

using namespace kind;

constexpr std::uint32_t kColoured = animal | thing | vehicle | surface | opens;
constexpr std::uint32_t kMade = thing | vehicle | surface | opens;
constexpr std::uint32_t kAnything = living | object | big_object | food | place;
constexpr bool before = true;
constexpr bool after = false;
constexpr bool had = true;

// clang-format off
constexpr Adjective kAdjectives[] = {
    // before the noun
    {"big", "grand", "grande", "grands", "grandes", "", before, animal | kMade | place},
    {"small", "petit", "petite", "petits", "petites", "", before, kAnything},
    {"good", "bon", "bonne", "bons", "bonnes", "", before, text | food | mass},
    {"bad", "mauvais", "mauvaise", "mauvais", "mauvaises", "", before, text | mass},
    {"beautiful", "beau", "belle", "beaux", "belles", "bel", before, living | kMade | place | text},
    {"new", "nouveau", "nouvelle", "nouveaux", "nouvelles", "nouvel", before, kMade | text | place},
    {"old", "vieux", "vieille", "vieux", "vieilles", "vieil", before, living | kMade | text | place},
    {"young", "jeune", "jeune", "jeunes", "jeunes", "", before, living},
    {"pretty", "joli", "jolie", "jolis", "jolies", "", before, animal | thing | place},
    // colours
    {"black", "noir", "noire", "noirs", "noires", "", after, kColoured},
    {"white", "blanc", "blanche", "blancs", "blanches", "", after, kColoured},
    {"red", "rouge", "rouge", "rouges", "rouges", "", after, kMade | food},
    {"green", "vert", "verte", "verts", "vertes", "", after, kMade | food},
    {"blue", "bleu", "bleue", "bleus", "bleues", "", after, kMade},
    {"yellow", "jaune", "jaune", "jaunes", "jaunes", "", after, kMade},
    {"grey", "gris", "grise", "gris", "grises", "", after, kColoured},
    {"brown", "brun", "brune", "bruns", "brunes", "", after, kColoured},
    // characters and states of living things
    {"happy", "heureux", "heureuse", "heureux", "heureuses", "", after, living},
    {"sad", "triste", "triste", "tristes", "tristes", "", after, living},
    {"tired", "fatigué", "fatiguée", "fatigués", "fatiguées", "", after, living},
    {"intelligent", "intelligent", "intelligente", "intelligents", "intelligentes", "", after, living},
    {"kind", "gentil", "gentille", "gentils", "gentilles", "", after, person},
    {"rich", "riche", "riche", "riches", "riches", "", after, person},
    {"famous", "célèbre", "célèbre", "célèbres", "célèbres", "", after, person | text | place},
    {"strong", "fort", "forte", "forts", "fortes", "", after, living},
    {"sick", "malade", "malade", "malades", "malades", "", after, living},
    {"calm", "calme", "calme", "calmes", "calmes", "", after, living | place},
    {"nervous", "nerveux", "nerveuse", "nerveux", "nerveuses", "", after, living},
    {"curious", "curieux", "curieuse", "curieux", "curieuses", "", after, living},
    {"jealous", "jaloux", "jalouse", "jaloux", "jalouses", "", after, living},
    {"serious", "sérieux", "sérieuse", "sérieux", "sérieuses", "", after, person},
    {"lazy", "paresseux", "paresseuse", "paresseux", "paresseuses", "", after, living},
    {"brave", "courageux", "courageuse", "courageux", "courageuses", "", after, living},
    {"polite", "poli", "polie", "polis", "polies", "", after, person},
    {"funny", "drôle", "drôle", "drôles", "drôles", "", after, living | text},
    {"strange", "étrange", "étrange", "étranges", "étranges", "", after, living | object | place},
    {"dangerous", "dangereux", "dangereuse", "dangereux", "dangereuses", "", after, living | place | vehicle},
    {"proud", "fier", "fière", "fiers", "fières", "", after, person},
    {"French", "français", "française", "français", "françaises", "", after, person | object | vehicle | mass, false},
    {"English", "anglais", "anglaise", "anglais", "anglaises", "", after, person | object | vehicle | mass, false},
    {"Italian", "italien", "italienne", "italiens", "italiennes", "", after, person | object | vehicle | mass, false},
    {"busy", "occupé", "occupée", "occupés", "occupées", "", after, person},
    {"angry", "furieux", "furieuse", "furieux", "furieuses", "", after, living},
    {"hungry", "faim", "faim", "faim", "faim", "", after, living, true, had},
    {"thirsty", "soif", "soif", "soif", "soif", "", after, living, true, had},
    {"afraid", "peur", "peur", "peur", "peur", "", after, living, true, had},
    {"sleepy", "sommeil", "sommeil", "sommeil", "sommeil", "", after, living, true, had},
    // properties of things
    {"comfortable", "confortable", "confortable", "confortables", "confortables", "", after, surface | vehicle | place},
    {"heavy", "lourd", "lourde", "lourds", "lourdes", "", after, kMade},
    {"light", "léger", "légère", "légers", "légères", "", after, kMade},
    {"expensive", "cher", "chère", "chers", "chères", "", after, kMade | mass},
    {"round", "rond", "ronde", "ronds", "rondes", "", after, thing | surface},
    {"clean", "propre", "propre", "propres", "propres", "", after, kMade | place},
    {"dirty", "sale", "sale", "sales", "sales", "", after, kMade | place},
    {"hot", "chaud", "chaude", "chauds", "chaudes", "", after, mass | food},
    {"cold", "froid", "froide", "froids", "froides", "", after, mass | food},
    {"modern", "moderne", "moderne", "modernes", "modernes", "", after, kMade | place},
    {"useful", "utile", "utile", "utiles", "utiles", "", after, object | vehicle},
};
// clang-format on

}  // namespace

std::span<const Adjective> adjectives() {
  return kAdjectives;
}

}  // namespace regard::builtin
