#include <algorithm>
#include <array>

#include "phrasebook/hindi_clause.h"

namespace dhyan::phrases::hindi {

namespace {

struct Weighted {
  Tense tense;
  unsigned weight;
};

constexpr auto kTenses = std::to_array<Weighted>({{Tense::kHabitual, 17},
                                                  {Tense::kContinuous, 18},
                                                  {Tense::kFuture, 15},
                                                  {Tense::kPast, 14},
                                                  {Tense::kPastContinuous, 6},
                                                  {Tense::kUsedTo, 3},
                                                  {Tense::kPerfect, 4},
                                                  {Tense::kAlready, 3},
                                                  {Tense::kCan, 4},
                                                  {Tense::kWantTo, 5},
                                                  {Tense::kHaveTo, 4},
                                                  {Tense::kShould, 2},
                                                  {Tense::kLikeTo, 4},
                                                  {Tense::kLoveTo, 2},
                                                  {Tense::kGoingTo, 4}});

Tense any_tense(Draw& draw) {
  unsigned total = 0;
  for (const Weighted& entry : kTenses) total += entry.weight;
  auto left = static_cast<unsigned>(draw.below(total));
  for (const Weighted& entry : kTenses) {
    if (left < entry.weight) return entry.tense;
    left -= entry.weight;
  }
  return Tense::kHabitual;
}

// Generic objects: "I eat apples", not "I eat an apple".
bool is_general(Tense tense) {
  return tense == Tense::kHabitual || tense == Tense::kUsedTo || tense == Tense::kCan || tense == Tense::kLikeTo ||
         tense == Tense::kLoveTo || tense == Tense::kShould;
}

bool can_be_negative(Tense tense) {
  return tense != Tense::kUsedTo && tense != Tense::kAlready && tense != Tense::kHaveTo && tense != Tense::kLoveTo;
}

// मेरे पिता: one person with plural agreement
bool is_honoured(const Being& being) {
  return being.agreement.who == Who::kMany && (being.person == Person::kHe || being.person == Person::kShe);
}

// Chooses another person, whose pronoun is unambiguous in every case.
Being other_person(Draw& draw, const Being& subject) {
  const std::uint64_t kind = draw.below(100);
  if (kind < 40) {
    return being(draw, plain_pronoun_but(draw, subject.person), Gender::kMasculine);
  }
  if (kind < 70) {
    return being(draw, *draw.one_where(names(), [&](const Name& name) { return name.hindi != subject.name; }));
  }
  // honoured persons are not combined with their elders
  const Human& human = *draw.one_where(relatives(), [&](const Human& relative) {
    return relative.hindi != subject.name && !(is_honoured(subject) && relative.standing == Human::Standing::kHonoured);
  });
  return own_relative(draw, human, subject.person);
}

Part with_someone(Draw& draw, const Being& subject) {
  const Being other = other_person(draw, subject);
  const Links link = draw.link();
  return {beside(other, link) + words("साथ", link), words("with", link) + as_object(other)};
}

Part to_someone(Draw& draw, const Being& subject) {
  const Being other = other_person(draw, subject);
  const Links link = draw.link();
  return {marked(other, Marker::kKo, link), words("to", link) + as_object(other)};
}

ThingOptions general_options(Draw& draw, const Verb& verb, const Noun& noun, Person owner) {
  ThingOptions options;
  options.number = verb.has(kSingly) ? Number::kSingular : Number::kPlural;
  options.owner = owner;
  const std::uint64_t kind = draw.below(100);
  if (kind < 20) options.adjective = fitting_adjective(draw, noun);
  if (kind >= 92 && (noun.kinds & kOwned) != 0 && !verb.has(kFromPlace)) {
    options.determiner = Determiner::kOwn;
    options.number = Number::kSingular;
  }
  return options;
}

ThingOptions particular_options(Draw& draw, const Verb& verb, const Noun& noun, Person owner) {
  ThingOptions options;
  options.owner = owner;
  const bool countable = noun.count == Count::kOne;
  // सेब is one apple or several; किताबें can only be several
  const bool shows_plural = noun.gender == Gender::kFeminine || noun.hindi.ends_with("ा");
  const std::uint64_t kind = draw.below(100);
  if (kind < 40) return options;
  if (kind < 62) {
    options.adjective = fitting_adjective(draw, noun);
    if (countable && draw.chance(40)) options.determiner = Determiner::kOne;
  } else if (kind < 70 && countable) {
    options.determiner = Determiner::kOne;
  } else if (kind < 78 && countable && !verb.has(kSingly)) {
    options.determiner = Determiner::kSeveral;
  } else if (kind < 88 && countable) {
    options.determiner = draw.chance(50) ? Determiner::kThis : Determiner::kThat;
    if (!verb.has(kSingly) && draw.chance(30)) options.number = Number::kPlural;
  } else if (kind < 94 && (noun.kinds & kOwned) != 0 && !verb.has(kFromPlace)) {
    options.determiner = Determiner::kOwn;
  } else if (countable && shows_plural && !verb.has(kSingly)) {
    options.number = Number::kPlural;
  }
  return options;
}

ThingOptions definite_options(Draw& draw, const Noun& noun, Person owner) {
  ThingOptions options;
  options.owner = owner;
  options.determiner = Determiner::kThe;
  const std::uint64_t kind = draw.below(100);
  if (kind < 15 && noun.count == Count::kOne)
    options.determiner = draw.chance(50) ? Determiner::kThis : Determiner::kThat;
  if (kind >= 75 && (noun.kinds & (kOwned | kRoom)) != 0) options.determiner = Determiner::kOwn;
  return options;
}

bool is_named(const Adjective* adjective, std::string_view english) {
  return adjective != nullptr && adjective->english == english;
}

// Removes parts that do not fit together.
void soften(const Clause& clause, ThingOptions& options) {
  const Verb& verb = *clause.verb;
  // avoids "cooks hot food" and "writes an old poem"
  const bool consumed = (verb.objects & (kFood | kDrink)) != 0;
  const bool tasted = is_named(options.adjective, "hot") || is_named(options.adjective, "cold");
  if (tasted && !consumed) options.adjective = nullptr;
  if (is_named(options.adjective, "old") && verb.objects == kWritten) options.adjective = nullptr;
  const bool counted = options.determiner == Determiner::kOne || options.determiner == Determiner::kSeveral;
  if (counted && clause.polarity == Polarity::kNegative) options.determiner = Determiner::kBare;
  // avoids वह वह गाड़ी
  const bool starts_alike = clause.subject.direct.front().text == "वह" || clause.subject.direct.front().text == "वे";
  if (starts_alike && options.determiner == Determiner::kThat) options.determiner = Determiner::kThis;
}

void choose_surroundings(Draw& draw, Clause& clause) {
  const Verb& verb = *clause.verb;
  if (verb.has(kRecipient)) clause.around = to_someone(draw, clause.subject);
  if (verb.has(kSocial) && draw.chance(14)) clause.around = with_someone(draw, clause.subject);
  if (verb.has(kTravels) && draw.chance(20)) {
    static constexpr std::string_view kMeans[] = {"बस1 से2 = by2 bus1", "ट्रेन1 से2 = by2 train1", "गाड़ी1 से2 = by2 car1"};
    clause.around = in_turn({clause.around, draw.gloss(draw.one_of(kMeans))});
  }
  if (verb.places != 0 && (verb.has(kNeedsPlace) || draw.chance(28))) {
    const bool from = verb.has(kFromPlace);
    const Place* place = draw.one_where(places(), [&](const Place& entry) {
      return (entry.settings & verb.places) != 0 && !(from && entry.from.empty());
    });
    clause.around = in_turn({clause.around, draw.gloss(from ? place->from : place->at)});
  }
}

void choose_goal(Draw& draw, Clause& clause) {
  const Verb& verb = *clause.verb;
  if (!verb.has(kGoal)) return;
  const bool may_lack_it = verb.english.base == "go" || verb.english.base == "come";
  if (may_lack_it && draw.chance(15)) return;
  // "come" and "return" need the subject's own place
  const unsigned back = verb.english.base == "go" ? 0u : kHomely | kTown | kSchool;
  const Place* place = draw.one_where(
      places(), [&](const Place& entry) { return !entry.to.empty() && (back == 0 || (entry.settings & back) != 0); });
  clause.goal = draw.gloss(place->to);
  if (verb.has(kNamesGoal) && clause.goal.target.front().text == "to") {
    clause.goal.target.erase(clause.goal.target.begin());
  }
}

void choose_time(Draw& draw, Clause& clause) {
  if (clause.verb->has(kNeedsPlace)) return;  // "lives in Delhi" takes no time
  const bool positive = clause.polarity == Polarity::kPositive;
  if (positive && clause.tense == Tense::kHabitual && draw.chance(20)) {
    clause.frequency = draw.gloss(draw.one_of(frequencies()).gloss);
    return;
  }
  if (!draw.chance(32)) return;
  const Time* time = draw.one_where(times(), [&](const Time& entry) { return holds(entry.tenses, clause.tense); });
  if (time == nullptr) return;
  clause.time = draw.gloss(time->gloss);
  clause.time_first = draw.chance(25);
}

}  // namespace

bool fits(const Being& subject, const Verb& verb, Tense tense) {
  if (subject.young && verb.has(kAdult)) return false;
  if (is_honoured(subject) && verb.has(kLively)) return false;
  return !subject.veiled || (!takes_ergative(verb, tense) && !takes_dative(tense));
}

void choose_object(Draw& draw, Clause& clause) {
  const Verb& verb = *clause.verb;
  if (verb.objects == kPerson) {
    clause.person = other_person(draw, clause.subject);
  } else if (verb.objects != 0) {
    const Noun& noun = *draw.one_where(nouns(), [&](const Noun& entry) { return (entry.kinds & verb.objects) != 0; });
    const Person owner = clause.subject.person;
    ThingOptions options = verb.has(kDefinite)        ? definite_options(draw, noun, owner)
                           : is_general(clause.tense) ? general_options(draw, verb, noun, owner)
                                                      : particular_options(draw, verb, noun, owner);
    // "wears clothes" needs an adjective: "wears new clothes"
    if (verb.objects == kWorn && options.adjective == nullptr) options.adjective = fitting_adjective(draw, noun);
    soften(clause, options);
    clause.thing = thing(draw, noun, options);
  }
}

bool is_told(const Told* told, const Verb& verb) {
  return told != nullptr && std::ranges::find(*told, &verb) != told->end();
}

Clause any_clause(Draw& draw, const Wish& wish) {
  while (true) {
    const Tense tense = wish.tense ? *wish.tense : any_tense(draw);
    const Verb* verb = wish.verb != nullptr ? wish.verb : draw.one_where(verbs(), [&](const Verb& entry) {
      return holds(entry.tenses, tense) && !is_told(wish.told, entry);
    });
    if (!holds(verb->tenses, tense)) continue;
    const Being subject = wish.subject != nullptr ? *wish.subject : any_being(draw);
    if (!fits(subject, *verb, tense)) continue;
    if (wish.not_subject != nullptr &&
        (subject.name == wish.not_subject->name || subject.person == wish.not_subject->person)) {
      continue;
    }
    Clause clause{subject, verb, tense};
    if (can_be_negative(tense) && draw.chance(wish.negative)) clause.polarity = Polarity::kNegative;
    choose_object(draw, clause);
    choose_goal(draw, clause);
    if (verb->has(kNeedsPlace) || verb->has(kRecipient) || !wish.brief) choose_surroundings(draw, clause);
    if (!wish.brief) choose_time(draw, clause);
    return clause;
  }
}

}  // namespace dhyan::phrases::hindi
