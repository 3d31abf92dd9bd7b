#include "phrasebook/hindi_compound.h"

#include <array>

#include "phrasebook/hindi_copula.h"
#include "phrasebook/hindi_simple.h"

namespace dhyan::phrases::hindi {

namespace {

// "जब राम घर पर होता है तब वह टीवी देखता है"
Part usually_when(Draw& draw) {
  const Being who = plain_being(draw), same = again(draw, who);
  const Place* place =
      draw.one_where(places(), [](const Place& entry) { return (entry.settings & (kHomely | kSchool | kTown)) != 0; });
  const Part at = draw.gloss(place->at);
  const Links link = draw.link();
  const Part first{who.direct + at.source + words(habitual("हो", who.agreement), link) + words(is(who.agreement), link),
                   who.target + words(be(who.person), link) + at.target};
  // an activity indoors
  const Verb* verb = draw.one_where(verbs(), [&](const Verb& entry) {
    return (entry.places & (kHomely | kMeal | kStudy)) != 0 && holds(entry.tenses, Tense::kHabitual) &&
           fits(same, entry, Tense::kHabitual);
  });
  const Clause second =
      any_clause(draw, {.subject = &same, .tense = Tense::kHabitual, .verb = verb, .brief = true, .negative = 5});
  return in_turn({draw.gloss("जब = when"), first, draw.gloss("तब- = "), statement(draw, second)});
}

Part condition(Draw& draw, Being& who) {
  static constexpr std::string_view kWeather[] = {
      "बारिश1 होगी1 = it1 rains1", "बारिश1 नहीं2 होगी1 = it1 does2 not2 rain1",
      "मौसम1 अच्छा2 होगा3 = the1 weather1 is3 good2", "धूप1 निकलेगी2 = the1 sun1 comes2 out2"};
  who = plain_being(draw);
  if (draw.chance(40)) return draw.gloss(draw.one_of(kWeather));
  Clause clause = arrival(draw, someone_else(draw, who), Tense::kFuture);
  clause.english_tense = Tense::kHabitual;
  return statement(draw, clause);
}

// "जो लड़का पार्क में खेल रहा है वह": a person with a relative clause
Being who_is_doing(Draw& draw) {
  const Human& human = draw.one_of(people());
  const Being head = being(draw, human, Number::kSingular);
  Clause clause = any_clause(draw, {.subject = &head, .tense = Tense::kContinuous, .negative = 0});
  clause.time = {};
  clause.subject.direct.clear();
  clause.subject.target = words("who", draw.link());
  const Part relative = statement(draw, clause);
  Being described = head;
  described.direct = words("जो", relative.target.front().links) + head.direct + relative.source + words("वह", {});
  described.target = head.target + relative.target;
  described.veiled = true;  // उसने and उसे would have to replace वह
  return described;
}

// "after eating food Ram reads a book and after that he sleeps"
Part day(Draw& draw, Era era) {
  const Being who = plain_being(draw), same = again(draw, who);
  const Tense tense = telling_tense(era);
  Told told;
  return in_turn({before_or_after(draw, who, era, told), draw.gloss("और1 उसके2 बाद3 = and1 after3 that2"),
                  statement(draw, daily(draw, same, tense))});
}

}  // namespace

Era any_era(Draw& draw) {
  static constexpr Era kEras[] = {Era::kPresent, Era::kPresent, Era::kFuture, Era::kPast};
  return draw.one_of(kEras);
}

Tense tense_of(Draw& draw, Era era) {
  if (era == Era::kFuture) return Tense::kFuture;
  if (era == Era::kPast) return draw.chance(60) ? Tense::kPast : Tense::kPastContinuous;
  return draw.chance(50) ? Tense::kHabitual : Tense::kContinuous;
}

Tense telling_tense(Era era) {
  return era == Era::kPresent ? Tense::kHabitual : era == Era::kFuture ? Tense::kFuture : Tense::kPast;
}

Being plain_being(Draw& draw) {
  Being someone = any_being(draw);
  while (someone.veiled) someone = any_being(draw);
  return someone;
}

Being someone_else(Draw& draw, const Being& first) {
  Being other = plain_being(draw);
  while (other.name == first.name || other.person == first.person) other = plain_being(draw);
  return other;
}

Clause arrival(Draw& draw, const Being& who, Tense tense) {
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 3> kVerbs = {
      {{"आ", "come"}, {"पहुँच", "reach"}, {"लौट", "return"}}};
  const auto& [stem, english] = draw.one_of(kVerbs);
  return any_clause(
      draw, {.subject = &who, .tense = tense, .verb = &verb_named(stem, english), .brief = true, .negative = 0});
}

Clause daily(Draw& draw, const Being& who, Tense tense, const Told& told) {
  const Verb* verb = draw.one_where(verbs(), [&](const Verb& entry) {
    return entry.has(kDaily) && holds(entry.tenses, tense) && fits(who, entry, tense) && !is_told(&told, entry);
  });
  Clause clause = any_clause(draw, {.subject = &who, .tense = tense, .verb = verb, .brief = true, .negative = 0});
  static constexpr std::string_view kOut[] = {"पार्क = to the park", "मंदिर = to the temple"};
  if (verb->has(kGoal)) clause.goal = draw.gloss(verb->english.base == "go" ? draw.one_of(kOut) : "घर = home");
  return clause;
}

Part says(Draw& draw) {
  static constexpr std::string_view kOpinions[] = {
      "मुझे1 लगता2 है2 कि3 = I1 think2 that3", "मुझे1 पता2 है2 कि3 = I1 know2 that3", "हमें1 लगता2 है2 कि3 = we1 think2 that3",
      "मुझे1 यक़ीन2 है3 कि4 = I1 am3 sure2 that4", "सब1 लोग1 जानते2 हैं2 कि3 = everyone1 knows2 that3"};
  if (draw.chance(55)) return draw.gloss(draw.one_of(kOpinions));
  // one person with a name, so that a later वे is unambiguous
  const Pronoun& owner = pronouns()[draw.chance(50) ? 0 : 3];
  const Human& human = draw.one_of(relatives());
  const Being speaker = draw.chance(50) ? any_name(draw) : relative_of(draw, human, owner);
  static constexpr EnglishVerb kSay{"say", "", "", ""};
  const Links link = draw.link();
  draw.combine(speaker.name, "say");
  return in_turn(
      {Part{speaker.direct + words(habitual("कह", speaker.agreement), link) + words(is(speaker.agreement), link),
            speaker.target + words(present(kSay, speaker.person), link)},
       draw.gloss("कि = that")});
}

Part because(Draw& draw, Era era, const Being* other_than) {
  static constexpr Tense kNow[] = {Tense::kContinuous, Tense::kHabitual, Tense::kWantTo, Tense::kGoingTo};
  while (true) {
    const Tense tense = era == Era::kPresent ? draw.one_of(kNow) : tense_of(draw, era);
    const Clause clause =
        any_clause(draw, {.not_subject = other_than, .tense = tense, .brief = draw.chance(70), .negative = 20});
    if (const std::optional<Part> reason = reason_for(draw, clause)) {
      return in_turn({statement(draw, clause), draw.gloss("क्योंकि = because"), *reason});
    }
  }
}

Part contrast(Draw& draw) {
  const Being first = plain_being(draw), second = someone_else(draw, first);
  if (draw.chance(35)) {
    constexpr Kinds kLiked = kFood | kDrink | kText | kShow | kGame;
    const Thing a = liked_thing(draw, kLiked), b = liked_thing(draw, kLiked);
    const bool same = a.name == b.name || draw.chance(50);
    // generated again: words of two clauses must not share links
    const Thing what = same ? thing(draw, noun_named(a.name), {.number = Number::kPlural}) : b;
    return in_turn({likes(draw, first, a, Polarity::kPositive), draw.gloss("लेकिन = but"),
                    likes(draw, second, what, same ? Polarity::kNegative : Polarity::kPositive)});
  }
  const Tense tense = tense_of(draw, any_era(draw));
  const Verb* verb = draw.one_where(verbs(), [&](const Verb& entry) {
    return holds(entry.tenses, tense) && entry.objects != 0 && fits(first, entry, tense) && fits(second, entry, tense);
  });
  const Clause a = any_clause(draw, {.subject = &first, .tense = tense, .verb = verb, .brief = true, .negative = 0});
  Clause b = any_clause(draw, {.subject = &second, .tense = tense, .verb = verb, .brief = true, .negative = 0});
  if (a.thing && b.thing && a.thing->name == b.thing->name) b.polarity = Polarity::kNegative;
  return in_turn({statement(draw, a), draw.gloss("लेकिन = but"), statement(draw, b)});
}

Part parallel(Draw& draw, Era era) {
  const Being first = plain_being(draw), second = someone_else(draw, first);
  const Tense tense = tense_of(draw, era);
  const Clause a = any_clause(draw, {.subject = &first, .tense = tense, .negative = 0});
  const Clause b = any_clause(draw, {.subject = &second, .tense = tense, .brief = true, .negative = 0});
  return in_turn({statement(draw, a), draw.gloss("और = and"), statement(draw, b)});
}

Part when_then(Draw& draw, Era era) {
  if (era == Era::kPresent) return usually_when(draw);
  const bool past = era == Era::kPast;
  const Being first = plain_being(draw), second = someone_else(draw, first);
  Clause a = arrival(draw, first, past ? Tense::kPast : Tense::kFuture);
  if (!past) a.english_tense = Tense::kHabitual;
  const Clause b = any_clause(
      draw,
      {.subject = &second, .tense = past ? Tense::kPastContinuous : Tense::kFuture, .brief = true, .negative = 0});
  return in_turn({draw.gloss("जब = when"), statement(draw, a), draw.gloss("तब- = "), statement(draw, b)});
}

Part if_then(Draw& draw) {
  Being who = plain_being(draw);
  const Part first = condition(draw, who);
  Clause second = any_clause(draw, {.subject = &who, .tense = Tense::kFuture, .brief = draw.chance(60)});
  second.time_first = false;  // the time would belong to the condition
  return in_turn({draw.gloss("अगर = if"), first, draw.gloss("तो- = "), statement(draw, second)});
}

Part relative_subject(Draw& draw) {
  const Being described = who_is_doing(draw);
  if (draw.chance(55)) {
    const bool male = described.agreement.gender == Gender::kMasculine;
    const Human* relation = draw.one_where(relatives(), [&](const Human& human) {
      return human.standing != Human::Standing::kHonoured && (human.gender == Gender::kMasculine) == male &&
             (human.standing == Human::Standing::kYoung) <= described.young;
    });
    const Being kin = relative_of(draw, *relation, plain_pronoun(draw));
    draw.combine(described.name, "is", kin.name);
    return statement(draw, Equation{.subject = {described.direct, described.target},
                                    .agreement = kin.agreement,
                                    .person = described.person,
                                    .predicate = {kin.direct, kin.target}});
  }
  static constexpr Tense kTenses[] = {Tense::kHabitual, Tense::kCan, Tense::kWantTo, Tense::kFuture};
  return statement(draw, any_clause(draw, {.subject = &described, .tense = draw.one_of(kTenses), .brief = true}));
}

Part relative_object(Draw& draw) {
  static constexpr Tense kTenses[] = {Tense::kContinuous, Tense::kPast, Tense::kPerfect, Tense::kPastContinuous};
  while (true) {
    const Being who = plain_being(draw);
    Clause clause = any_clause(draw, {.subject = &who, .tense = draw.one_of(kTenses), .brief = true, .negative = 0});
    if (!clause.thing) continue;
    const Noun& item = noun_named(clause.thing->name);
    const Adjective* adjective = fitting_adjective(draw, item);
    if (item.count != Count::kOne || adjective == nullptr) continue;
    const Links link = draw.link(), that = draw.link();
    clause.thing = Thing{{}, {}, item.gender, Number::kSingular, std::string(item.hindi)};
    const Part relative = statement(draw, clause);
    const Agreement agreement = agreement_with(*clause.thing);
    draw.combine(adjective->hindi, item.hindi);
    return statement(
        draw,
        Equation{.subject = {words("जो", that) + words(item.hindi, link) + relative.source + words("वह", {}),
                             words("the", link) + words(item.english, link) + words("that", that) + relative.target},
                 .agreement = agreement,
                 .person = Person::kIt,
                 .predicate = quality(draw, *adjective, agreement, adjective->kinds == kColoured ? 0 : 30)});
  }
}

Part before_or_after(Draw& draw, const Being& who, Era era, Told& told) {
  const Tense tense = telling_tense(era);
  const Clause main = daily(draw, who, tense);
  Clause inner = main;
  while (inner.verb->english.base == main.verb->english.base) inner = daily(draw, who, tense);
  told.insert(told.end(), {main.verb, inner.verb});
  const Part doing = action(draw, inner, {oblique_infinitive(*inner.verb), std::string(inner.verb->english.ing)});
  const Part when = draw.gloss(draw.chance(60) ? "के बाद = after" : "से पहले = before");
  const Part rest = statement(draw, main);
  return {doing.source + when.source + rest.source, when.target + doing.target + rest.target};
}

Part reported(Draw& draw) {
  return in_turn({says(draw), statement(draw, any_clause(draw, {.tense = tense_of(draw, any_era(draw))}))});
}

Part long_sentence(Draw& draw) {
  const Era era = any_era(draw);
  const Part opening = draw.chance(60) ? says(draw) : Part{};
  switch (draw.below(9)) {
    case 0:
      return in_turn({opening, because(draw, era), draw.gloss("लेकिन = but"), because(draw, era)});
    case 1:
      return in_turn({opening, when_then(draw, era), draw.gloss("और = and"), because(draw, era)});
    case 2:
      return in_turn({opening, relative_subject(draw), draw.gloss("और = and"), relative_subject(draw)});
    case 3:
      return in_turn({opening, relative_object(draw), draw.gloss("और = and"), relative_object(draw)});
    case 4:
      return in_turn({opening, if_then(draw), draw.gloss("लेकिन = but"), if_then(draw)});
    case 5:
      return in_turn({opening, day(draw, era)});
    case 6:
      return in_turn({opening, because(draw, era), draw.gloss("लेकिन = but"), when_then(draw, era),
                      draw.gloss("और = and"), because(draw, era)});
    case 7:
      return in_turn({opening, day(draw, era), draw.gloss("लेकिन = but"), because(draw, era)});
    default:
      return in_turn({opening, parallel(draw, era), draw.gloss("लेकिन = but"), because(draw, era)});
  }
}

}  // namespace dhyan::phrases::hindi
