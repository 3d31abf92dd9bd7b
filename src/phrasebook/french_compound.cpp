#include "phrasebook/french_compound.h"

#include <algorithm>

#include "phrasebook/french_simple.h"

namespace dhyan::phrases::french {

namespace {

// "parce que j'ai faim"
Part reason(Draw& draw, const Clause& clause) {
  const Subject who = again(draw, clause.subject);
  const std::string_view verb = clause.verb->infinitive;
  if (verb == "manger" || verb == "préparer" || verb == "boire") {
    const Links have_link = draw.link(), link = draw.link();
    const bool thirsty = verb == "boire";
    return {who.source + words(avoir(who.row), have_link) + words(thirsty ? "soif" : "faim", link),
            who.target + words(be(who.person), have_link) + words(thirsty ? "thirsty" : "hungry", link)};
  }
  if (clause.thing && clause.verb->objects != kWashed) {
    return likes(draw, who, noun_named(clause.thing->name), Polarity::kPositive);
  }
  static constexpr Adjective kTired{"fatigué", "fatiguée", "tired", Position::kAfter, 0};
  static constexpr Adjective kHappy{"content", "contente", "happy", Position::kAfter, 0};
  return is(draw, {who, verb == "dormir" ? kTired : kHappy});
}

// Whether reason() has a reason for the action.
bool has_reason(const Verb& verb) {
  static constexpr std::string_view kWithout[] = {"vendre", "chercher", "trouver", "travailler", "laver"};
  return verb.way != Verb::Way::kMoving && std::ranges::find(kWithout, verb.infinitive) == std::end(kWithout);
}

Part pair_of(Draw& draw, std::string_view joint) {
  static constexpr Tense kTenses[] = {Tense::kHabitual, Tense::kFuture, Tense::kPast, Tense::kPastContinuous};
  const Tense tense = draw.one_of(kTenses);
  const Subject first = any_subject(draw);
  Subject second = any_subject(draw);
  while (second.person == first.person) second = any_subject(draw);
  const Part a = statement(draw, any_clause(draw, {.subject = &first, .tense = tense, .negative = 8}));
  return in_turn(
      {a, draw.gloss(joint),
       statement(draw, any_clause(draw, {.subject = &second, .tense = tense, .brief = true, .negative = 8}))});
}

}  // namespace

Part with_reason(Draw& draw, const Wish& wish) {
  Clause clause = any_clause(draw, wish);
  while (!has_reason(*clause.verb)) clause = any_clause(draw, wish);
  const Part main = statement(draw, clause);
  return in_turn({main, draw.gloss("parce1 que1 = because1"), reason(draw, clause)});
}

Part because(Draw& draw) {
  static constexpr Tense kTenses[] = {Tense::kHabitual, Tense::kFuture, Tense::kWantTo};
  return with_reason(draw, {.tense = draw.one_of(kTenses), .brief = true, .negative = 0});
}

Part says(Draw& draw) {
  static constexpr std::string_view kOpinions[] = {
      "je1 pense2 que3 = I1 think2 that3", "nous1 pensons2 que3 = we1 think2 that3", "je1 sais2 que3 = I1 know2 that3",
      "Marie1 dit2 que3 = Marie1 says2 that3", "mon1 père2 dit3 que4 = my1 father2 says3 that4"};
  return draw.gloss(draw.one_of(kOpinions));
}

Part two_clauses(Draw& draw) { return pair_of(draw, draw.chance(50) ? "et = and" : "mais = but"); }

// "si Marie arrive, …": present in both languages, then the future
Part condition(Draw& draw) {
  static constexpr std::string_view kWeather[] = {"il1 pleut1 = it1 rains1",
                                                  "il1 fait2 beau3 = the1 weather1 is2 good3",
                                                  "il1 fait2 froid3 = it1 is2 cold3", "il1 neige1 = it1 snows1"};
  const Subject first = any_subject(draw);
  Subject second = any_subject(draw);
  while (second.person == first.person) second = any_subject(draw);
  const Part what = draw.chance(50) ? draw.gloss(draw.one_of(kWeather))
                                    : statement(draw, Clause{first, &verb_named("arriver"), Tense::kHabitual});
  Clause then = any_clause(draw, {.subject = &second, .tense = Tense::kFuture, .brief = true});
  while (then.verb->way == Verb::Way::kMoving) then = any_clause(draw, {.subject = &second, .tense = then.tense});
  return in_turn({draw.gloss("si = if"), what, statement(draw, then)});
}

// "le garçon qui chante est mon frère", "le livre que je lis est intéressant"
Part relative(Draw& draw) {
  if (draw.chance(50)) {
    const Noun& human = draw.one_of(people());
    const Thing whom = thing(draw, human, {.determiner = Determiner::kThe});
    Subject who = pronoun_subject(draw, 2, human.gender);
    const Links link = draw.link();
    who.source = words("qui", link);
    who.target = words("who", link);
    who.name = std::string(human.french);
    const Part inner =
        statement(draw, any_clause(draw, {.subject = &who, .tense = Tense::kHabitual, .brief = true, .negative = 10}));
    const Noun& kin = *draw.one_where(relatives(), [&](const Noun& entry) {
      return entry.gender == human.gender && (entry.english == "friend" || entry.plural.ends_with("ers"));
    });
    const Thing other = thing(draw, kin, {.determiner = Determiner::kOwn});
    return in_turn({Part{whom.source, whom.target}, inner, draw.gloss("est = is"), Part{other.source, other.target}});
  }
  Clause clause = any_clause(draw, {.tense = Tense::kHabitual, .brief = true, .negative = 0});
  while (!clause.thing || !clause.verb->english.particle.empty() || !has_quality(noun_named(clause.thing->name))) {
    clause = any_clause(draw, {.tense = Tense::kHabitual, .brief = true, .negative = 0});
  }
  const Noun& noun = noun_named(clause.thing->name);
  const Adjective* adjective = &any_adjective(draw, noun);
  while (adjective->kinds == kHot && clause.verb->infinitive == "acheter") adjective = &any_adjective(draw, noun);
  draw.combine(clause.verb->infinitive, noun.french);
  const Thing what = thing(draw, noun, {.determiner = Determiner::kThe});
  clause.thing.reset();
  const Part inner = in_turn({draw.gloss("que = that"), statement(draw, clause)});
  const Subject whole{what.source + inner.source,
                      what.target + inner.target,
                      2,
                      what.gender,
                      Number::kSingular,
                      Person::kIt,
                      what.name};
  return is(draw, {whole, *adjective});
}

Part long_sentence(Draw& draw) {
  const Part opening = draw.chance(60) ? says(draw) : Part{};
  switch (draw.below(5)) {
    case 0:
      return in_turn({opening, because(draw), draw.gloss("mais = but"), because(draw)});
    case 1:
      return in_turn({opening, relative(draw), draw.gloss("et = and"), relative(draw)});
    case 2:
      return in_turn({opening, pair_of(draw, "et = and"), draw.gloss("mais = but"), because(draw)});
    case 3:
      return in_turn({opening, pair_of(draw, "et = and"), draw.gloss("mais = but"), because(draw),
                      draw.gloss("et = and"), because(draw)});
    default:
      return in_turn({opening, condition(draw), draw.gloss("mais = but"), condition(draw)});
  }
}

}  // namespace dhyan::phrases::french
