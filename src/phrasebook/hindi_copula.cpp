#include "phrasebook/hindi_copula.h"

#include <array>

namespace dhyan::phrases::hindi {

namespace {

constexpr auto kPersonal = std::to_array<Adjective>({
    {"लंबा", "tall", "taller", 0},
    {"थका हुआ", "tired", "", 0},
    {"भूखा", "hungry", "", 0},
    {"खुश", "happy", "happier", 0},
    {"बीमार", "ill", "", 0},
    {"तैयार", "ready", "", 0},
    {"व्यस्त", "busy", "busier", 0},
    {"ईमानदार", "honest", "more honest", 0},
    {"समझदार", "wise", "wiser", 0},
    {"मशहूर", "famous", "more famous", 0},
    {"उदास", "sad", "", 0},
});

// For people, बड़ा is "older", not "bigger".
constexpr auto kCompared = std::to_array<Adjective>({
    {"लंबा", "tall", "taller", 0},
    {"बड़ा", "old", "older", 0},
    {"छोटा", "young", "younger", 0},
    {"समझदार", "wise", "wiser", 0},
    {"मशहूर", "famous", "more famous", 0},
});

std::string agreed(std::string_view word, const Agreement& agreement) {
  const Number number = number_of(agreement);
  if (word == "थका हुआ") {  // both words agree, हुआ irregularly
    const bool feminine = agreement.gender == Gender::kFeminine;
    return adjective("थका", agreement.gender, number) + (feminine ? " हुई" : number == Number::kPlural ? " हुए" : " हुआ");
  }
  return adjective(word, agreement.gender, number);
}

bool first_person(const Being& being) { return being.person == Person::kI || being.person == Person::kWe; }

Person person_of(const Thing& thing) { return thing.number == Number::kPlural ? Person::kThey : Person::kIt; }

// this car, my car, the cars
Thing known_thing(Draw& draw, const Noun& noun) {
  ThingOptions options{.determiner = Determiner::kThe};
  const std::uint64_t kind = draw.below(100);
  const bool countable = noun.count == Count::kOne;
  if (countable && draw.chance(25)) options.number = Number::kPlural;
  if (kind < 45 && countable) {
    options.determiner = kind < 25 ? Determiner::kThis : Determiner::kThat;
  } else if (kind < 75 && (noun.kinds & (kOwned | kSized)) != 0) {
    options.determiner = Determiner::kWhose;
    options.whose = &plain_pronoun(draw);
  }
  return thing(draw, noun, options);
}

Equation about(const Thing& thing, Part predicate) {
  return {{thing.source, thing.target}, agreement_with(thing), person_of(thing), std::move(predicate)};
}

Equation about(const Being& being, Part predicate) {
  return {{being.direct, being.target}, being.agreement, being.person, std::move(predicate)};
}

void vary(Draw& draw, Equation& equation) {
  if (draw.chance(15)) equation.polarity = Polarity::kNegative;
  if (draw.chance(20)) equation.past = true;
}

Part said(Draw& draw, const Equation& equation) {
  return equation.polarity == Polarity::kPositive && draw.chance(15) ? question(draw, equation)
                                                                     : statement(draw, equation);
}

struct CopulaWords {
  Part negation;
  Words hindi, english;
  Links link;
};

CopulaWords copula(Draw& draw, const Equation& equation) {
  CopulaWords result;
  result.link = draw.link();
  if (equation.polarity == Polarity::kNegative) result.negation = draw.gloss("नहीं = not");
  result.hindi = words(equation.past ? was_form(equation.agreement) : is(equation.agreement), result.link);
  result.english = words(equation.past ? was(equation.person) : be(equation.person), result.link);
  return result;
}

Part compared_people(Draw& draw) {
  const Adjective& entry = draw.one_of(kCompared);
  const Being first = draw.chance(50) ? any_name(draw) : relative_of(draw, draw.one_of(relatives()), pronouns()[0]);
  // only pronouns that show the gender; no comparison of a person with themselves
  const bool with_me = first.pronoun == nullptr && draw.chance(35);
  Being second = with_me ? being(draw, pronouns()[0], Gender::kMasculine) : any_name(draw);
  while (second.name == first.name) second = any_name(draw);
  const Links than = draw.link(), link = draw.link();
  draw.combine(first.name, entry.hindi, second.name);
  Part predicate{marked(second, Marker::kSe, than) + words(agreed(entry.hindi, first.agreement), link),
                 words(entry.comparative, link) + words("than", than) + as_object(second)};
  return said(draw, about(first, std::move(predicate)));
}

// "मेरा घर आपके घर से बड़ा है"
Part compared_things(Draw& draw) {
  const Adjective& entry = *draw.one_where(
      adjectives(), [](const Adjective& a) { return !a.comparative.empty() && (a.kinds & (kGoods | kSized)) != 0; });
  const Noun& item = *draw.one_where(nouns(), [&](const Noun& noun_entry) {
    return noun_entry.count == Count::kOne && (noun_entry.kinds & entry.kinds) != 0;
  });
  draw.combine(entry.hindi, item.hindi, "than");
  const bool owned = (item.kinds & (kOwned | kSized)) != 0 && draw.chance(50);
  const Pronoun& owner = plain_pronoun(draw);
  const Pronoun& other = plain_pronoun_but(draw, owner.person);
  const Thing first = owned ? thing(draw, item, {.determiner = Determiner::kWhose, .whose = &owner})
                            : thing(draw, item, {.determiner = Determiner::kThis});
  const Links that = draw.link(), second = draw.link(), than = draw.link(), link = draw.link();
  const std::string whose = owned ? adjective(other.genitive, item.gender, Number::kSingular, Case::kOblique) : "उस";
  Part predicate{words(whose, that) + words(noun(item.hindi, item.gender, Number::kSingular, Case::kOblique), second) +
                     words("से", than) + words(agreed(entry.hindi, agreement_with(first)), link),
                 words(entry.comparative, link) + words("than", than) +
                     words(owned ? possessive(other.person) : "that", that) + words(item.english, second)};
  return said(draw, about(first, std::move(predicate)));
}

}  // namespace

Part statement(Draw& draw, const Equation& equation) {
  const CopulaWords be_words = copula(draw, equation);
  return {equation.subject.source + equation.predicate.source + be_words.negation.source + be_words.hindi,
          equation.subject.target + be_words.english + be_words.negation.target + equation.predicate.target};
}

Part question(Draw& draw, const Equation& equation) {
  const CopulaWords be_words = copula(draw, equation);
  return {words("क्या", be_words.link) + equation.subject.source + equation.predicate.source + be_words.negation.source +
              be_words.hindi,
          be_words.english + equation.subject.target + be_words.negation.target + equation.predicate.target};
}

Part quality(Draw& draw, const Adjective& entry, const Agreement& agreement, unsigned percent_very) {
  const Links link = draw.link();
  const Part plain{words(agreed(entry.hindi, agreement), link), words(entry.english, link)};
  return draw.chance(percent_very) ? in_turn({draw.gloss("बहुत = very"), plain}) : plain;
}

Part quality_of_person(Draw& draw) {
  const Adjective& entry = draw.one_of(kPersonal);
  Being someone = any_being(draw);
  // वह खुश है is he or she; वह लंबी है is she
  while (someone.veiled && !entry.hindi.ends_with("ा")) someone = any_being(draw);
  draw.combine(someone.name, entry.hindi);
  Equation equation = about(someone, quality(draw, entry, someone.agreement, 25));
  vary(draw, equation);
  return said(draw, equation);
}

Part quality_of_thing(Draw& draw) {
  const Noun& noun_entry = *draw.one_where(nouns(), [](const Noun& entry) {
    return entry.hindi != "मिठाई" && entry.hindi != "पैसे" && (entry.kinds & (kGame | kLanguage | kTaught)) == 0;
  });
  const Adjective* entry = fitting_adjective(draw, noun_entry);
  if (entry == nullptr) return quality_of_person(draw);
  draw.combine(entry->hindi, noun_entry.hindi);
  const Thing item = known_thing(draw, noun_entry);
  const bool colour = entry->kinds == kColoured;
  Equation equation = about(item, quality(draw, *entry, agreement_with(item), colour ? 0 : 25));
  vary(draw, equation);
  return said(draw, equation);
}

Part comparison(Draw& draw) { return draw.chance(50) ? compared_people(draw) : compared_things(draw); }

Part location(Draw& draw) {
  Equation equation;
  if (draw.chance(50)) {
    Being someone = any_being(draw);
    while (someone.veiled) someone = any_being(draw);
    const Place& place = draw.one_of(places());
    equation = about(someone, draw.gloss(place.at));
    draw.combine(someone.name, equation.predicate.source.front().text, "is");
  } else {
    const Noun& item = *draw.one_where(
        nouns(), [](const Noun& entry) { return (entry.kinds & kSmall) != 0 && entry.count == Count::kOne; });
    const Thing what = known_thing(draw, item);
    equation = about(what, draw.gloss(draw.one_of(spots()).at));
    draw.combine(item.hindi, equation.predicate.source.front().text, "is");
  }
  vary(draw, equation);
  return said(draw, equation);
}

Part existence(Draw& draw) {
  const Noun& item = *draw.one_where(
      nouns(), [](const Noun& entry) { return (entry.kinds & kSmall) != 0 && entry.count == Count::kOne; });
  const Part spot = draw.gloss(draw.one_of(spots()).at);
  const bool several = draw.chance(45);
  const Thing what = thing(draw, item,
                           {.determiner = several ? Determiner::kSeveral : Determiner::kOne,
                            .adjective = draw.chance(40) ? fitting_adjective(draw, item) : nullptr});
  draw.combine(item.hindi, spot.source.front().text, "there");
  note(draw, what);
  const bool past = draw.chance(20);
  const Agreement agreement = agreement_with(what);
  const Links link = draw.link();
  return {spot.source + what.source + words(past ? was_form(agreement) : is(agreement), link),
          words("there", link) + words(past ? was(person_of(what)) : be(person_of(what)), link) + what.target +
              spot.target};
}

Part possession(Draw& draw) {
  Being owner = any_being(draw);
  while (owner.veiled) owner = any_being(draw);
  const Links has = draw.link(), support = draw.link();
  const bool negative = draw.chance(15), asked = !negative && !first_person(owner) && draw.chance(20);
  const Noun& item = *draw.one_where(
      nouns(), [](const Noun& entry) { return (entry.kinds & kOwned) != 0 && entry.count == Count::kOne; });
  ThingOptions options;
  if (!negative) options.determiner = draw.chance(50) ? Determiner::kOne : Determiner::kSeveral;
  if (draw.chance(40)) options.adjective = fitting_adjective(draw, item);
  const Thing what = thing(draw, item, options);
  draw.combine(owner.name, item.hindi, "has");
  note(draw, what);
  const Part negation = negative ? draw.gloss("नहीं = not") : Part{};
  const Words hindi = beside(owner, has) + words("पास", has) + what.source + negation.source +
                      words(is(agreement_with(what)), negative || asked ? support : has);
  const Words helper = words(do_form(owner.person), support);
  if (asked) return {words("क्या", support) + hindi, helper + owner.target + words("have", has) + what.target};
  if (negative) return {hindi, owner.target + helper + negation.target + words("have", has) + what.target};
  return {hindi, owner.target + words(have(owner.person), has) + what.target};
}

Part identity(Draw& draw) {
  const bool near = draw.chance(65);
  const Links link = draw.link();
  Equation equation;
  if (draw.chance(45)) {
    const Human& human = draw.one_of(relatives());
    const Being someone = relative_of(draw, human, plain_pronoun(draw));
    const bool honoured = someone.agreement.who == Who::kMany;
    equation = {{words(honoured ? "ये" : "यह", link), words("this", link)},
                someone.agreement,
                Person::kIt,
                {someone.direct, someone.target}};
    draw.combine("यह", someone.name, someone.direct.front().text);
  } else {
    const Noun& item = *draw.one_where(nouns(), [](const Noun& entry) {
      return entry.count == Count::kOne && (entry.kinds & (kOwned | kSized | kPretty)) != 0;
    });
    ThingOptions options{.determiner = Determiner::kWhose,
                         .number = draw.chance(30) ? Number::kPlural : Number::kSingular,
                         .adjective = draw.chance(40) ? fitting_adjective(draw, item) : nullptr,
                         .whose = &plain_pronoun(draw)};
    if (options.number == Number::kSingular && draw.chance(40)) options.determiner = Determiner::kOne;
    const Thing what = thing(draw, item, options);
    const bool many = what.number == Number::kPlural;
    const std::string_view hindi = many ? (near ? "ये" : "वे") : (near ? "यह" : "वह");
    const std::string_view english = many ? (near ? "these" : "those") : (near ? "this" : "that");
    equation = {
        {words(hindi, link), words(english, link)}, agreement_with(what), person_of(what), {what.source, what.target}};
    draw.combine(hindi, item.hindi, "identity");
    note(draw, what);
  }
  if (draw.chance(12)) equation.polarity = Polarity::kNegative;
  return said(draw, equation);
}

}  // namespace dhyan::phrases::hindi
