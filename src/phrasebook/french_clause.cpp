#include "phrasebook/french_clause.h"

#include "core/error.h"

namespace dhyan::phrases::french {

namespace {

// vouloir, pouvoir, devoir lead an infinitive.
constexpr std::string_view kVouloir[] = {"veux", "veux", "veut", "voulons", "voulez", "veulent"};
constexpr std::string_view kPouvoir[] = {"peux", "peux", "peut", "pouvons", "pouvez", "peuvent"};
constexpr std::string_view kDevoir[] = {"dois", "dois", "doit", "devons", "devez", "doivent"};
constexpr Verb kAimer{"aimer", {}, "aimé", {}};
constexpr Verb kAdorer{"adorer", {}, "adoré", {}};

// The words inside of ne … pas, and those after it.
struct Group {
  Words finite, rest;
};

std::string participle(const Clause& clause) {
  std::string form(clause.verb->participle);
  if (clause.verb->way != Verb::Way::kMoving) return form;
  if (clause.subject.gender == Gender::kFeminine) form += "e";
  // vous is one person here
  return clause.subject.number == Number::kPlural && clause.subject.row != 4 ? form + "s" : form;
}

Group verb_group(const Clause& clause, const VerbLinks& links, Support support) {
  const Verb& verb = *clause.verb;
  const std::size_t row = clause.subject.row;
  const Links helping = support == Support::kDo ? links.auxiliary : Links();
  const auto led = [&](std::string_view finite, const Links& link) {
    return Group{words(finite, link), words(verb.infinitive, links.main)};
  };
  switch (clause.tense) {
    case Tense::kHabitual:
      return {words(present(verb, row), links.main | helping), {}};
    case Tense::kPastContinuous:
      return {words(imperfect(verb, row), links.main | links.auxiliary), {}};
    case Tense::kPast:
      return {words(verb.way == Verb::Way::kMoving ? etre(row) : avoir(row),
                    support == Support::kDo ? links.auxiliary : links.main),
              words(participle(clause), links.main)};
    case Tense::kFuture:
      return led(present(verb_named("aller"), row), links.auxiliary);
    case Tense::kCan:
      return led(kPouvoir[row], links.auxiliary);
    case Tense::kWantTo:
      return led(kVouloir[row], links.extra | helping);
    case Tense::kHaveTo:
      return led(kDevoir[row], links.extra | helping);
    case Tense::kLikeTo:
      return led(present(kAimer, row), links.extra | helping);
    case Tense::kLoveTo:
      return led(present(kAdorer, row), links.extra | helping);
    default:
      throw UsageError(cat("phrasebook: French has no ", name(clause.tense)));
  }
}

struct Pieces {
  Words french;
  Words agent, auxiliary, middle, after;
  Links auxiliary_link;
};

Pieces realise(Draw& draw, const Clause& clause, Support support) {
  const bool negative = clause.polarity == Polarity::kNegative;
  if (negative) support = Support::kDo;
  draw.combine(clause.subject.name, clause.verb->infinitive, name(clause.tense));
  if (clause.thing) {
    draw.combine(clause.verb->infinitive, clause.thing->name);
    note(draw, *clause.thing);
  }
  if (clause.verb->way == Verb::Way::kMoving && !clause.extra.source.empty()) {
    draw.combine(clause.verb->infinitive, clause.extra.source.back().text);
  }

  const VerbLinks links{draw.link(), draw.link(), draw.link()};
  const Links no = draw.link();
  const Group french = verb_group(clause, links, support);
  const EnglishGroup english = english_group(clause.verb->english, clause.english_tense.value_or(clause.tense),
                                             clause.subject.person, support, links);
  const Words particle =
      clause.thing ? words(clause.verb->english.particle, links.main) + clause.thing->target : Words{};
  const Words object = !clause.thing ? Words{} : negative ? clause.thing->denied : clause.thing->source;
  Pieces pieces;
  pieces.french = clause.subject.source + (negative ? words("ne", no) : Words{}) + french.finite +
                  (negative ? words("pas", no) : Words{}) + french.rest + object + clause.extra.source +
                  clause.time.source;
  pieces.agent = clause.subject.target;
  pieces.auxiliary = english.auxiliary;
  if (negative && english.auxiliary.back().text == "can") {
    pieces.auxiliary = negated(english.auxiliary, no);
  } else if (negative) {
    pieces.middle = words("not", no);
  }
  pieces.after = english.main + particle + clause.extra.target + clause.time.target;
  pieces.auxiliary_link = links.auxiliary;
  return pieces;
}

Part with_someone(Draw& draw, const Subject& subject) {
  static constexpr std::string_view kTonic[] = {"moi", "toi", "lui", "nous", "vous", "eux"};
  static constexpr Person kPersons[] = {Person::kI,  Person::kYou, Person::kHe,
                                        Person::kWe, Person::kYou, Person::kThey};
  const Part with = draw.gloss("avec = with");
  std::size_t row = draw.below(6);
  if (row == 1 || row == 4) row = draw.fixed(Draw::Fixed::kFamiliar) ? 1 : 4;
  const bool same = kPersons[row] == subject.person || (row % 3 == 0 && subject.row % 3 == 0);
  if (!same && draw.chance(50)) {
    const Links link = draw.link();
    return in_turn({with, Part{words(kTonic[row], link), words(object_pronoun(kPersons[row]), link)}});
  }
  const Noun& noun = *draw.one_where(relatives(), [&](const Noun& entry) { return entry.french != subject.name; });
  const Thing whom = thing(draw, noun, {.determiner = Determiner::kOwn, .owner = subject.person});
  return in_turn({with, Part{whom.source, whom.target}});
}

// Excludes combinations that sound odd: "j'aime arriver", "j'aime laver", "je trouvais".
bool is_said(const Verb& verb, Tense tense) {
  if (verb.infinitive == "arriver") return tense == Tense::kPast || tense == Tense::kFuture;
  const bool chore = verb.infinitive == "laver" || verb.infinitive == "chercher" || verb.infinitive == "vendre";
  if (chore && tense == Tense::kLikeTo) return false;
  const bool sudden = verb.infinitive == "aller" || verb.infinitive == "trouver";
  return !sudden || (tense != Tense::kLikeTo && tense != Tense::kPastContinuous);
}

}  // namespace

Part statement(Draw& draw, const Clause& clause) {
  const Pieces p = realise(draw, clause, Support::kNone);
  return {p.french, p.agent + p.auxiliary + p.middle + p.after};
}

Part question(Draw& draw, const Clause& clause, std::string_view asked) {
  const Part word = asked.empty() ? Part{} : draw.gloss(asked);
  const Pieces p = realise(draw, clause, Support::kDo);
  return {word.source + words("est-ce que", p.auxiliary_link) + p.french,
          word.target + p.auxiliary + p.agent + p.middle + p.after};
}

Clause any_clause(Draw& draw, const Wish& wish) {
  static constexpr Tense kTenses[] = {Tense::kHabitual, Tense::kHabitual, Tense::kFuture,         Tense::kFuture,
                                      Tense::kPast,     Tense::kPast,     Tense::kPastContinuous, Tense::kCan,
                                      Tense::kWantTo,   Tense::kHaveTo,   Tense::kLikeTo};
  const Tense tense = wish.tense ? *wish.tense : draw.one_of(kTenses);
  const Verb& verb = *draw.one_where(verbs(), [&](const Verb& entry) { return is_said(entry, tense); });
  Clause clause{wish.subject != nullptr ? *wish.subject : any_subject(draw), &verb, tense};
  if (tense != Tense::kHaveTo && draw.chance(wish.negative)) clause.polarity = Polarity::kNegative;
  if (verb.objects != 0) clause.thing = any_thing(draw, verb.objects, clause.subject.person);
  const bool moves = verb.way == Verb::Way::kMoving;
  if (moves && (verb.infinitive == "aller" || draw.chance(60))) {
    clause.extra = draw.gloss(draw.one_of(goals()));
    Words& english = clause.extra.target;
    // English: goes to Paris, arrives in Paris, arrives at the station
    if (verb.infinitive == "arriver") english.front().text = clause.extra.source.size() == 2 ? "in" : "at";
  } else if (verb.way == Verb::Way::kSocial && !wish.brief && verb.objects == 0 && draw.chance(35)) {
    clause.extra = draw.gloss(draw.one_of(places()));
  }
  if (!wish.brief && verb.way != Verb::Way::kAlone && draw.chance(18)) {
    clause.extra = in_turn({clause.extra, with_someone(draw, clause.subject)});
  }
  if (!wish.brief && draw.chance(30)) {
    const Time* time = draw.one_where(times(), [&](const Time& entry) { return holds(entry.tenses, tense); });
    if (time != nullptr) clause.time = draw.gloss(time->gloss);
  }
  return clause;
}

std::string_view etre(std::size_t row) {
  static constexpr std::string_view kForms[] = {"suis", "es", "est", "sommes", "êtes", "sont"};
  return kForms[row];
}

std::string_view etait(std::size_t row) {
  static constexpr std::string_view kForms[] = {"étais", "étais", "était", "étions", "étiez", "étaient"};
  return kForms[row];
}

std::string_view avoir(std::size_t row) {
  static constexpr std::string_view kForms[] = {"ai", "as", "a", "avons", "avez", "ont"};
  return kForms[row];
}

}  // namespace dhyan::phrases::french
