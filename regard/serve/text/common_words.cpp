#include "regard/serve/text/detect.h"

namespace regard {
namespace {

struct Words {
  std::string_view language, words;
};

constexpr Words kWords[]{
    {"en",
     "the of and to in is that it was for on are with as his they be at one have this from or had "
     "by not but what some we can out other were all there when up your how said an each she which "
     "do their time if will way about many then them would like these her long make thing see him "
     "two has look more day could go come did my no most who over know than call first people "
     "may down side been now find man woman cat dog house big small black white good new old "
     "eats sleeps walks reads gives where why what when who here there you are we are station "
     "street"},
    {"fr",
     "de la le et les des en un du une que est pour qui dans a par plus pas au sur ne se ce il "
     "sont "
     "avec elle son mais comme ou si leur y dont sa cette ces ses aux fait été nous vous je tu on "
     "bien sans deux tout tous même aussi autre peut où homme femme chat chien maison petit petite "
     "grand grande noir blanc bon bonne c'est n'est j'ai l'homme d'une qu'il être avoir faire dit "
     "très quand alors jour temps mon ma mes votre notre encore toujours rien jamais chez"},
    {"de",
     "der die und in den von zu das mit sich des auf für ist im dem nicht ein eine als auch es an "
     "werden aus er hat dass sie nach wird bei einer um am sind noch wie einem über einen so zum "
     "war haben nur oder aber vor zur bis mehr durch man sein wurde sei ich du wir ihr mein dein "
     "kein wenn kann schon diese dieser dieses mann frau junge mädchen hund katze haus groß klein "
     "schwarz weiß gut zwei wo wer was warum wann bahnhof straße hier dort immer heute sehr etwas "
     "viele steht sitzt geht"},
    {"es",
     "de la que el en y a los se del las un por con no una su para es al lo como más o pero sus le "
     "ha me si sin sobre este ya entre cuando todo esta ser son dos también fue había era muy años "
     "hasta desde está mi porque qué sólo han yo hay vez puede todos así nos ni parte tiene él uno "
     "hombre mujer niño perro gato casa grande pequeño negro blanco bueno día año"},
    {"it",
     "di e il la che a in un è per una sono non si con da come del le i dei della nel alla più lo "
     "gli anche ma se o al dal ha questo sua suo loro quando dove chi essere stato fatto molto "
     "tutti "
     "tutto ancora così perché mio io tu lui lei noi uomo donna ragazzo cane gatto casa grande "
     "piccolo nero bianco buono giorno anno due degli delle nella sulla della"},
    {"pt",
     "de a o que e do da em um para com não uma os no se na por mais as dos como mas ao ele das à "
     "seu sua ou quando muito nos já eu também só pelo pela até isso ela entre depois sem mesmo "
     "aos "
     "seus quem nas me esse eles você essa num nem suas meu às minha numa têm homem mulher menino "
     "cão gato casa grande pequeno preto branco bom são está estão foi ser tem"},
    {"nl",
     "de van een het en in is dat op te zijn met voor niet aan er die om ook als bij door maar "
     "naar "
     "dan hij ze zo wat uit over nog wel geen ik je we wij jij u zij hebben worden werd heeft kan "
     "moet deze dit daar hier man vrouw jongen hond kat huis groot klein zwart wit goed twee jaar "
     "veel meer onder tegen zou mijn haar hun"},
    {"pl",
     "w i z na nie się do że jest to o jak po a od za co ale tak przez dla czy już był tylko jego "
     "ich być może go jej są przy było bardzo ten ta te tego której który która także jeszcze gdy "
     "mężczyzna kobieta chłopiec pies kot dom duży mały czarny biały dobry dwa rok lat"},
    {"cs",
     "a v se na je že to s z o do i ve jako pro za by jsem tak jeho ale od po jsou co při až které "
     "který která jak byl byla bylo být není jen ještě už nebo podle také muž žena chlapec pes "
     "kočka dům velký malý černý bílý dobrý dva rok let však více než"},
    {"sv",
     "och i att det som en på är av för med till den har de inte om ett han men var jag från vi så "
     "kan när år under också efter eller nu sin där vid mot ska skulle kommer ut får finns vara "
     "man kvinna pojke hund katt hus stor liten svart vit god två mycket alla"},
    {"ru",
     "и в не на я быть он с что а по это она этот к но они мы весь который из у то за свой ещё как "
     "все от так бы для о же вы ты до если уже или ни был его её их чтобы только когда мужчина "
     "женщина мальчик собака кошка дом большой маленький чёрный белый хороший два год время"},
    {"uk",
     "і в не на я що він з та до це як у за а по від для вона ми але так про його й все бути є ти "
     "ви "
     "вже або які який ще тільки коли чоловік жінка хлопчик собака кіт дім великий малий чорний "
     "білий добрий два рік час її їх цей ця"},
    {"tr",
     "ve bir bu da de için ne ile o daha çok gibi olarak var en kadar olan ama mi sonra her şey "
     "ben "
     "sen biz siz onun iki yok değil olduğu ya ki diye zaman adam kadın çocuk köpek kedi ev büyük "
     "küçük siyah beyaz iyi yıl gün"},
    {"ar",
     "في من على أن إلى التي عن مع هذا هذه ما كان الذي لا هو هي بعد قبل كل أو ذلك بين قد كما لم ثم "
     "حتى إذا عند غير أي نحن أنت أنا هم رجل امرأة ولد كلب قطة بيت كبير صغير أسود أبيض جيد"}};

}  // namespace

std::string_view common_words(std::string_view language) {
  for (const Words& each : kWords)
    if (each.language == language.substr(0, language.find('-'))) return each.words;
  return {};
}

std::vector<std::string> common_languages() {
  std::vector<std::string> languages;
  for (const Words& each : kWords) languages.emplace_back(each.language);
  return languages;
}

}  // namespace regard
