#include <array>

#include "phrasebook/french_compound.h"
#include "phrasebook/french_simple.h"
#include "phrasebook/grammar.h"

namespace dhyan::phrases {

namespace french {

namespace {

// The last step of every sentence: contraction and elision.
template <Part (*make)(Draw&)>
Part smoothed(Draw& draw) {
  Part part = make(draw);
  part.source = smooth(std::move(part.source));
  return part;
}

constexpr auto kFamilies = std::to_array<Family>({
    {12, smoothed<noun_phrase>},
    {10, smoothed<bare_institution>},
    {6, smoothed<institution_sentence>},
    {44, smoothed<plain_statement>},
    {10, smoothed<any_question>},
    {6, smoothed<like_of_thing>},
    {10, smoothed<any_quality>},
    {6, smoothed<possession>},
    {3, smoothed<existence>},
    {6, smoothed<because>},
    {6, smoothed<two_clauses>},
    {4, smoothed<condition>},
    {5, smoothed<relative>},
    {12, smoothed<long_sentence>},
});

constexpr auto kLonger = std::to_array<Family>({{45, smoothed<tale>}});

Part economic_area(Draw& draw) { return institution(draw, heads()[0], &domains()[0], regions()[0]).name; }

Part will_eat(Draw& draw) {
  return statement(draw, Clause{pronoun_subject(draw, 0, Gender::kMasculine), &verb_named("manger"), Tense::kFuture});
}

constexpr Part (*kShown[])(Draw&) = {smoothed<economic_area>, smoothed<will_eat>};

constexpr std::string_view kHeldOut[] = {"zone+économique+européen", "je+manger+future"};

constexpr Grammar kGrammar{"fr-en", kFamilies, kLonger, kShown, kHeldOut, 5000};

}  // namespace

}  // namespace french

const Grammar& french_grammar() { return french::kGrammar; }

}  // namespace dhyan::phrases
