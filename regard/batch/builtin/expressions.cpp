#include "regard/batch/builtin/lexicon.h"

namespace regard::builtin {
namespace {

constexpr Expression kNumbers[] = {
    {"two", "deux"},      {"three", "trois"},    {"four", "quatre"},     {"five", "cinq"},
    {"six", "six"},       {"seven", "sept"},     {"eight", "huit"},      {"nine", "neuf"},
    {"ten", "dix"},       {"eleven", "onze"},    {"twelve", "douze"},    {"twenty", "vingt"},
    {"thirty", "trente"}, {"forty", "quarante"}, {"fifty", "cinquante"},
};
constexpr Expression kPresentTimes[] = {
    {"today", "aujourd'hui"}, {"now", "maintenant"}, {"every day", "tous les jours"}};
constexpr Expression kPastTimes[] = {{"yesterday", "hier"}, {"last night", "hier soir"}};
constexpr Expression kFutureTimes[] = {{"tomorrow", "demain"}, {"soon", "bientôt"}};
constexpr Expression kDays[] = {
    {"on Monday", "lundi"},    {"on Tuesday", "mardi"},   {"on Wednesday", "mercredi"},
    {"on Thursday", "jeudi"},  {"on Friday", "vendredi"}, {"on Saturday", "samedi"},
    {"on Sunday", "dimanche"},
};
constexpr Expression kFrequencies[] = {{"often", "souvent"}, {"always", "toujours"}};
constexpr Expression kManners[] = {{"slowly", "lentement"}, {"quickly", "rapidement"}};
constexpr Expression kPlaceRelations[] = {
    {"in", "dans"}, {"near", "près de"}, {"behind", "derrière"}, {"in front of", "devant"}};
constexpr Expression kSurfaceRelations[] = {
    {"on", "sur"}, {"under", "sous"}, {"near", "près de"}, {"behind", "derrière"}};
constexpr Opening kOpenings[] = {
    {{"I", "je"}, {"think", "pense"}},       {{"I", "je"}, {"believe", "crois"}},
    {{"he", "il"}, {"thinks", "pense"}},     {{"she", "elle"}, {"thinks", "pense"}},
    {{"he", "il"}, {"says", "dit"}},         {{"she", "elle"}, {"says", "dit"}},
    {{"he", "il"}, {"believes", "croit"}},   {{"she", "elle"}, {"believes", "croit"}},
    {{"we", "nous"}, {"think", "pensons"}},  {{"we", "nous"}, {"believe", "croyons"}},
    {{"you", "vous"}, {"think", "pensez"}},  {{"you", "vous"}, {"believe", "croyez"}},
    {{"they", "ils"}, {"think", "pensent"}}, {{"they", "ils"}, {"say", "disent"}},
};
constexpr Greeting kGreetings[] = {
    {{"hello", "bonjour"}, ""},
    {{"goodbye", "au revoir"}, ""},
    {{"thank you", "merci"}, "thank"},
    {{"good evening", "bonsoir"}, "good"},
    {{"good night", "bonne nuit"}, "good"},
};

}  // namespace

std::span<const Expression> numbers() {
  return kNumbers;
}
std::span<const Expression> present_times() {
  return kPresentTimes;
}
std::span<const Expression> past_times() {
  return kPastTimes;
}
std::span<const Expression> future_times() {
  return kFutureTimes;
}
std::span<const Expression> days() {
  return kDays;
}
std::span<const Expression> frequencies() {
  return kFrequencies;
}
std::span<const Expression> manners() {
  return kManners;
}
std::span<const Expression> place_relations() {
  return kPlaceRelations;
}
std::span<const Expression> surface_relations() {
  return kSurfaceRelations;
}
std::span<const Opening> openings() {
  return kOpenings;
}
std::span<const Greeting> greetings() {
  return kGreetings;
}

}  // namespace regard::builtin
