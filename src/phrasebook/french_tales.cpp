#include <algorithm>
#include <array>

#include "phrasebook/french_compound.h"

namespace dhyan::phrases::french {

namespace {

// Two to four things as one object: "du pain et des oranges et de la viande". The list is not for negation.
Thing list_for(Draw& draw, const Verb& verb) {
  std::vector<std::string_view> taken;
  Thing whole;
  const std::uint64_t most = 2 + draw.below(3);
  for (std::uint64_t count = 0; count < most; ++count) {
    const Noun* noun = draw.one_where(nouns(), [&](const Noun& entry) {
      return (entry.kinds & verb.objects) != 0 && std::ranges::find(taken, entry.french) == taken.end();
    });
    if (noun == nullptr) break;
    taken.push_back(noun->french);
    const bool many = noun->count == Count::kOne && draw.chance(60);
    Thing next = thing(draw, *noun,
                       {.number = many ? Number::kPlural : Number::kSingular,
                        .after = draw.chance(25) ? fitting(draw, *noun, Position::kAfter) : nullptr});
    if (count > 0) {
      draw.combine(verb.infinitive, whole.name);
      note(draw, whole);
      const Part list =
          in_turn({Part{whole.source, whole.target}, draw.gloss("et = and"), Part{next.source, next.target}});
      next.source = next.denied = list.source;
      next.target = list.target;
    }
    whole = next;
  }
  return whole;
}

// Verbs of everyday life; not "finds" and "looks for", which one does to one thing.
bool is_daily(const Verb& verb) {
  static constexpr std::string_view kNot[] = {"chercher", "trouver", "arriver"};
  return std::ranges::find(kNot, verb.infinitive) == std::end(kNot);
}

// A person of a tale and the verbs of its actions.
struct Actor {
  Subject subject;
  Tense tense;
  std::vector<const Verb*> told = {};  // nobody does the same thing twice
};

// An activity, often with a list of things.
Part doing(Draw& draw, Actor& actor, const Subject& who) {
  const Wish wish{.subject = &who, .tense = actor.tense, .brief = true, .negative = 0};
  Clause clause = any_clause(draw, wish);
  while (!is_daily(*clause.verb) || std::ranges::find(actor.told, clause.verb) != actor.told.end()) {
    clause = any_clause(draw, wish);
  }
  actor.told.push_back(clause.verb);
  if (clause.verb->objects != 0 && draw.chance(60)) clause.thing = list_for(draw, *clause.verb);
  return statement(draw, clause);
}

// "and then she eats bread"
Part then(Draw& draw, Actor& actor) {
  static constexpr std::string_view kThen[] = {"et1 puis2 = and1 then2", "et1 après2 ça3 = and1 after2 that3"};
  const Part joint = draw.gloss(draw.one_of(kThen));
  return in_turn({joint, doing(draw, actor, again(draw, actor.subject))});
}

// "Marie lit un livre et puis elle mange du pain"
Part turns_of(Draw& draw, Actor& actor, const Subject& who) {
  const Part first = in_turn({doing(draw, actor, who), then(draw, actor)});
  return draw.chance(70) ? first : in_turn({first, then(draw, actor)});
}

Part day_of(Draw& draw, Actor& actor) { return turns_of(draw, actor, actor.subject); }

// "avant de manger du pain Marie lit un livre et puis elle …"
Part before_it(Draw& draw, Actor& actor) {
  const Verb* verb = draw.one_where(verbs(), [](const Verb& entry) { return is_daily(entry) && entry.objects != 0; });
  actor.told.push_back(verb);
  const Thing what = draw.chance(50) ? list_for(draw, *verb) : any_thing(draw, verb->objects, actor.subject.person);
  draw.combine(verb->infinitive, what.name);
  note(draw, what);
  const Part before = draw.gloss("avant de = before");
  const Links link = draw.link();
  const Part inner{words(verb->infinitive, link) + what.source,
                   words(verb->english.ing, link) + words(verb->english.particle, link) + what.target};
  return in_turn({before, inner, day_of(draw, actor)});
}

// "quand Marie arrive à la gare elle lit un livre et puis elle …"; the grammar has no future tense for "quand"
Part arrival_of(Draw& draw, Actor& actor) {
  static constexpr std::string_view kWhere[] = {"à la maison = home", "à1 la2 gare2 = at1 the2 station2",
                                                "à1 l'2 école2 = at1 school2", "à1 le2 parc2 = at1 the2 park2"};
  if (actor.tense == Tense::kFuture) return day_of(draw, actor);
  Clause arriving{actor.subject, &verb_named("arriver"), actor.tense};
  const Part when = draw.gloss("quand = when");
  arriving.extra = draw.gloss(draw.one_of(kWhere));
  const Part arrived = statement(draw, arriving);
  return in_turn({when, arrived, turns_of(draw, actor, again(draw, actor.subject))});
}

// Reasons are in the present.
Part reason_of(Draw& draw, Actor& actor) {
  if (actor.tense == Tense::kPast) return day_of(draw, actor);
  return with_reason(draw, {.subject = &actor.subject, .tense = actor.tense, .brief = true, .negative = 0});
}

Part episode(Draw& draw, Actor actor) {
  static constexpr std::array<Part (*)(Draw&, Actor&), 5> kEpisodes = {day_of, before_it, arrival_of, reason_of,
                                                                       reason_of};
  return draw.one_of(kEpisodes)(draw, actor);
}

// "while" goes before a subject, not before another conjunction.
Part joint_before(Draw& draw, const Part& next) {
  static constexpr std::array<std::string_view, 3> kJoints = {"mais = but", "et = and", "pendant1 que1 = while1"};
  const bool opened = next.target.front().text == "when" || next.target.front().text == "before";
  return draw.gloss(kJoints[static_cast<std::size_t>(draw.below(opened ? 2 : 3))]);
}

// Someone whom no pronoun of the sentence means yet.
Subject another_of(Draw& draw, const std::vector<Subject>& before) {
  while (true) {
    Subject next = any_subject(draw);
    const bool known =
        std::ranges::any_of(before, [&](const Subject& subject) { return subject.person == next.person; });
    if (!known) return next;
  }
}

}  // namespace

Part tale(Draw& draw) {
  static constexpr Tense kTenses[] = {Tense::kHabitual, Tense::kHabitual, Tense::kFuture, Tense::kPast};
  const Tense tense = draw.one_of(kTenses);
  const Part opening = draw.chance(50) ? says(draw) : Part{};
  std::vector<Subject> people{any_subject(draw)};
  Part whole = in_turn({opening, episode(draw, {people.back(), tense})});
  const std::uint64_t more = 1 + draw.below(4);
  for (std::uint64_t count = 0; count < more; ++count) {
    people.push_back(another_of(draw, people));
    const Part next = episode(draw, {people.back(), tense});
    whole = in_turn({whole, joint_before(draw, next), next});
  }
  return whole;
}

}  // namespace dhyan::phrases::french
