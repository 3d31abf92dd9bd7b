#include <array>

#include "phrasebook/hindi_compound.h"
#include "phrasebook/hindi_copula.h"
#include "phrasebook/hindi_simple.h"

namespace dhyan::phrases::hindi {

namespace {

bool is_past(Tense tense) { return tense == Tense::kPast || tense == Tense::kPastContinuous; }

// Feelings: "राम को भूख लगी है", "राम थका हुआ है".
enum class State { kHungry, kThirsty, kTired, kIll, kBusy };

Part feels(Draw& draw, const Being& who, State state, bool past) {
  static constexpr Adjective kTired{"थका हुआ", "tired", "", 0}, kIll{"बीमार", "ill", "", 0},
      kBusy{"व्यस्त", "busy", "", 0};
  if (state == State::kHungry || state == State::kThirsty) {
    const bool hungry = state == State::kHungry;
    draw.combine(who.name, hungry ? "भूख" : "प्यास");
    const Links link = draw.link(), is_link = draw.link();
    return {marked(who, Marker::kKo, who.link) + words(hungry ? "भूख" : "प्यास", link) +
                words(past ? "लगी थी" : "लगी है", is_link),
            who.target + words(past ? was(who.person) : be(who.person), is_link) +
                words(hungry ? "hungry" : "thirsty", link)};
  }
  const Adjective& adjective = state == State::kTired ? kTired : state == State::kIll ? kIll : kBusy;
  draw.combine(who.name, adjective.hindi);
  return statement(draw, Equation{.subject = {who.direct, who.target},
                                  .agreement = who.agreement,
                                  .person = who.person,
                                  .predicate = quality(draw, adjective, who.agreement, 20),
                                  .past = past});
}

// "उसे आम पसंद हैं", about the object of the clause
std::optional<Part> likes_it(Draw& draw, const Being& who, const Clause& clause) {
  if (!clause.thing) {
    if (!holds(clause.verb->tenses, Tense::kLikeTo)) return std::nullopt;
    Clause liking{who, clause.verb, Tense::kLikeTo};
    return statement(draw, liking);
  }
  const Noun& item = noun_named(clause.thing->name);
  constexpr Kinds kLikeable = kFood | kDrink | kText | kShow | kSound | kGame | kLearnt | kPretty;
  if ((item.kinds & kLikeable) == 0 || item.count == Count::kThe || item.hindi == "खाना" || item.hindi == "गाना") {
    return std::nullopt;
  }
  return likes(draw, who, thing(draw, item, {.number = Number::kPlural}), Polarity::kPositive);
}

std::optional<Part> has_to(Draw& draw, const Being& who, std::string_view stem, std::string_view english) {
  const Verb* verb = draw.one_where(verbs(), [&](const Verb& entry) {
    return entry.english.base == english && (entry.stem == stem || entry.preverb == stem) &&
           holds(entry.tenses, Tense::kHaveTo);
  });
  if (who.young && verb->has(kAdult)) return std::nullopt;
  Clause duty{who, verb, Tense::kHaveTo};
  choose_object(draw, duty);
  return statement(draw, duty);
}

// Reasons to go to a place.
std::optional<Part> reason_to_go(Draw& draw, const Being& who, const Clause& clause) {
  if (clause.goal.source.empty()) return std::nullopt;
  const std::string& place = clause.goal.source.front().text;
  if (is_past(clause.tense)) {
    if (place == "घर") return feels(draw, who, State::kTired, true);
    if (place == "अस्पताल") return feels(draw, who, State::kIll, true);
    return std::nullopt;
  }
  if (clause.tense == Tense::kHabitual && (place == "घर" || place == "अस्पताल")) return std::nullopt;
  if (place == "घर") return feels(draw, who, State::kTired, false);
  if (place == "अस्पताल") return feels(draw, who, State::kIll, false);
  if (place == "बाज़ार" || place == "दुकान") return has_to(draw, who, "ख़रीद", "buy");
  if (place == "दफ़्तर") return has_to(draw, who, "काम", "work");
  if (place == "स्कूल" || place == "पुस्तकालय") return has_to(draw, who, "पढ़", "study");
  if (place == "पार्क") {
    static constexpr std::string_view kFun[] = {"खेल", "टहल", "दौड़"};
    const std::string_view stem = draw.one_of(kFun);
    const Verb* verb = draw.one_where(verbs(), [&](const Verb& v) { return v.stem == stem && v.objects == 0; });
    Clause liking{who, verb, Tense::kLikeTo};
    return statement(draw, liking);
  }
  if (place == "मंदिर" || place == "बैंक" || place == "होटल") return std::nullopt;
  Clause wish{who, &verb_named("मिल", "meet"), Tense::kWantTo};
  choose_object(draw, wish);
  return statement(draw, wish);
}

std::optional<Part> reason_for_state(Draw& draw, const Being& who, const Clause& clause, std::string_view verb) {
  const bool now = clause.tense == Tense::kContinuous || clause.tense == Tense::kWantTo ||
                   clause.tense == Tense::kGoingTo || is_past(clause.tense);
  if (!now) return std::nullopt;
  const bool past = is_past(clause.tense);
  if (verb == "eat" || verb == "cook") return feels(draw, who, State::kHungry, past);
  if (verb == "drink") return feels(draw, who, State::kThirsty, past);
  if (verb == "sleep" || verb == "rest") return feels(draw, who, State::kTired, past);
  return std::nullopt;
}

}  // namespace

std::optional<Part> reason_for(Draw& draw, const Clause& clause) {
  const Being who = again(draw, clause.subject);
  const std::string_view verb = clause.verb->english.base;
  if (clause.polarity == Polarity::kNegative) {
    if (clause.tense != Tense::kContinuous && clause.tense != Tense::kPast && clause.tense != Tense::kPastContinuous) {
      return std::nullopt;
    }
    static constexpr State kHindrances[] = {State::kTired, State::kIll, State::kBusy};
    return feels(draw, who, draw.one_of(kHindrances), is_past(clause.tense));
  }
  if (verb == "go") return reason_to_go(draw, who, clause);
  if (clause.verb->has(kGoal)) return std::nullopt;
  if (draw.chance(50)) {
    if (std::optional<Part> state = reason_for_state(draw, who, clause, verb)) return state;
  }
  if (is_past(clause.tense)) return std::nullopt;
  if (verb == "learn" && (noun_named(clause.thing->name).kinds & kLanguage) != 0 && draw.chance(70)) {
    Clause wish{who, &verb_named("बोल", "speak"), Tense::kWantTo};
    wish.thing = thing(draw, noun_named(clause.thing->name), {});
    return statement(draw, wish);
  }
  static constexpr std::string_view kPleasures[] = {"eat",   "drink", "read", "watch", "listen", "play",
                                                    "learn", "walk",  "run",  "swim",  "dance",  "travel"};
  for (const std::string_view pleasure : kPleasures) {
    if (verb == pleasure) return likes_it(draw, who, clause);
  }
  return std::nullopt;
}

Part therefore(Draw& draw) {
  struct Consequence {
    State state;
    std::string_view stem, english;
  };
  static constexpr auto kConsequences = std::to_array<Consequence>({{State::kHungry, "खा", "eat"},
                                                                    {State::kHungry, "पका", "cook"},
                                                                    {State::kThirsty, "पी", "drink"},
                                                                    {State::kTired, "सो", "sleep"},
                                                                    {State::kTired, "कर", "rest"}});
  static constexpr Tense kTenses[] = {Tense::kContinuous, Tense::kWantTo, Tense::kPast, Tense::kFuture};
  const Consequence& entry = draw.one_of(kConsequences);
  const Tense tense = draw.one_of(kTenses);
  Being who = any_being(draw);
  while (who.veiled) who = any_being(draw);
  const Part first = feels(draw, who, entry.state, is_past(tense));
  const Being same = again(draw, who);
  const Verb* verb = draw.one_where(verbs(), [&](const Verb& v) {
    return v.stem == entry.stem && v.english.base == entry.english && holds(v.tenses, tense);
  });
  const Clause second =
      any_clause(draw, {.subject = &same, .tense = tense, .verb = verb, .brief = true, .negative = 0});
  return in_turn({first, draw.gloss("इसलिए = so"), statement(draw, second)});
}

}  // namespace dhyan::phrases::hindi
