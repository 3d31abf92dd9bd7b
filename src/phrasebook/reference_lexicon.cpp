#include "phrasebook/reference_lexicon.h"

#include <array>

namespace dhyan::phrases::reference {

namespace {

constexpr auto kMasculine = french::Gender::kMasculine, kFeminine = french::Gender::kFeminine;

// Where one eats, and what.
constexpr auto kEateries = std::to_array<Noun>({{"restaurant", "restaurant", kMasculine},
                                                {"café", "café", kMasculine},
                                                {"hotel", "hôtel", kMasculine},
                                                {"pub", "pub", kMasculine},
                                                {"canteen", "cantine", kFeminine},
                                                {"inn", "auberge", kFeminine},
                                                {"bakery", "boulangerie", kFeminine},
                                                {"pizzeria", "pizzeria", kFeminine}});
constexpr auto kDishes = std::to_array<Noun>({{"ham sandwich", "sandwich au jambon", kMasculine},
                                              {"cake", "gâteau", kMasculine},
                                              {"steak", "steak", kMasculine},
                                              {"curry", "curry", kMasculine},
                                              {"soup", "soupe", kFeminine},
                                              {"salad", "salade", kFeminine},
                                              {"omelette", "omelette", kFeminine},
                                              {"tart", "tarte", kFeminine}});
constexpr auto kServed = std::to_array<std::string_view>({
    "A refused1 to2 serve3 me4 B = A a1 refusé1 de2 me4 servir3 B",
    "A brought1 us2 B = A nous2 a1 apporté1 B",
    "we1 sent2 B back2 to4 A = nous1 avons2 renvoyé2 B à4 A",
    "I1 did2 not3 order4 B in5 A = je1 ne3 ai2 pas3 commandé4 B dans5 A",
    "B from1 A did2 not3 please4 me5 = B de1 A ne3 m'5 a2 pas3 plu4",
});
constexpr auto kOfEateries = std::to_array<std::string_view>({
    "it1 only2 cooks3 vegetarian4 food5 = il/elle1 ne2 cuisine3 que2 de5 la5 nourriture5 végétarienne4",
    "it1 closes2 too3 early4 = il/elle1 ferme2 trop3 tôt4",
    "it1 had2 no3 free4 table5 = il/elle1 ne3 avait2 pas3 de3 table5 libre4",
    "it1 hired2 a3 bad4 cook5 = il/elle1 a2 engagé2 un3 mauvais4 cuisinier5",
    "it1 has2 a3 new4 owner5 = il/elle1 a2 un3 nouveau4 propriétaire5",
    "I1 wanted2 to3 leave3 it4 = je1 voulais2 le/la4 quitter3",
});
constexpr auto kOfDishes = std::to_array<std::string_view>({
    "it1 was2 too3 salty4 = il/elle1 était2 trop3 salé/salée4",
    "it1 was2 already3 cold4 = il/elle1 était2 déjà3 froid/froide4",
    "it1 smelled2 of3 garlic3 = il/elle1 sentait2 l'3 ail3",
    "it1 contained2 too3 much3 pepper4 = il/elle1 contenait2 trop3 de3 poivre4",
    "it1 was2 badly3 cooked4 = il/elle1 était2 mal3 cuit/cuite4",
    "I1 wanted2 to3 taste3 it4 = je1 voulais2 le/la4 goûter3",
});

// Animals, and what they cross.
constexpr auto kAnimals = std::to_array<Noun>({{"dog", "chien", kMasculine},
                                               {"horse", "cheval", kMasculine},
                                               {"cat", "chat", kMasculine},
                                               {"donkey", "âne", kMasculine},
                                               {"cow", "vache", kFeminine},
                                               {"goat", "chèvre", kFeminine},
                                               {"tortoise", "tortue", kFeminine},
                                               {"hen", "poule", kFeminine}});
constexpr auto kWays = std::to_array<Noun>({{"path", "chemin", kMasculine},
                                            {"bridge", "pont", kMasculine},
                                            {"field", "champ", kMasculine},
                                            {"stream", "ruisseau", kMasculine},
                                            {"street", "rue", kFeminine},
                                            {"river", "rivière", kFeminine},
                                            {"road", "route", kFeminine},
                                            {"square", "place", kFeminine}});
constexpr auto kCrossed = std::to_array<std::string_view>({
    "A did1 not2 cross3 B = A ne2 a1 pas2 traversé3 B",
    "A avoided1 B = A a1 évité1 B",
    "we1 led2 A away2 from3 B = nous1 avons2 éloigné2 A de3 B",
    "B frightened1 A = B a1 effrayé1 A",
    "B separated1 us2 from3 A = B nous2 a1 séparés1 de3 A",
});
constexpr auto kOfAnimals = std::to_array<std::string_view>({
    "it1 was2 too3 tired4 = il/elle1 était2 trop3 fatigué/fatiguée4",
    "it1 was2 afraid3 = il/elle1 avait2 peur3",
    "it1 limped2 badly3 = il/elle1 boitait2 beaucoup3",
    "it1 heard2 a3 wolf4 = il/elle1 entendait2 un3 loup4",
    "it1 only2 obeys3 its4 master5 = il/elle1 ne2 obéit3 qu'2 à3 son4 maître5",
    "I1 wanted2 to3 feed3 it4 = je1 voulais2 le/la4 nourrir3",
});
constexpr auto kOfWays = std::to_array<std::string_view>({
    "it1 was2 too3 wide4 = il/elle1 était2 trop3 large4",
    "it1 was2 flooded3 = il/elle1 était2 inondé/inondée3",
    "it1 leads2 to3 the4 factory4 = il/elle1 mène2 à3 l'4 usine4",
    "it1 passes2 through3 the4 forest4 = il/elle1 passe2 par3 la4 forêt4",
    "it1 was2 covered3 with4 snow5 = il/elle1 était2 couvert/couverte3 de4 neige5",
    "I1 had2 to3 clear3 it4 = je1 devais2 le/la4 dégager3",
});

// Things, and what they are packed into.
constexpr auto kThings = std::to_array<Noun>({{"vase", "vase", kMasculine},
                                              {"violin", "violon", kMasculine},
                                              {"dictionary", "dictionnaire", kMasculine},
                                              {"helmet", "casque", kMasculine},
                                              {"lamp", "lampe", kFeminine},
                                              {"guitar", "guitare", kFeminine},
                                              {"doll", "poupée", kFeminine},
                                              {"clock", "horloge", kFeminine}});
constexpr auto kContainers = std::to_array<Noun>({{"bag", "sac", kMasculine},
                                                  {"drawer", "tiroir", kMasculine},
                                                  {"chest", "coffre", kMasculine},
                                                  {"basket", "panier", kMasculine},
                                                  {"box", "boîte", kFeminine},
                                                  {"suitcase", "valise", kFeminine},
                                                  {"wardrobe", "armoire", kFeminine},
                                                  {"crate", "caisse", kFeminine}});
constexpr auto kPacked = std::to_array<std::string_view>({
    "A did1 not2 fit1 into3 B = A ne2 entrait1 pas2 dans3 B",
    "I1 could2 not3 put4 A into5 B = je1 ne3 pouvais2 pas3 mettre4 A dans5 B",
    "we1 took2 A out2 of3 B = nous1 avons2 sorti2 A de3 B",
    "B did1 not2 suit1 A = B ne2 convenait1 pas2 à1 A",
    "B could1 not2 hold3 A = B ne2 pouvait1 pas2 contenir3 A",
});
constexpr auto kOfThings = std::to_array<std::string_view>({
    "it1 was2 too3 big4 = il/elle1 était2 trop3 grand/grande4",
    "it1 was2 too3 long4 = il/elle1 était2 trop3 long/longue4",
    "it1 stuck2 out2 at3 the3 top3 = il/elle1 dépassait2 en3 haut3",
    "it1 broke2 easily3 = il/elle1 cassait2 facilement3",
    "it1 needed2 more3 room4 = il/elle1 demandait2 plus3 de3 place4",
    "I1 had2 to3 protect3 it4 = je1 devais2 le/la4 protéger3",
});
constexpr auto kOfContainers = std::to_array<std::string_view>({
    "it1 was2 too3 small4 = il/elle1 était2 trop3 petit/petite4",
    "it1 was2 too3 narrow4 = il/elle1 était2 trop3 étroit/étroite4",
    "it1 was2 already3 full4 = il/elle1 était2 déjà3 plein/pleine4",
    "it1 did2 not3 close2 = il/elle1 ne3 fermait2 pas3",
    "it1 lacked2 a3 lid4 = il/elle1 manquait2 de3 couvercle4",
    "I1 had2 to3 empty3 it4 = je1 devais2 le/la4 vider3",
});

// Institutions, and what they keep.
constexpr auto kInstitutions = std::to_array<Noun>({{"museum", "musée", kMasculine},
                                                    {"institute", "institut", kMasculine},
                                                    {"ministry", "ministère", kMasculine},
                                                    {"college", "collège", kMasculine},
                                                    {"library", "bibliothèque", kFeminine},
                                                    {"school", "école", kFeminine},
                                                    {"university", "université", kFeminine},
                                                    {"bookshop", "librairie", kFeminine}});
constexpr auto kPapers = std::to_array<Noun>({{"newspaper", "journal", kMasculine},
                                              {"novel", "roman", kMasculine},
                                              {"atlas", "atlas", kMasculine},
                                              {"report", "rapport", kMasculine},
                                              {"magazine", "revue", kFeminine},
                                              {"map", "carte", kFeminine},
                                              {"letter", "lettre", kFeminine},
                                              {"picture", "photo", kFeminine}});
constexpr auto kLent = std::to_array<std::string_view>({
    "A did1 not2 lend3 me4 B = A ne2 m'4 a1 pas2 prêté3 B",
    "A sold1 us2 B = A nous2 a1 vendu1 B",
    "we1 returned2 B to3 A = nous1 avons2 rendu2 B à3 A",
    "I1 did2 not3 find4 B in5 A = je1 ne3 ai2 pas3 trouvé4 B dans5 A",
    "B of1 A surprised2 me3 = B de1 A m'3 a2 surpris2",
});
constexpr auto kOfInstitutions = std::to_array<std::string_view>({
    "it1 closes2 on3 Mondays3 = il/elle1 ferme2 le3 lundi3",
    "it1 has2 a3 new4 director5 = il/elle1 a2 un3 nouveau4 directeur5",
    "it1 only2 admits3 members4 = il/elle1 ne2 admet3 que2 des4 membres4",
    "it1 employs2 good3 experts4 = il/elle1 emploie2 de3 bons3 experts4",
    "it1 moved2 to3 Lyon4 = il/elle1 a2 déménagé2 à3 Lyon4",
    "I1 wanted2 to3 visit3 it4 = je1 voulais2 le/la4 visiter3",
});
constexpr auto kOfPapers = std::to_array<std::string_view>({
    "it1 was2 torn3 = il/elle1 était2 déchiré/déchirée3",
    "it1 was2 printed3 in4 Germany5 = il/elle1 était2 imprimé/imprimée3 en4 Allemagne5",
    "it1 dated2 from3 another4 century5 = il/elle1 datait2 de3 un4 autre4 siècle5",
    "it1 showed2 the3 old4 harbour5 = il/elle1 montrait2 le3 vieux4 port5",
    "it1 fell2 into3 the4 water4 = il/elle1 était2 tombé/tombée2 dans3 l'4 eau4",
    "I1 wanted2 to3 copy3 it4 = je1 voulais2 le/la4 copier3",
});

// Workshops, and what they repair.
constexpr auto kWorkshops = std::to_array<Noun>({{"garage", "garage", kMasculine},
                                                 {"workshop", "atelier", kMasculine},
                                                 {"shop", "magasin", kMasculine},
                                                 {"depot", "dépôt", kMasculine},
                                                 {"factory", "usine", kFeminine},
                                                 {"company", "entreprise", kFeminine},
                                                 {"agency", "agence", kFeminine},
                                                 {"firm", "firme", kFeminine}});
constexpr auto kVehicles = std::to_array<Noun>({{"truck", "camion", kMasculine},
                                                {"scooter", "scooter", kMasculine},
                                                {"tractor", "tracteur", kMasculine},
                                                {"bus", "bus", kMasculine},
                                                {"car", "voiture", kFeminine},
                                                {"motorcycle", "moto", kFeminine},
                                                {"van", "camionnette", kFeminine},
                                                {"ambulance", "ambulance", kFeminine}});
constexpr auto kRepaired = std::to_array<std::string_view>({
    "A could1 not2 repair3 B = A ne2 pouvait1 pas2 réparer3 B",
    "A did1 not2 sell3 B = A ne2 a1 pas2 vendu3 B",
    "we1 brought2 B to3 A = nous1 avons2 apporté2 B à3 A",
    "I1 bought2 B from3 A = je1 ai2 acheté2 B à3 A",
    "B left1 A = B a1 quitté1 A",
});
constexpr auto kOfWorkshops = std::to_array<std::string_view>({
    "it1 had2 no3 tools4 = il/elle1 ne3 avait2 pas3 de3 outils4",
    "it1 only2 works3 for4 farmers5 = il/elle1 ne2 travaille3 que2 pour4 les5 paysans5",
    "it1 employs2 good3 mechanics4 = il/elle1 emploie2 de3 bons3 mécaniciens4",
    "it1 has2 low3 prices4 = il/elle1 a2 des4 prix4 bas3",
    "it1 was2 on3 strike4 = il/elle1 était2 en3 grève4",
    "I1 had2 to3 modernise3 it4 = je1 devais2 le/la4 moderniser3",
});
constexpr auto kOfVehicles = std::to_array<std::string_view>({
    "it1 used2 too3 much3 petrol4 = il/elle1 consommait2 trop3 de3 essence4",
    "it1 was2 too3 rusty4 = il/elle1 était2 trop3 rouillé/rouillée4",
    "it1 braked2 badly3 = il/elle1 freinait2 mal3",
    "it1 had2 a3 flat4 tyre5 = il/elle1 avait2 un3 pneu5 crevé4",
    "it1 did2 not3 start2 = il/elle1 ne3 démarrait2 pas3",
    "I1 wanted2 to3 drive3 it4 = je1 voulais2 le/la4 conduire3",
});

constexpr auto kScenes = std::to_array<Scene>({
    {kEateries, kDishes, kServed, kOfEateries, kOfDishes},
    {kAnimals, kWays, kCrossed, kOfAnimals, kOfWays},
    {kThings, kContainers, kPacked, kOfThings, kOfContainers},
    {kInstitutions, kPapers, kLent, kOfInstitutions, kOfPapers},
    {kWorkshops, kVehicles, kRepaired, kOfWorkshops, kOfVehicles},
});

}  // namespace

std::span<const Scene> scenes() { return kScenes; }

}  // namespace dhyan::phrases::reference
