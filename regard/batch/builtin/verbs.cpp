#include "regard/batch/builtin/lexicon.h"

namespace regard::builtin {
namespace {

using namespace kind;

constexpr Past avoir = Past::with_avoir;
constexpr Past etre = Past::with_etre;
constexpr Past state = Past::imperfect;
constexpr Past reflexive = Past::reflexive;

constexpr std::uint32_t kSeen = living | object | vehicle | surface | opens | food | place;
constexpr std::uint32_t kOwned = animal | object | vehicle | surface | food;

// clang-format off
constexpr Verb kVerbs[] = {
    // alone
    {"sleep", "sleeps", "slept", "", {"dors", "dort", "dormons", "dormez", "dorment"}, "dormi", "dormir", avoir, Frame::alone, living, 0},
    {"run", "runs", "ran", "", {"cours", "court", "courons", "courez", "courent"}, "couru", "courr", avoir, Frame::activity, living, 0},
    {"sing", "sings", "sang", "", {"chante", "chante", "chantons", "chantez", "chantent"}, "chanté", "chanter", avoir, Frame::alone, person, 0},
    {"dance", "dances", "danced", "", {"danse", "danse", "dansons", "dansez", "dansent"}, "dansé", "danser", avoir, Frame::activity, living, 0},
    {"work", "works", "worked", "", {"travaille", "travaille", "travaillons", "travaillez", "travaillent"}, "travaillé", "travailler", avoir, Frame::activity, person, 0},
    {"cry", "cries", "cried", "", {"pleure", "pleure", "pleurons", "pleurez", "pleurent"}, "pleuré", "pleurer", avoir, Frame::alone, person, 0},
    {"swim", "swims", "swam", "", {"nage", "nage", "nageons", "nagez", "nagent"}, "nagé", "nager", avoir, Frame::activity, living, 0},
    {"walk", "walks", "walked", "", {"marche", "marche", "marchons", "marchez", "marchent"}, "marché", "marcher", avoir, Frame::activity, living, 0},
    {"speak", "speaks", "spoke", "", {"parle", "parle", "parlons", "parlez", "parlent"}, "parlé", "parler", avoir, Frame::activity, person, 0},
    {"play", "plays", "played", "", {"joue", "joue", "jouons", "jouez", "jouent"}, "joué", "jouer", avoir, Frame::alone, living, 0},
    {"arrive", "arrives", "arrived", "", {"arrive", "arrive", "arrivons", "arrivez", "arrivent"}, "arrivé", "arriver", etre, Frame::activity, living, 0},
    {"fall", "falls", "fell", "", {"tombe", "tombe", "tombons", "tombez", "tombent"}, "tombé", "tomber", etre, Frame::alone, living, 0},
    {"leave", "leaves", "left", "", {"pars", "part", "partons", "partez", "partent"}, "parti", "partir", etre, Frame::activity, living, 0},
    {"stay", "stays", "stayed", "", {"reste", "reste", "restons", "restez", "restent"}, "resté", "rester", etre, Frame::alone, living, 0},
    // to a place, in a place
    {"go", "goes", "went", "", {"vais", "va", "allons", "allez", "vont"}, "allé", "ir", etre, Frame::motion, person, 0},
    {"come", "comes", "came", "", {"viens", "vient", "venons", "venez", "viennent"}, "venu", "viendr", etre, Frame::motion, person, 0},
    {"live", "lives", "lived", "", {"habite", "habite", "habitons", "habitez", "habitent"}, "habit", "habiter", state, Frame::dwelling, living, 0},
    // with a reflexive pronoun in French
    {"sit", "sits", "sat", "", {"assieds", "assied", "asseyons", "asseyez", "asseyent"}, "assis", "assiér", reflexive, Frame::sitting, living, 0},
    {"rest", "rests", "rested", "", {"repose", "repose", "reposons", "reposez", "reposent"}, "reposé", "reposer", reflexive, Frame::alone, living, 0},
    {"wake", "wakes", "woke", "up", {"réveille", "réveille", "réveillons", "réveillez", "réveillent"}, "réveillé", "réveiller", reflexive, Frame::alone, living, 0},
    // with an object
    {"see", "sees", "saw", "", {"vois", "voit", "voyons", "voyez", "voient"}, "vu", "verr", avoir, Frame::object, living, kSeen},
    {"look", "looks", "looked", "at", {"regarde", "regarde", "regardons", "regardez", "regardent"}, "regardé", "regarder", avoir, Frame::object, living, kSeen},
    {"look", "looks", "looked", "for", {"cherche", "cherche", "cherchons", "cherchez", "cherchent"}, "cherché", "chercher", avoir, Frame::object, living, kSeen},
    {"find", "finds", "found", "", {"trouve", "trouve", "trouvons", "trouvez", "trouvent"}, "trouvé", "trouver", avoir, Frame::object, living, kSeen},
    {"love", "loves", "loved", "", {"aime", "aime", "aimons", "aimez", "aiment"}, "aim", "aimer", state, Frame::feeling, living, living | place},
    {"know", "knows", "knew", "", {"connais", "connaît", "connaissons", "connaissez", "connaissent"}, "connaiss", "connaîtr", state, Frame::feeling, person, person | place},
    {"hear", "hears", "heard", "", {"entends", "entend", "entendons", "entendez", "entendent"}, "entendu", "entendr", avoir, Frame::object, living, living},
    {"listen", "listens", "listened", "to", {"écoute", "écoute", "écoutons", "écoutez", "écoutent"}, "écouté", "écouter", avoir, Frame::object, person, person},
    {"wait", "waits", "waited", "for", {"attends", "attend", "attendons", "attendez", "attendent"}, "attendu", "attendr", avoir, Frame::object, living, person},
    {"help", "helps", "helped", "", {"aide", "aide", "aidons", "aidez", "aident"}, "aidé", "aider", avoir, Frame::object, person, living},
    {"call", "calls", "called", "", {"appelle", "appelle", "appelons", "appelez", "appellent"}, "appelé", "appeller", avoir, Frame::object, person, living},
    {"invite", "invites", "invited", "", {"invite", "invite", "invitons", "invitez", "invitent"}, "invité", "inviter", avoir, Frame::object, person, person},
    {"thank", "thanks", "thanked", "", {"remercie", "remercie", "remercions", "remerciez", "remercient"}, "remercié", "remercier", avoir, Frame::object, person, person},
    {"follow", "follows", "followed", "", {"suis", "suit", "suivons", "suivez", "suivent"}, "suivi", "suivr", avoir, Frame::object, living, living | vehicle},
    {"visit", "visits", "visited", "", {"visite", "visite", "visitons", "visitez", "visitent"}, "visité", "visiter", avoir, Frame::object, person, place},
    {"buy", "buys", "bought", "", {"achète", "achète", "achetons", "achetez", "achètent"}, "acheté", "achèter", avoir, Frame::object, person, kOwned | mass},
    {"want", "wants", "wanted", "", {"veux", "veut", "voulons", "voulez", "veulent"}, "voul", "voudr", state, Frame::object, person, kOwned | mass},
    {"have", "has", "had", "", {"ai", "a", "avons", "avez", "ont"}, "av", "aur", state, Frame::object, person, kOwned | mass},
    {"eat", "eats", "ate", "", {"mange", "mange", "mangeons", "mangez", "mangent"}, "mangé", "manger", avoir, Frame::object, living, edible},
    {"prepare", "prepares", "prepared", "", {"prépare", "prépare", "préparons", "préparez", "préparent"}, "préparé", "préparer", avoir, Frame::object, person, edible | drink},
    {"drink", "drinks", "drank", "", {"bois", "boit", "buvons", "buvez", "boivent"}, "bu", "boir", avoir, Frame::object, living, drink},
    {"read", "reads", "read", "", {"lis", "lit", "lisons", "lisez", "lisent"}, "lu", "lir", avoir, Frame::object, person, text},
    {"write", "writes", "wrote", "", {"écris", "écrit", "écrivons", "écrivez", "écrivent"}, "écrit", "écrir", avoir, Frame::object, person, text},
    {"open", "opens", "opened", "", {"ouvre", "ouvre", "ouvrons", "ouvrez", "ouvrent"}, "ouvert", "ouvrir", avoir, Frame::object, person, opens},
    {"close", "closes", "closed", "", {"ferme", "ferme", "fermons", "fermez", "ferment"}, "fermé", "fermer", avoir, Frame::object, person, opens},
    {"carry", "carries", "carried", "", {"porte", "porte", "portons", "portez", "portent"}, "porté", "porter", avoir, Frame::object, living, object | food},
    {"lose", "loses", "lost", "", {"perds", "perd", "perdons", "perdez", "perdent"}, "perdu", "perdr", avoir, Frame::object, person, object},
    {"wash", "washes", "washed", "", {"lave", "lave", "lavons", "lavez", "lavent"}, "lavé", "laver", avoir, Frame::object, person, animal | thing | big_object},
    {"draw", "draws", "drew", "", {"dessine", "dessine", "dessinons", "dessinez", "dessinent"}, "dessiné", "dessiner", avoir, Frame::object, person, living | thing | vehicle | place},
    {"choose", "chooses", "chose", "", {"choisis", "choisit", "choisissons", "choisissez", "choisissent"}, "choisi", "choisir", avoir, Frame::object, person, kOwned | place},
    {"take", "takes", "took", "", {"prends", "prend", "prenons", "prenez", "prennent"}, "pris", "prendr", avoir, Frame::object, living, object | food},
    {"hide", "hides", "hid", "", {"cache", "cache", "cachons", "cachez", "cachent"}, "caché", "cacher", avoir, Frame::object, person, animal | object | food},
    {"repair", "repairs", "repaired", "", {"répare", "répare", "réparons", "réparez", "réparent"}, "réparé", "réparer", avoir, Frame::object, person, vehicle | surface},
    // with an object and a receiver
    {"give", "gives", "gave", "", {"donne", "donne", "donnons", "donnez", "donnent"}, "donné", "donner", avoir, Frame::gives, person, object | food | animal},
    {"show", "shows", "showed", "", {"montre", "montre", "montrons", "montrez", "montrent"}, "montré", "montrer", avoir, Frame::gives, person, kSeen},
    {"send", "sends", "sent", "", {"envoie", "envoie", "envoyons", "envoyez", "envoient"}, "envoyé", "enverr", avoir, Frame::gives, person, object},
    {"sell", "sells", "sold", "", {"vends", "vend", "vendons", "vendez", "vendent"}, "vendu", "vendr", avoir, Frame::gives, person, kOwned},
    {"lend", "lends", "lent", "", {"prête", "prête", "prêtons", "prêtez", "prêtent"}, "prêté", "prêter", avoir, Frame::gives, person, object | vehicle},
};
// clang-format on

}  // namespace

std::span<const Verb> verbs() {
  return kVerbs;
}

}  // namespace regard::builtin
