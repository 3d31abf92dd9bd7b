#include <array>

#include "phrasebook/grammar.h"
#include "phrasebook/hindi_compound.h"
#include "phrasebook/hindi_copula.h"
#include "phrasebook/hindi_simple.h"

namespace dhyan::phrases {

namespace hindi {

namespace {

Part a_day(Draw& draw) {
  Being who = any_being(draw);
  while (who.veiled) who = any_being(draw);
  Told told;
  return before_or_after(draw, who, any_era(draw), told);
}

constexpr auto kFamilies = std::to_array<Family>({
    {46, plain_statement},
    {6, yes_no_question},
    {6, open_question},
    {4, like_of_thing},
    {5, quality_of_person},
    {5, quality_of_thing},
    {3, comparison},
    {4, location},
    {2, existence},
    {4, possession},
    {2, identity},
    {4, errand},
    {3, command},
    {1, everyday},
    {5, [](Draw& draw) { return because(draw, any_era(draw)); }},
    {2, therefore},
    {4, contrast},
    {3, [](Draw& draw) { return parallel(draw, any_era(draw)); }},
    {4, [](Draw& draw) { return when_then(draw, any_era(draw)); }},
    {3, if_then},
    {3, relative_subject},
    {3, relative_object},
    {3, a_day},
    {3, reported},
    {24, long_sentence},
});

constexpr auto kLonger = std::to_array<Family>({{60, tale}});

Being me(Draw& draw) { return being(draw, pronoun_for(Person::kI), Gender::kMasculine); }

Part eating_food(Draw& draw) {
  Clause clause{me(draw), &verb_named("खा", "eat"), Tense::kContinuous};
  clause.thing = thing(draw, noun_named("खाना"), {});
  return statement(draw, clause);
}

Part love_to_eat(Draw& draw) { return statement(draw, Clause{me(draw), &verb_named("खा", "eat"), Tense::kLoveTo}); }

Part love_to_eat_food(Draw& draw) {
  Clause clause{me(draw), &verb_named("खा", "eat"), Tense::kLoveTo};
  clause.thing = thing(draw, noun_named("खाना"), {});
  return statement(draw, clause);
}

Part going_to_play(Draw& draw) { return statement(draw, Clause{me(draw), &verb_named("खेल", "play"), Tense::kGoingTo}); }

constexpr Part (*kShown[])(Draw&) = {eating_food, love_to_eat, love_to_eat_food, going_to_play};

constexpr std::string_view kHeldOut[] = {"मैं+eat+continuous", "मैं+eat+love-to", "मैं+play+going-to"};

constexpr Grammar kGrammar{"hi-en", kFamilies, kLonger, kShown, kHeldOut, 16000};

}  // namespace

}  // namespace hindi

const Grammar& hindi_grammar() { return hindi::kGrammar; }

}  // namespace dhyan::phrases
