#include "phrasebook/french_lexicon.h"

#include <algorithm>

#include "core/error.h"

namespace dhyan::phrases::french {

namespace {

constexpr Gender kM = Gender::kMasculine, kF = Gender::kFeminine;
constexpr Count kOne = Count::kOne, kMass = Count::kMass;
constexpr Position kBefore = Position::kBefore, kAfter = Position::kAfter;
constexpr Kinds kThing = kGoods | kColoured | kSized | kSmall | kOwned;

constexpr auto kNouns = std::to_array<Noun>({
    {"pain", kM, "bread", "", kMass, kFood | kFresh},
    {"fromage", kM, "cheese", "", kMass, kFood},
    {"riz", kM, "rice", "", kMass, kFood | kCooked | kHot},
    {"soupe", kF, "soup", "", kMass, kFood | kCooked | kHot},
    {"poisson", kM, "fish", "", kMass, kFood | kCooked | kFresh},
    {"viande", kF, "meat", "", kMass, kFood | kCooked | kHot},
    {"pomme", kF, "apple", "apples", kOne, kFood | kFresh | kSmall},
    {"orange", kF, "orange", "oranges", kOne, kFood | kFresh | kSmall},
    {"gâteau", kM, "cake", "cakes", kOne, kFood | kCooked | kSized},
    {"salade", kF, "salad", "salads", kOne, kFood | kCooked | kFresh},
    {"omelette", kF, "omelette", "omelettes", kOne, kFood | kCooked | kHot},
    {"eau", kF, "water", "", kMass, kDrink},
    {"lait", kM, "milk", "", kMass, kDrink | kHot},
    {"thé", kM, "tea", "", kMass, kDrink | kHot},
    {"café", kM, "coffee", "", kMass, kDrink | kHot},
    {"jus", kM, "juice", "", kMass, kDrink | kFresh},
    {"livre", kM, "book", "books", kOne, kText | kWritten | kThing | kInteresting},
    {"lettre", kF, "letter", "letters", kOne, kText | kWritten | kSmall | kOwned},
    {"journal", kM, "newspaper", "newspapers", kOne, kText | kInteresting},
    {"histoire", kF, "story", "stories", kOne, kText | kWritten | kInteresting | kPretty},
    {"film", kM, "film", "films", kOne, kShow | kInteresting},
    {"match", kM, "match", "matches", kOne, kShow | kInteresting},
    {"musique", kF, "music", "", kMass, kSound},
    {"chanson", kF, "song", "songs", kOne, kSound | kPretty},
    {"voiture", kF, "car", "cars", kOne, kGoods | kColoured | kSized | kWashed | kOwned},
    {"maison", kF, "house", "houses", kOne, kColoured | kSized | kPretty | kOwned},
    {"robe", kF, "dress", "dresses", kOne, kGoods | kColoured | kPretty | kWashed},
    {"chemise", kF, "shirt", "shirts", kOne, kGoods | kColoured | kPretty | kWashed | kOwned},
    {"chapeau", kM, "hat", "hats", kOne, kThing | kPretty},
    {"vélo", kM, "bicycle", "bicycles", kOne, kGoods | kColoured | kSized | kWashed | kOwned},
    {"table", kF, "table", "tables", kOne, kGoods | kColoured | kSized},
    {"chaise", kF, "chair", "chairs", kOne, kGoods | kColoured | kSized},
    {"fleur", kF, "flower", "flowers", kOne, kGoods | kColoured | kPretty | kSmall},
    {"stylo", kM, "pen", "pens", kOne, kThing},
    {"sac", kM, "bag", "bags", kOne, kThing},
    {"clé", kF, "key", "keys", kOne, kSmall | kSized | kOwned},
    {"jardin", kM, "garden", "gardens", kOne, kSized | kPretty | kOwned},
    {"chat", kM, "cat", "cats", kOne, kSized | kPretty | kOwned},
    {"chien", kM, "dog", "dogs", kOne, kSized | kPretty | kOwned},
});

constexpr auto kPeople = std::to_array<Noun>({
    {"garçon", kM, "boy", "boys", kOne, kHuman},
    {"fille", kF, "girl", "girls", kOne, kHuman},
    {"homme", kM, "man", "men", kOne, kHuman},
    {"femme", kF, "woman", "women", kOne, kHuman},
    {"enfant", kM, "child", "children", kOne, kHuman},
    {"médecin", kM, "doctor", "doctors", kOne, kHuman},
    {"étudiante", kF, "student", "students", kOne, kHuman},
});

constexpr auto kRelatives = std::to_array<Noun>({
    {"frère", kM, "brother", "brothers", kOne, kHuman},
    {"sœur", kF, "sister", "sisters", kOne, kHuman},
    {"père", kM, "father", "", kOne, kHuman},
    {"mère", kF, "mother", "", kOne, kHuman},
    {"ami", kM, "friend", "friends", kOne, kHuman},
    {"amie", kF, "friend", "friends", kOne, kHuman},
    {"fils", kM, "son", "", kOne, kHuman},
    {"oncle", kM, "uncle", "uncles", kOne, kHuman},
    {"tante", kF, "aunt", "aunts", kOne, kHuman},
});

constexpr auto kAdjectives = std::to_array<Adjective>({
    {"rouge", "rouge", "red", kAfter, kColoured},
    {"bleu", "bleue", "blue", kAfter, kColoured},
    {"vert", "verte", "green", kAfter, kColoured},
    {"noir", "noire", "black", kAfter, kColoured},
    {"blanc", "blanche", "white", kAfter, kColoured},
    {"jaune", "jaune", "yellow", kAfter, kColoured},
    {"grand", "grande", "big", kBefore, kSized},
    {"petit", "petite", "small", kBefore, kSized},
    {"joli", "jolie", "pretty", kBefore, kPretty},
    {"bon", "bonne", "good", kBefore, kFood | kInteresting},
    {"intéressant", "intéressante", "interesting", kAfter, kInteresting},
    {"frais", "fraîche", "fresh", kAfter, kFresh},
    {"cher", "chère", "expensive", kAfter, kGoods},
    {"chaud", "chaude", "hot", kAfter, kHot},
    {"froid", "froide", "cold", kAfter, kDrink},
    {"intelligent", "intelligente", "intelligent", kAfter, kHuman},
    {"célèbre", "célèbre", "famous", kAfter, kHuman},
});

constexpr std::array<std::string_view, 6> kRegular = {};
constexpr auto kSocial = Verb::Way::kSocial, kMoving = Verb::Way::kMoving;

constexpr auto kVerbs = std::to_array<Verb>({
    {"manger", kRegular, "mangé", {"eat", "eating", "ate", "eaten"}, kFood, kSocial},
    {"acheter",
     {"achète", "achètes", "achète", "achetons", "achetez", "achètent"},
     "acheté",
     {"buy", "buying", "bought", "bought"},
     kGoods | kFood},
    {"boire",
     {"bois", "bois", "boit", "buvons", "buvez", "boivent"},
     "bu",
     {"drink", "drinking", "drank", "drunk"},
     kDrink,
     kSocial},
    {"lire", {"lis", "lis", "lit", "lisons", "lisez", "lisent"}, "lu", {"read", "reading", "read", "read"}, kText},
    {"écrire",
     {"écris", "écris", "écrit", "écrivons", "écrivez", "écrivent"},
     "écrit",
     {"write", "writing", "wrote", "written"},
     kWritten},
    {"regarder", kRegular, "regardé", {"watch", "watching", "watched", "watched"}, kShow, kSocial},
    {"écouter", kRegular, "écouté", {"listen", "listening", "listened", "listened", "to"}, kSound, kSocial},
    {"préparer", kRegular, "préparé", {"prepare", "preparing", "prepared", "prepared"}, kCooked, kSocial},
    {"laver", kRegular, "lavé", {"wash", "washing", "washed", "washed"}, kWashed},
    {"chercher", kRegular, "cherché", {"look", "looking", "looked", "looked", "for"}, kSmall},
    {"trouver", kRegular, "trouvé", {"find", "finding", "found", "found"}, kSmall},
    {"vendre",
     {"vends", "vends", "vend", "vendons", "vendez", "vendent"},
     "vendu",
     {"sell", "selling", "sold", "sold"},
     kGoods},
    {"chanter", kRegular, "chanté", {"sing", "singing", "sang", "sung"}, 0, kSocial},
    {"danser", kRegular, "dansé", {"dance", "dancing", "danced", "danced"}, 0, kSocial},
    {"travailler", kRegular, "travaillé", {"work", "working", "worked", "worked"}, 0, kSocial},
    {"dormir",
     {"dors", "dors", "dort", "dormons", "dormez", "dorment"},
     "dormi",
     {"sleep", "sleeping", "slept", "slept"}},
    {"jouer", kRegular, "joué", {"play", "playing", "played", "played"}, 0, kSocial},
    {"parler", kRegular, "parlé", {"talk", "talking", "talked", "talked"}, 0, kSocial},
    {"aller", {"vais", "vas", "va", "allons", "allez", "vont"}, "allé", {"go", "going", "went", "gone"}, 0, kMoving},
    {"arriver", kRegular, "arrivé", {"arrive", "arriving", "arrived", "arrived"}, 0, kMoving},
});

constexpr auto kHeads = std::to_array<Head>({
    {"zone", kF, "Area"},
    {"union", kF, "Union"},
    {"commission", kF, "Commission"},
    {"banque", kF, "Bank"},
    {"agence", kF, "Agency"},
    {"politique", kF, "Policy"},
    {"organisation", kF, "Organisation"},
    {"conférence", kF, "Conference"},
    {"conseil", kM, "Council"},
    {"comité", kM, "Committee"},
    {"institut", kM, "Institute"},
    {"marché", kM, "Market"},
    {"fonds", kM, "Fund"},
    {"programme", kM, "Programme"},
    {"forum", kM, "Forum"},
});

constexpr auto kDomains = std::to_array<Epithet>({
    {"économique", "économique", "Economic"},
    {"monétaire", "monétaire", "Monetary"},
    {"agricole", "agricole", "Agricultural"},
    {"scientifique", "scientifique", "Scientific"},
    {"culturel", "culturelle", "Cultural"},
    {"social", "sociale", "Social"},
    {"commercial", "commerciale", "Commercial"},
    {"financier", "financière", "Financial"},
    {"technique", "technique", "Technical"},
    {"maritime", "maritime", "Maritime"},
    {"médical", "médicale", "Medical"},
});

constexpr auto kRegions = std::to_array<Epithet>({
    {"européen", "européenne", "European"},
    {"africain", "africaine", "African"},
    {"asiatique", "asiatique", "Asian"},
    {"international", "internationale", "International"},
    {"national", "nationale", "National"},
    {"français", "française", "French"},
    {"indien", "indienne", "Indian"},
    {"canadien", "canadienne", "Canadian"},
});

constexpr Tenses kUsual = only(Tense::kHabitual), kThen = only(Tense::kPast), kAhead = only(Tense::kFuture);

constexpr auto kTimes = std::to_array<Time>({
    {"aujourd'hui = today", kThen | kAhead},
    {"demain = tomorrow", kAhead},
    {"demain1 matin2 = tomorrow1 morning2", kAhead},
    {"hier = yesterday", kThen},
    {"hier1 soir2 = yesterday1 evening2", kThen},
    {"ce1 soir2 = this1 evening2", kAhead},
    {"ce1 matin2 = this1 morning2", kThen},
    {"le matin = in the morning", kUsual},
    {"le soir = in the evening", kUsual},
    {"chaque1 jour2 = every1 day2", kUsual},
    {"lundi = on Monday", kThen | kAhead},
    {"samedi = on Saturday", kThen | kAhead},
    {"dimanche = on Sunday", kThen | kAhead},
});

constexpr auto kGoals = std::to_array<std::string_view>({
    "à1 le2 marché2 = to1 the2 market2",
    "à1 l'2 école2 = to1 school2",
    "à1 le2 parc2 = to1 the2 park2",
    "à1 la2 gare2 = to1 the2 station2",
    "à1 la2 plage2 = to1 the2 beach2",
    "à1 l'2 hôpital2 = to1 the2 hospital2",
    "à1 Paris2 = to1 Paris2",
    "à1 Lyon2 = to1 Lyon2",
    "à1 le2 bureau2 = to1 the2 office2",
});

constexpr auto kPlaces = std::to_array<std::string_view>({
    "dans1 le2 parc2 = in1 the2 park2",
    "dans1 le2 jardin2 = in1 the2 garden2",
    "à1 la2 maison2 = at1 home2",
    "à1 l'2 école2 = at1 school2",
    "à1 Paris2 = in1 Paris2",
    "dans1 la2 cuisine2 = in1 the2 kitchen2",
});

constexpr auto kSpots = std::to_array<std::string_view>({
    "sur1 la2 table2 = on1 the2 table2",
    "sous1 la2 table2 = under1 the2 table2",
    "sur1 la2 chaise2 = on1 the2 chair2",
    "dans1 le2 sac2 = in1 the2 bag2",
    "dans1 la2 voiture2 = in1 the2 car2",
    "dans1 la2 cuisine2 = in1 the2 kitchen2",
    "devant1 la2 maison2 = in1 front1 of1 the2 house2",
    "derrière1 la2 porte2 = behind1 the2 door2",
});

constexpr auto kNames = std::to_array<Name>({{"Pierre", kM, "Pierre"},
                                             {"Paul", kM, "Paul"},
                                             {"Luc", kM, "Luc"},
                                             {"Marie", kF, "Marie"},
                                             {"Julie", kF, "Julie"},
                                             {"Claire", kF, "Claire"}});

}  // namespace

std::span<const Noun> nouns() { return kNouns; }
std::span<const Noun> people() { return kPeople; }
std::span<const Noun> relatives() { return kRelatives; }
std::span<const Adjective> adjectives() { return kAdjectives; }
std::span<const Verb> verbs() { return kVerbs; }
std::span<const Head> heads() { return kHeads; }
std::span<const Epithet> domains() { return kDomains; }
std::span<const Epithet> regions() { return kRegions; }
std::span<const Time> times() { return kTimes; }
std::span<const std::string_view> goals() { return kGoals; }
std::span<const std::string_view> places() { return kPlaces; }
std::span<const std::string_view> spots() { return kSpots; }
std::span<const Name> names() { return kNames; }

const Verb& verb_named(std::string_view infinitive) {
  const auto found = std::ranges::find(kVerbs, infinitive, &Verb::infinitive);
  if (found == kVerbs.end()) throw UsageError(cat("phrasebook: no verb '", infinitive, "'"));
  return *found;
}

const Noun& noun_named(std::string_view french) {
  const auto found = std::ranges::find(kNouns, french, &Noun::french);
  if (found == kNouns.end()) throw UsageError(cat("phrasebook: no noun '", french, "'"));
  return *found;
}

}  // namespace dhyan::phrases::french
