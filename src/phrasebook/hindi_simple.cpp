#include "phrasebook/hindi_simple.h"

#include <array>

namespace dhyan::phrases::hindi {

namespace {

// Places and the actions that people do there.
struct Errand {
  std::string_view stem, english, place;
};

constexpr auto kErrands = std::to_array<Errand>({
    {"ख़रीद", "buy", "बाज़ार = to the market"},
    {"ख़रीद", "buy", "दुकान = to the shop"},
    {"ख़रीद", "buy", "दिल्ली = to Delhi"},
    {"पढ़", "read", "पुस्तकालय = to the library"},
    {"पढ़", "study", "स्कूल = to school"},
    {"पढ़", "study", "दिल्ली = to Delhi"},
    {"खेल", "play", "पार्क = to the park"},
    {"खेल", "play", "स्कूल = to school"},
    {"टहल", "walk", "पार्क = to the park"},
    {"दौड़", "run", "पार्क = to the park"},
    {"मिल", "meet", "मुंबई = to Mumbai"},
    {"मिल", "meet", "गाँव = to the village"},
    {"मिल", "meet", "दफ़्तर = to the office"},
    {"मिल", "meet", "स्टेशन = to the station"},
    {"काम", "work", "दफ़्तर = to the office"},
    {"खा", "eat", "होटल = to the hotel"},
    {"सीख", "learn", "स्कूल = to school"},
});

constexpr auto kEveryday = std::to_array<std::string_view>({
    "मेरा1 नाम2 राम3 है4 = my1 name2 is4 Ram3",
    "मेरा1 नाम2 सीता3 है4 = my1 name2 is4 Sita3",
    "मेरा1 नाम2 मोहन3 है4 = my1 name2 is4 Mohan3",
    "मेरा1 नाम2 प्रिया3 है4 = my1 name2 is4 Priya3",
    "मेरे1 भाई2 का2 नाम3 रवि4 है5 = my1 brother's2 name3 is5 Ravi4",
    "मेरी1 बहन2 का2 नाम3 मीरा4 है5 = my1 sister's2 name3 is5 Meera4",
    "मेरे1 दोस्त2 का2 नाम3 अमित4 है5 = my1 friend's2 name3 is5 Amit4",
    "आपका1 नाम2 क्या3 है4 = what3 is4 your1 name2",
    "तुम्हारा1 नाम2 क्या3 है4 = what3 is4 your1 name2",
    "आप1 कैसे2 हैं3 = how2 are3 you1",
    "आप1 कैसी2 हैं3 = how2 are3 you1",
    "तुम1 कैसे2 हो3 = how2 are3 you1",
    "मैं1 ठीक2 हूँ3 = I1 am3 fine2",
    "हम1 ठीक2 हैं3 = we1 are3 fine2",
    "यह1 क्या2 है3 = what2 is3 this1",
    "वह1 क्या2 है3 = what2 is3 that1",
    "वह1 कौन2 है3 = who2 is3 that1",
    "आप1 कौन2 हैं3 = who2 are3 you1",
    "आप1 कहाँ2 से3 हैं4 = where2 are4 you1 from3",
    "मैं1 भारत2 से3 हूँ4 = I1 am4 from3 India2",
    "मैं1 दिल्ली2 से3 हूँ4 = I1 am4 from3 Delhi2",
    "हम1 मुंबई2 से3 हैं4 = we1 are4 from3 Mumbai2",
    "शुभ1 रात्रि2 = good1 night2",
    "बहुत1 अच्छा2 = very1 good2",
    "यहाँ1 आओ2 = come2 here1",
    "वहाँ1 मत2 जाओ3 = do2 not2 go3 there1",
    "आज1 बहुत2 गरमी3 है4 = it4 is4 very2 hot3 today1",
    "आज1 बहुत2 ठंड3 है4 = it4 is4 very2 cold3 today1",
    "बारिश1 हो1 रही2 है2 = it2 is2 raining1",
    "मुझे1 भूख2 लगी3 है3 = I1 am3 hungry2",
    "मुझे1 प्यास2 लगी3 है3 = I1 am3 thirsty2",
    "मुझे1 नींद2 आ3 रही3 है3 = I1 am3 sleepy2",
    "आज1 सोमवार2 है3 = today1 is3 Monday2",
    "आज1 रविवार2 है3 = today1 is3 Sunday2",
    "कृपया1 मेरी2 मदद3 कीजिए3 = please1 help3 me2",
});

Being who(Draw& draw) {
  static constexpr Pronoun kWho{"कौन", "किसने", "किसे", "किससे", "किसका", Who::kOne, Person::kHe};
  Being someone = being(draw, kWho, Gender::kMasculine);
  someone.target = words("who", someone.link);
  someone.veiled = false;
  return someone;
}

// Questions are not about the speaker.
Being not_me(Draw& draw) {
  Being someone = any_being(draw);
  while (someone.person == Person::kI || someone.person == Person::kWe) someone = any_being(draw);
  return someone;
}

Part who_question(Draw& draw) {
  static constexpr Tense kTenses[] = {Tense::kHabitual, Tense::kContinuous, Tense::kFuture, Tense::kPast};
  const Being someone = who(draw);
  Clause clause = any_clause(draw, {.subject = &someone, .tense = draw.one_of(kTenses), .brief = true, .negative = 0});
  // अपना needs an owner
  while (clause.thing && clause.thing->source.front().text.starts_with("अपन")) choose_object(draw, clause);
  return statement(draw, clause);
}

// "तुम क्या खा रहे हो"; "तुम कौन सी किताब पढ़ रहे हो"
Part object_question(Draw& draw) {
  static constexpr Tense kTenses[] = {Tense::kHabitual, Tense::kContinuous,     Tense::kFuture,
                                      Tense::kPast,     Tense::kPastContinuous, Tense::kWantTo};
  const Being someone = not_me(draw);
  Clause clause = any_clause(draw, {.subject = &someone, .tense = draw.one_of(kTenses), .brief = true, .negative = 0});
  if (!clause.thing) return question(draw, clause, "क्यों = why");
  const Noun& item = noun_named(clause.thing->name);
  if (item.count != Count::kOne || draw.chance(60)) {
    clause.thing.reset();
    return question(draw, clause, "क्या = what");
  }
  // the question is about the noun, and the verb still agrees with it
  clause.thing = Thing{{}, {}, item.gender, Number::kSingular, std::string(item.hindi)};
  const std::string which = adjective("सा", item.gender, Number::kSingular);
  return question(draw, clause,
                  "कौन1 " + which + "1 " + std::string(item.hindi) + "2 = which1 " + std::string(item.english) + "2");
}

}  // namespace

Part plain_statement(Draw& draw) { return statement(draw, any_clause(draw)); }

Part yes_no_question(Draw& draw) {
  const Being someone = not_me(draw);
  Tense tense = Tense::kUsedTo;
  Clause clause{someone, nullptr, tense};
  do {
    clause = any_clause(draw, {.subject = &someone, .negative = 0});
  } while (clause.tense == Tense::kUsedTo || clause.tense == Tense::kAlready || clause.tense == Tense::kLoveTo);
  clause.time_first = false;
  return question(draw, clause);
}

Part open_question(Draw& draw) {
  static constexpr Tense kWhen[] = {Tense::kHabitual, Tense::kFuture, Tense::kPast};
  static constexpr Tense kWhere[] = {Tense::kHabitual, Tense::kContinuous, Tense::kFuture};
  const std::uint64_t kind = draw.below(100);
  if (kind < 20) return who_question(draw);
  if (kind < 50) return object_question(draw);
  const Being someone = not_me(draw);
  if (kind < 68) {
    static constexpr Tense kWhy[] = {Tense::kContinuous, Tense::kPast, Tense::kWantTo, Tense::kPastContinuous};
    const Clause clause = any_clause(draw, {.subject = &someone, .tense = draw.one_of(kWhy), .brief = true});
    return question(draw, clause, "क्यों = why");
  }
  if (kind < 84) {
    Clause clause = any_clause(draw, {.subject = &someone, .tense = draw.one_of(kWhen), .brief = true, .negative = 0});
    while (clause.verb->has(kNeedsPlace)) {
      clause = any_clause(draw, {.subject = &someone, .tense = clause.tense, .brief = true, .negative = 0});
    }
    return question(draw, clause, "कब = when");
  }
  Clause clause = any_clause(draw, {.subject = &someone, .tense = draw.one_of(kWhere), .brief = true, .negative = 0});
  if (clause.verb->has(kGoal) && !clause.goal.source.empty() && !clause.verb->has(kNamesGoal) && draw.chance(50)) {
    return question(draw, clause, "कैसे = how");
  }
  const bool goes = clause.verb->english.base == "go";
  const bool prepacks = clause.verb->places != 0 && !clause.verb->has(kFromPlace);
  if (!goes && !prepacks) return question(draw, clause, "क्यों = why");
  clause.goal = clause.around = {};
  return question(draw, clause, "कहाँ = where");
}

Thing liked_thing(Draw& draw, Kinds kinds) {
  // खाना and गाना would read as "to eat" and "to sing"
  const Noun& item = *draw.one_where(nouns(), [&](const Noun& entry) {
    return (entry.kinds & kinds) != 0 && entry.count != Count::kThe && entry.hindi != "खाना" && entry.hindi != "गाना";
  });
  return thing(draw, item,
               {.number = Number::kPlural, .adjective = draw.chance(25) ? fitting_adjective(draw, item) : nullptr});
}

Part likes(Draw& draw, const Being& who, const Thing& what, Polarity polarity) {
  draw.combine(who.name, "like", what.name);
  note(draw, what);
  const Links link = draw.link(), support = draw.link();
  const Words source = marked(who, Marker::kKo, who.link) + what.source;
  const std::string_view is_form = is(agreement_with(what));
  if (polarity == Polarity::kNegative) {
    const Part negation = draw.gloss("नहीं = not");
    return {source + words("पसंद", link) + negation.source + words(is_form, support),
            who.target + words(do_form(who.person), support) + negation.target + words("like", link) + what.target};
  }
  const bool much = draw.chance(30);
  const EnglishVerb verb{much ? "love" : "like", "", "", ""};
  return {source + words(much ? "बहुत पसंद" : "पसंद", link) + words(is_form, link),
          who.target + words(present(verb, who.person), link) + what.target};
}

Part like_of_thing(Draw& draw) {
  Being someone = any_being(draw);
  while (someone.veiled) someone = any_being(draw);
  const Thing what = liked_thing(draw, kFood | kDrink | kText | kShow | kGame | kSound | kTaught);
  return likes(draw, someone, what, draw.chance(20) ? Polarity::kNegative : Polarity::kPositive);
}

Part errand(Draw& draw) {
  static constexpr Tense kTenses[] = {Tense::kContinuous, Tense::kFuture,         Tense::kPast,
                                      Tense::kHabitual,   Tense::kPastContinuous, Tense::kWantTo};
  const Errand& entry = draw.one_of(kErrands);
  const Verb& inner_verb = *draw.one_where(verbs(), [&](const Verb& verb) {
    return verb.english.base == entry.english && (verb.stem == entry.stem || verb.preverb == entry.stem) &&
           holds(verb.tenses, Tense::kFuture);
  });
  Clause outer = any_clause(draw, {.tense = draw.one_of(kTenses), .verb = &verb_named("जा", "go"), .negative = 8});
  while (outer.subject.young && inner_verb.has(kAdult)) {
    outer = any_clause(draw, {.tense = outer.tense, .verb = outer.verb, .negative = 8});
  }
  Clause inner{outer.subject, &inner_verb, Tense::kFuture};
  choose_object(draw, inner);
  outer.around = action(draw, inner, {oblique_infinitive(inner_verb), "to " + std::string(inner_verb.english.base)});
  outer.goal = draw.gloss(entry.place);
  return statement(draw, outer);
}

Part command(Draw& draw) {
  const bool polite = !draw.fixed(Draw::Fixed::kFamiliar);
  const Being listener = being(draw, pronouns()[polite ? 2 : 1], Gender::kMasculine);
  const Verb* verb = draw.one_where(verbs(), [](const Verb& entry) {
    return holds(entry.tenses, Tense::kGoingTo) || entry.english.base == "go" || entry.english.base == "come";
  });
  const Clause clause =
      any_clause(draw, {.subject = &listener, .tense = Tense::kFuture, .verb = verb, .brief = true, .negative = 0});
  draw.combine("command", verb->english.base, clause.thing ? clause.thing->name : "");
  const std::string base(verb->english.base);
  if (polite) return in_turn({draw.gloss("कृपया = please"), action(draw, clause, {polite_command(verb->stem), base})});
  Form form{familiar_command(verb->stem), base};
  if (draw.chance(30)) form.negation = draw.gloss("मत = do not");
  return action(draw, clause, form);
}

Part everyday(Draw& draw) { return draw.gloss(draw.one_of(kEveryday)); }

}  // namespace dhyan::phrases::hindi
