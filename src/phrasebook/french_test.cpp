#include <gtest/gtest.h>

#include "phrasebook/french_clause.h"
#include "phrasebook/french_simple.h"

namespace dhyan::phrases::french {
namespace {

constexpr Gender kM = Gender::kMasculine, kF = Gender::kFeminine;
constexpr Polarity kYes = Polarity::kPositive, kNo = Polarity::kNegative;

std::string finished(Part part) {
  part.source = smooth(std::move(part.source));
  const PhrasePair pair = to_pair(part);
  return pair.source + " | " + pair.target;
}

struct Expected {
  std::size_t row;
  Gender gender;
  std::string_view infinitive;
  Tense tense;
  std::string_view what;
  Polarity polarity;
  std::string_view said;
};

TEST(French, ConjugatesAndNegates) {
  constexpr Expected kExpected[] = {
      {0, kM, "manger", Tense::kFuture, "", kYes, "je vais manger | I will eat"},
      {0, kM, "manger", Tense::kHabitual, "pain", kYes, "je mange du pain | I eat bread"},
      {0, kM, "manger", Tense::kHabitual, "pain", kNo, "je ne mange pas de pain | I do not eat bread"},
      {3, kM, "manger", Tense::kHabitual, "pomme", kYes, "nous mangeons une pomme | we eat an apple"},
      {0, kM, "acheter", Tense::kHabitual, "voiture", kYes, "j'achète une voiture | I buy a car"},
      {2, kM, "écouter", Tense::kHabitual, "musique", kNo, "il n'écoute pas de musique | he does not listen to music"},
      {2, kF, "boire", Tense::kPast, "eau", kYes, "elle a bu de l'eau | she drank water"},
      {0, kM, "boire", Tense::kPast, "eau", kNo, "je n'ai pas bu d'eau | I did not drink water"},
      {5, kF, "aller", Tense::kPast, "", kYes, "elles sont allées | they went"},
      {3, kM, "manger", Tense::kPastContinuous, "", kYes, "nous mangions | we were eating"},
      {0, kM, "manger", Tense::kPastContinuous, "", kYes, "je mangeais | I was eating"},
      {1, kM, "lire", Tense::kCan, "livre", kNo, "tu ne peux pas lire de livre | you cannot read a book"},
      {4, kM, "dormir", Tense::kWantTo, "", kYes, "vous voulez dormir | you want to sleep"},
      {5, kM, "travailler", Tense::kHaveTo, "", kYes, "ils doivent travailler | they have to work"},
      {0, kF, "chanter", Tense::kLikeTo, "", kYes, "j'aime chanter | I like to sing"},
  };
  for (const Expected& expected : kExpected) {
    Draw draw(Rng(1));
    Clause clause{pronoun_subject(draw, expected.row, expected.gender), &verb_named(expected.infinitive),
                  expected.tense, expected.polarity};
    if (!expected.what.empty()) clause.thing = thing(draw, noun_named(expected.what), {});
    EXPECT_EQ(finished(statement(draw, clause)), expected.said);
  }
}

TEST(French, AdjectivesAgreeAndStandBeforeOrAfterTheNoun) {
  const auto said = [](std::string_view noun, const ThingOptions& options) {
    Draw draw(Rng(1));
    const Thing what = thing(draw, noun_named(noun), options);
    return finished({what.source, what.target});
  };
  const Adjective red{"rouge", "rouge", "red", Position::kAfter, 0},
      white{"blanc", "blanche", "white", Position::kAfter, 0};
  const Adjective big{"grand", "grande", "big", Position::kBefore, 0};
  EXPECT_EQ(said("voiture", {.determiner = Determiner::kThe, .after = &red}), "la voiture rouge | the red car");
  EXPECT_EQ(said("maison", {.before = &big, .after = &white}), "une grande maison blanche | a big white house");
  EXPECT_EQ(said("maison", {.number = Number::kPlural, .before = &big}), "de grandes maisons | big houses");
  EXPECT_EQ(said("chapeau", {.number = Number::kPlural, .after = &white}), "des chapeaux blancs | white hats");
  EXPECT_EQ(said("journal", {.determiner = Determiner::kThe, .number = Number::kPlural}),
            "les journaux | the newspapers");
  EXPECT_EQ(said("histoire", {.determiner = Determiner::kOwn}), "mon histoire | my story");
  EXPECT_EQ(said("eau", {.determiner = Determiner::kThe}), "l'eau | the water");
}

TEST(French, AsksWithEstCeQue) {
  Draw draw(Rng(1));
  const Clause clause{pronoun_subject(draw, 2, kM), &verb_named("dormir"), Tense::kHabitual};
  EXPECT_EQ(finished(question(draw, clause)), "est-ce qu'il dort | does he sleep");
  EXPECT_EQ(finished(question(draw, clause, "pourquoi = why")), "pourquoi est-ce qu'il dort | why does he sleep");
}

TEST(French, WordsContractAndElide) {
  const auto smoothed = [](std::string_view text) { return to_pair({smooth(words(text, {})), {}}).source; };
  EXPECT_EQ(smoothed("je vais à le marché"), "je vais au marché");
  EXPECT_EQ(smoothed("le rapport de le comité"), "le rapport du comité");
  EXPECT_EQ(smoothed("le rapport de la agence"), "le rapport de l'agence");
  EXPECT_EQ(smoothed("si il pleut"), "s'il pleut");
  EXPECT_EQ(smoothed("si elle arrive"), "si elle arrive");
  EXPECT_EQ(smoothed("ma amie"), "mon amie");
  EXPECT_EQ(smoothed("ce homme"), "cet homme");
}

TEST(French, InstitutionsReverseTheirAdjectives) {
  Draw draw(Rng(1));
  const PhrasePair pair = to_pair(institution(draw, heads()[0], &domains()[0], regions()[0]).name);
  EXPECT_EQ(pair.source, "zone économique européenne");
  EXPECT_EQ(pair.target, "European Economic Area");
  EXPECT_EQ(to_pharaoh(pair.alignment), "0-2 1-1 2-0");
}

}  // namespace
}  // namespace dhyan::phrases::french
