#include <gtest/gtest.h>

#include "phrasebook/hindi_clause.h"
#include "phrasebook/hindi_compound.h"
#include "phrasebook/hindi_copula.h"
#include "phrasebook/hindi_simple.h"

namespace dhyan::phrases::hindi {
namespace {

constexpr Number kSg = Number::kSingular, kPl = Number::kPlural;

struct Expected {
  std::string_view who;  // a pronoun, a name or a relative of mine
  Gender gender;
  std::string_view stem, english;
  Tense tense;
  std::string_view what;  // a noun; empty for none
  ThingOptions options;
  Polarity polarity;
  std::string_view source, target;
};

Being someone(Draw& draw, std::string_view who, Gender gender) {
  for (const Pronoun& pronoun : pronouns()) {
    const bool other = pronoun.who == Who::kOne && (pronoun.person == Person::kHe) != (gender == kM);
    if (pronoun.direct == who && !other) return being(draw, pronoun, gender);
  }
  for (const Name& name : names()) {
    if (name.hindi == who) return being(draw, name);
  }
  for (const Human& human : people()) {
    if (human.hindi == who) return being(draw, human, kSg);
  }
  for (const Human& human : relatives()) {
    if (human.hindi == who) return relative_of(draw, human, pronoun_for(Person::kI));
  }
  ADD_FAILURE() << who;
  return any_name(draw);
}

Clause clause_of(Draw& draw, const Expected& expected) {
  Clause clause{someone(draw, expected.who, expected.gender), &verb_named(expected.stem, expected.english),
                expected.tense, expected.polarity};
  if (!expected.what.empty()) clause.thing = thing(draw, noun_named(expected.what), expected.options);
  return clause;
}

constexpr Polarity kYes = Polarity::kPositive, kNo = Polarity::kNegative;
constexpr ThingOptions kBare{};
constexpr ThingOptions kMany{.number = kPl};
constexpr ThingOptions kThis{.determiner = Determiner::kThis};

const Expected kStatements[] = {
    {"मैं", kM, "खा", "eat", Tense::kContinuous, "खाना", kBare, kYes, "मैं खाना खा रहा हूँ", "I am eating food"},
    {"मैं", kF, "खा", "eat", Tense::kContinuous, "खाना", kBare, kYes, "मैं खाना खा रही हूँ", "I am eating food"},
    {"तुम", kM, "पी", "drink", Tense::kHabitual, "चाय", kBare, kYes, "तुम चाय पीते हो", "you drink tea"},
    {"आप", kF, "पी", "drink", Tense::kHabitual, "चाय", kBare, kNo, "आप चाय नहीं पीती हैं", "you do not drink tea"},
    {"वह", kM, "पढ़", "read", Tense::kHabitual, "किताब", kMany, kYes, "वह किताबें पढ़ता है", "he reads books"},
    {"वह", kF, "पढ़", "read", Tense::kContinuous, "किताब", kBare, kYes, "वह किताब पढ़ रही है", "she is reading a book"},
    {"हम", kM, "देख", "watch", Tense::kFuture, "फ़िल्म", kBare, kYes, "हम फ़िल्म देखेंगे", "we will watch a film"},
    {"मैं", kF, "खा", "eat", Tense::kFuture, "सेब", kBare, kNo, "मैं सेब नहीं खाऊँगी", "I will not eat an apple"},
    {"तुम",
     kM,
     "कर",
     "clean",
     Tense::kFuture,
     "कमरा",
     {.determiner = Determiner::kThe},
     kYes,
     "तुम कमरा साफ़ करोगे",
     "you will clean the room"},
    {"राम", kM, "खा", "eat", Tense::kPast, "रोटी", kBare, kYes, "राम ने रोटी खाई", "Ram ate bread"},
    {"सीता", kF, "खा", "eat", Tense::kPast, "सेब", kBare, kYes, "सीता ने सेब खाया", "Sita ate an apple"},
    {"मैं", kM, "पढ़", "read", Tense::kPast, "किताब", kMany, kYes, "मैंने किताबें पढ़ीं", "I read books"},
    {"मैं", kM, "पढ़", "read", Tense::kPerfect, "किताब", kMany, kYes, "मैंने किताबें पढ़ी हैं", "I have read books"},
    {"राम", kM, "ला", "bring", Tense::kPast, "चाबी", kBare, kYes, "राम चाबी लाया", "Ram brought a key"},
    {"लड़का", kM, "खा", "eat", Tense::kPast, "केला", kMany, kYes, "लड़के ने केले खाए", "the boy ate bananas"},
    {"वे", kF, "जा", "go", Tense::kPast, "", kBare, kYes, "वे गईं", "they went"},
    {"पिता", kM, "कर", "work", Tense::kHabitual, "", kBare, kYes, "मेरे पिता काम करते हैं", "my father works"},
    {"माँ", kF, "बना", "make", Tense::kPastContinuous, "चाय", kBare, kYes, "मेरी माँ चाय बना रही थीं",
     "my mother was making tea"},
    {"भाई", kM, "कर", "work", Tense::kPast, "", kBare, kNo, "मेरे भाई ने काम नहीं किया", "my brother did not work"},
    {"बहन", kF, "खेल", "play", Tense::kUsedTo, "हॉकी", kBare, kYes, "मेरी बहन हॉकी खेलती थी",
     "my sister used to play hockey"},
    {"राम", kM, "बोल", "speak", Tense::kCan, "हिंदी", kBare, kNo, "राम हिंदी नहीं बोल सकता है", "Ram cannot speak Hindi"},
    {"वे", kM, "सीख", "learn", Tense::kWantTo, "हिंदी", kBare, kNo, "वे हिंदी सीखना नहीं चाहते हैं",
     "they do not want to learn Hindi"},
    {"मैं", kM, "खा", "eat", Tense::kAlready, "खाना", kBare, kYes, "मैं खाना खा चुका हूँ", "I have already eaten food"},
    {"राम", kM, "पढ़", "read", Tense::kHaveTo, "किताब", kThis, kYes, "राम को यह किताब पढ़नी है",
     "Ram has to read this book"},
    {"तुम", kM, "पी", "drink", Tense::kShould, "दूध", kBare, kYes, "तुम्हें दूध पीना चाहिए", "you should drink milk"},
    {"सीता", kF, "देख", "watch", Tense::kLikeTo, "फ़िल्म", kMany, kNo, "सीता को फ़िल्में देखना पसंद नहीं है",
     "Sita does not like to watch films"},
    {"राम", kM, "उठ", "wake", Tense::kHabitual, "", kBare, kYes, "राम उठता है", "Ram wakes up"},
    {"मैं", kM, "खेल", "play", Tense::kGoingTo, "", kBare, kYes, "मैं खेलने जा रहा हूँ", "I am going to play"},
};

TEST(Hindi, VerbsAgreeWithSubjectOrObject) {
  for (const Expected& expected : kStatements) {
    Draw draw(Rng(1));
    const PhrasePair pair = to_pair(statement(draw, clause_of(draw, expected)));
    EXPECT_EQ(pair.source, expected.source);
    EXPECT_EQ(pair.target, expected.target);
  }
}

TEST(Hindi, AlignsAuxiliariesWithAuxiliaries) {
  Draw draw(Rng(1));
  const PhrasePair eating = to_pair(statement(draw, clause_of(draw, kStatements[0])));
  EXPECT_EQ(to_pharaoh(eating.alignment), "0-0 1-3 2-2 3-1 4-1");  // I-मैं am-रहा-हूँ eating-खा food-खाना
  const PhrasePair not_drinking = to_pair(statement(draw, clause_of(draw, kStatements[3])));
  EXPECT_EQ(to_pharaoh(not_drinking.alignment), "0-0 1-4 2-2 3-3 4-1");  // do-हैं
}

TEST(Hindi, QuestionsKeepTheWordOrderAndEnglishInvertsIt) {
  const auto asked = [](const Expected& expected, std::string_view word) {
    Draw draw(Rng(1));
    const Clause clause = clause_of(draw, expected);
    const PhrasePair pair = to_pair(word.empty() ? question(draw, clause) : question(draw, clause, word));
    return pair.source + " | " + pair.target;
  };
  const Expected tea{"तुम", kM, "पी", "drink", Tense::kHabitual, "चाय", kBare, kYes, "", ""};
  EXPECT_EQ(asked(tea, ""), "क्या तुम चाय पीते हो | do you drink tea");
  EXPECT_EQ(asked(tea, "क्यों = why"), "तुम चाय क्यों पीते हो | why do you drink tea");
  const Expected going{"वह", kF, "जा", "go", Tense::kContinuous, "", kBare, kYes, "", ""};
  EXPECT_EQ(asked(going, "कहाँ = where"), "वह कहाँ जा रही है | where is she going");
  const Expected ate{"राम", kM, "खा", "eat", Tense::kPast, "", kBare, kYes, "", ""};
  EXPECT_EQ(asked(ate, "क्या = what"), "राम ने क्या खाया | what did Ram eat");
  const Expected coming{"सीता", kF, "आ", "come", Tense::kFuture, "", kBare, kYes, "", ""};
  EXPECT_EQ(asked(coming, "कब = when"), "सीता कब आएगी | when will Sita come");
}

TEST(Hindi, MarksPeopleAsTheVerbRequires) {
  const auto said = [](std::string_view stem, std::string_view english, std::string_view whom) {
    Draw draw(Rng(1));
    Clause clause{someone(draw, "सीता", kF), &verb_named(stem, english), Tense::kPast};
    clause.person = someone(draw, whom, kM);
    const PhrasePair pair = to_pair(statement(draw, clause));
    return pair.source + " | " + pair.target;
  };
  EXPECT_EQ(said("बुला", "call", "राम"), "सीता ने राम को बुलाया | Sita called Ram");
  EXPECT_EQ(said("मिल", "meet", "मैं"), "सीता मुझसे मिली | Sita met me");
  EXPECT_EQ(said("कर", "talk", "भाई"), "सीता ने मेरे भाई से बात की | Sita talked to my brother");
  EXPECT_EQ(said("कर", "help", "हम"), "सीता ने हमारी मदद की | Sita helped us");
  EXPECT_EQ(said("कर", "wait", "आप"), "सीता ने आपका इंतज़ार किया | Sita waited for you");
}

TEST(Hindi, InflectsNounsAndAdjectives) {
  EXPECT_EQ(noun("लड़का", kM, kPl, Case::kOblique), "लड़कों");
  EXPECT_EQ(noun("लड़की", kF, kPl, Case::kDirect), "लड़कियाँ");
  EXPECT_EQ(noun("किताब", kF, kPl, Case::kOblique), "किताबों");
  EXPECT_EQ(noun("कविता", kF, kPl, Case::kDirect), "कविताएँ");
  EXPECT_EQ(noun("घर", kM, kPl, Case::kDirect), "घर");
  EXPECT_EQ(adjective("अच्छा", kM, kSg, Case::kOblique), "अच्छे");
  EXPECT_EQ(adjective("नया", kF, kPl), "नई");
  EXPECT_EQ(adjective("लाल", kF, kPl), "लाल");
  EXPECT_EQ(polite_command("पी"), "पीजिए");
  EXPECT_EQ(polite_command("पढ़"), "पढ़िए");
  EXPECT_EQ(familiar_command("जा"), "जाओ");
  EXPECT_EQ(future("दे", {Who::kMany, kF}), "देंगी");
  EXPECT_EQ(future("सो", {Who::kTum, kM}), "सोओगे");
}

TEST(Hindi, ThingsTakeDeterminersAndAdjectives) {
  const auto said = [](std::string_view noun, const ThingOptions& options) {
    Draw draw(Rng(1));
    const Thing what = thing(draw, noun_named(noun), options);
    const PhrasePair pair = to_pair({what.source, what.target});
    return pair.source + " | " + pair.target;
  };
  const Adjective red{"लाल", "red", "", 0}, new_one{"नया", "new", "", 0}, old{"पुराना", "old", "", 0};
  EXPECT_EQ(said("गाड़ी", {.adjective = &new_one}), "नई गाड़ी | a new car");
  EXPECT_EQ(said("छाता", {.determiner = Determiner::kOne}), "एक छाता | an umbrella");
  EXPECT_EQ(said("छाता", {.determiner = Determiner::kOne, .adjective = &red}), "एक लाल छाता | a red umbrella");
  EXPECT_EQ(said("छाता", {.adjective = &old}), "पुराना छाता | an old umbrella");
  EXPECT_EQ(said("किताब", {.determiner = Determiner::kThat, .number = kPl}), "वे किताबें | those books");
  EXPECT_EQ(said("कपड़े", {.determiner = Determiner::kOwn, .owner = Person::kShe}), "अपने कपड़े | her clothes");
  EXPECT_EQ(said("अख़बार", {}), "अख़बार | the newspaper");
}

TEST(Hindi, PronounsReferToThePersonNamedBefore) {
  Draw draw(Rng(1));
  const Being father = again(draw, someone(draw, "पिता", kM));
  EXPECT_EQ(father.direct.front().text, "वे");  // honoured
  EXPECT_EQ(father.target.front().text, "he");
  const Being sita = again(draw, someone(draw, "सीता", kF));
  EXPECT_EQ(marked(sita, Marker::kKo, sita.link).front().text, "उसे");
  EXPECT_EQ(sita.target.front().text, "she");
}

TEST(Hindi, AlwaysShowsTheGenderOfPronouns) {
  const Rng rng(5);
  for (std::uint64_t i = 0; i < 2000; ++i) {
    Draw draw(rng.split(i));
    const Clause clause = any_clause(draw);
    if (!clause.subject.veiled) continue;
    EXPECT_FALSE(takes_ergative(*clause.verb, clause.tense) || takes_dative(clause.tense)) << clause.verb->stem;
  }
}

}  // namespace
}  // namespace dhyan::phrases::hindi
