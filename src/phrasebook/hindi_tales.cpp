#include <algorithm>
#include <array>

#include "phrasebook/hindi_compound.h"

namespace dhyan::phrases::hindi {

namespace {

// Verbs whose object may be a list: "buys apples and bananas and milk".
bool takes_list(const Verb& verb) {
  return verb.has(kDaily) && verb.objects != 0 && verb.objects != kPerson && !verb.has(kSingly) && !verb.has(kDefinite);
}

// Nouns that say in both languages whether they are one or several.
bool is_listed(const Noun& noun) {
  const bool shows_plural = noun.gender == Gender::kFeminine || noun.hindi.ends_with("ा");
  return noun.count == Count::kMass || noun.count == Count::kPlural || (noun.count == Count::kOne && shows_plural);
}

// Neither "buys hot milk" nor "writes old poems".
const Adjective* fitting_quality(Draw& draw, const Verb& verb, const Noun& noun) {
  return draw.one_where(adjectives(), [&](const Adjective& entry) {
    return (entry.kinds & noun.kinds) != 0 && (entry.kinds & (kHot | kCold)) == 0 &&
           !(verb.objects == kWritten && entry.english == "old");
  });
}

// Two to four things as one object. The verb agrees with the last of them.
Thing list_for(Draw& draw, const Verb& verb) {
  std::vector<std::string_view> taken;
  Thing whole;
  const std::uint64_t most = 2 + draw.below(3);
  for (std::uint64_t count = 0; count < most; ++count) {
    const Noun* noun = draw.one_where(nouns(), [&](const Noun& entry) {
      return (entry.kinds & verb.objects) != 0 && is_listed(entry) &&
             std::ranges::find(taken, entry.hindi) == taken.end();
    });
    if (noun == nullptr) break;
    taken.push_back(noun->hindi);
    const Adjective* quality = draw.chance(25) ? fitting_quality(draw, verb, *noun) : nullptr;
    Thing next = thing(draw, *noun, {.number = Number::kPlural, .adjective = quality});
    if (count > 0) {
      draw.combine(verb.english.base, whole.name);
      note(draw, whole);
      const Part list =
          in_turn({Part{whole.source, whole.target}, draw.gloss("और = and"), Part{next.source, next.target}});
      next.source = list.source;
      next.target = list.target;
    }
    whole = next;
  }
  return whole;
}

// A person of a tale and the verbs of its actions.
struct Actor {
  Being being;
  Era era;
  Told told = {};
};

// A daily activity, often with a list of things.
Part doing(Draw& draw, Actor& actor, const Being& who) {
  const Tense tense = telling_tense(actor.era);
  const Verb* verb = draw.one_where(verbs(), [&](const Verb& entry) {
    return takes_list(entry) && holds(entry.tenses, tense) && fits(who, entry, tense) && !is_told(&actor.told, entry);
  });
  if (verb == nullptr || draw.chance(50)) {
    const Clause clause = daily(draw, who, tense, actor.told);
    actor.told.push_back(clause.verb);
    return statement(draw, clause);
  }
  actor.told.push_back(verb);
  Clause clause{who, verb, tense};
  clause.thing = list_for(draw, *verb);
  return statement(draw, clause);
}

// "and after that he buys apples and milk"
Part then(Draw& draw, Actor& actor, std::string_view joint = "और1 उसके2 बाद3 = and1 after3 that2") {
  const Part before = draw.gloss(joint);
  return in_turn({before, doing(draw, actor, again(draw, actor.being))});
}

// "after eating food Ram reads a book and after that he buys apples and milk"
Part day_of(Draw& draw, Actor& actor) {
  const Part first = in_turn({before_or_after(draw, actor.being, actor.era, actor.told), then(draw, actor)});
  return draw.chance(60) ? first : in_turn({first, then(draw, actor, "और1 फिर2 = and1 then2")});
}

// "Ram buys apples and bananas and after that he drinks tea"
Part errands_of(Draw& draw, Actor& actor) { return in_turn({doing(draw, actor, actor.being), then(draw, actor)}); }

// "Ram is eating rice because he is hungry"
Part reason_of(Draw& draw, Actor& actor) {
  static constexpr Tense kNow[] = {Tense::kContinuous, Tense::kHabitual, Tense::kWantTo, Tense::kGoingTo};
  while (true) {
    const Tense tense = actor.era == Era::kPresent ? draw.one_of(kNow) : tense_of(draw, actor.era);
    const Clause clause = any_clause(draw, {.subject = &actor.being, .tense = tense, .brief = true, .negative = 20});
    if (const std::optional<Part> reason = reason_for(draw, clause)) {
      return in_turn({statement(draw, clause), draw.gloss("क्योंकि = because"), *reason});
    }
  }
}

// "when Ram reaches home he will eat rice and dal"
Part arrival_of(Draw& draw, Actor& actor) {
  if (actor.era == Era::kPresent) return errands_of(draw, actor);
  Clause arriving = arrival(draw, actor.being, telling_tense(actor.era));
  if (actor.era == Era::kFuture) arriving.english_tense = Tense::kHabitual;
  return in_turn({draw.gloss("जब = when"), statement(draw, arriving), draw.gloss("तब- = "),
                  doing(draw, actor, again(draw, actor.being))});
}

Part episode(Draw& draw, Actor actor) {
  static constexpr std::array<Part (*)(Draw&, Actor&), 6> kEpisodes = {day_of,    day_of,    errands_of,
                                                                       reason_of, reason_of, arrival_of};
  return draw.one_of(kEpisodes)(draw, actor);
}

// "while" goes before a subject, not before another conjunction.
Part joint_before(Draw& draw, const Part& next) {
  static constexpr std::array<std::string_view, 3> kJoints = {"लेकिन = but", "और = and", "जबकि = while"};
  static constexpr std::array<std::string_view, 3> kOpeners = {"when", "before", "after"};
  const bool opened = std::ranges::find(kOpeners, next.target.front().text) != kOpeners.end();
  return draw.gloss(kJoints[static_cast<std::size_t>(draw.below(opened ? 2 : 3))]);
}

// Someone whom no pronoun of the sentence means yet.
Being another_of(Draw& draw, const std::vector<Being>& before) {
  while (true) {
    Being next = someone_else(draw, before.back());
    const bool known = std::ranges::any_of(
        before, [&](const Being& being) { return being.person == next.person || being.name == next.name; });
    if (!known) return next;
  }
}

}  // namespace

Part tale(Draw& draw) {
  const Era era = any_era(draw);
  const Part opening = draw.chance(50) ? says(draw) : Part{};
  std::vector<Being> people{plain_being(draw)};
  Part whole = in_turn({opening, episode(draw, {people.back(), era})});
  const std::uint64_t more = 1 + draw.below(3);
  for (std::uint64_t count = 0; count < more; ++count) {
    people.push_back(another_of(draw, people));
    const Part next = episode(draw, {people.back(), era});
    whole = in_turn({whole, joint_before(draw, next), next});
  }
  return whole;
}

}  // namespace dhyan::phrases::hindi
