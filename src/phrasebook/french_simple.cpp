#include "phrasebook/french_simple.h"

#include <algorithm>

namespace dhyan::phrases::french {

namespace {

Institution any_institution(Draw& draw) {
  const Epithet* domain = draw.chance(75) ? &draw.one_of(domains()) : nullptr;
  const Head& head = draw.one_of(heads());
  return institution(draw, head, domain, draw.one_of(regions()));
}

Part with_the(const Institution& whole) {
  const Links noun = whole.name.source.front().links;
  return in_turn({Part{words(whole.gender == Gender::kFeminine ? "la" : "le", noun), words("the", noun)}, whole.name});
}

Subject not_me(Draw& draw) {
  Subject someone = any_subject(draw);
  while (someone.person == Person::kI || someone.person == Person::kWe) someone = any_subject(draw);
  return someone;
}

}  // namespace

bool has_quality(const Noun& noun) {
  return std::ranges::any_of(adjectives(), [&](const Adjective& entry) { return (entry.kinds & noun.kinds) != 0; });
}

const Adjective& any_adjective(Draw& draw, const Noun& noun) {
  return *draw.one_where(adjectives(), [&](const Adjective& entry) { return (entry.kinds & noun.kinds) != 0; });
}

// The further an adjective is from its noun in French, the further left it is in English.
Institution institution(Draw& draw, const Head& head, const Epithet* domain, const Epithet& region) {
  const Links noun = draw.link();
  const bool feminine = head.gender == Gender::kFeminine;
  Part name{words(head.french, noun), words(head.english, noun)};
  for (const Epithet* epithet : {domain, &region}) {
    if (epithet == nullptr) continue;
    const Links link = draw.link();
    name.source = name.source + words(feminine ? epithet->feminine : epithet->masculine, link);
    name.target = words(epithet->english, link) + name.target;
  }
  draw.combine(head.french, domain != nullptr ? domain->masculine : "", region.masculine);
  return {name, head.gender};
}

Part noun_phrase(Draw& draw) {
  const Noun& noun = draw.one_of(nouns());
  const bool many = noun.count == Count::kOne && draw.chance(35);
  static constexpr Determiner kDeterminers[] = {Determiner::kThe, Determiner::kThe, Determiner::kSome,
                                                Determiner::kThis, Determiner::kOwn};
  Determiner determiner = draw.one_of(kDeterminers);
  if (determiner == Determiner::kOwn && (noun.kinds & kOwned) == 0) determiner = Determiner::kThe;
  ThingOptions options{.determiner = determiner,
                       .number = many ? Number::kPlural : Number::kSingular,
                       .after = fitting(draw, noun, Position::kAfter)};
  const bool colour = options.after != nullptr && options.after->kinds == kColoured;
  if (options.after == nullptr || (colour && draw.chance(30))) options.before = fitting(draw, noun, Position::kBefore);
  const Thing what = thing(draw, noun, options);
  note(draw, what);
  return {what.source, what.target};
}

Part bare_institution(Draw& draw) { return any_institution(draw).name; }

Part institution_sentence(Draw& draw) {
  static constexpr std::string_view kOf[] = {"le1 président2 de3 = the1 president2 of3",
                                             "le1 rapport2 de3 = the1 report2 of3",
                                             "les1 membres2 de3 = the1 members2 of3", "le1 rôle2 de3 = the1 role2 of3"};
  static constexpr Adjective kSaid[] = {{"important", "importante", "important", Position::kAfter, 0},
                                        {"nouveau", "nouvelle", "new", Position::kBefore, 0},
                                        {"utile", "utile", "useful", Position::kAfter, 0},
                                        {"célèbre", "célèbre", "famous", Position::kAfter, 0}};
  const Institution whole = any_institution(draw);
  const Part named = with_the(whole);
  if (draw.chance(50)) return in_turn({draw.gloss(draw.one_of(kOf)), named});
  const Adjective& said = draw.one_of(kSaid);
  const Links is_link = draw.link(), link = draw.link();
  return in_turn({named, Part{words("est", is_link) + words(agreed(said, whole.gender, Number::kSingular), link),
                              words("is", is_link) + words(said.english, link)}});
}

Part plain_statement(Draw& draw) { return statement(draw, any_clause(draw)); }

Part any_question(Draw& draw) {
  static constexpr std::string_view kAsked[] = {"quand = when", "pourquoi = why"};
  const Subject someone = not_me(draw);
  if (draw.chance(60)) return question(draw, any_clause(draw, {.subject = &someone, .negative = 0}));
  Clause clause = any_clause(draw, {.subject = &someone, .brief = true, .negative = 0});
  if (clause.verb->infinitive == "aller") {
    if (draw.chance(40)) return question(draw, clause, "comment = how");
    clause.extra = {};
    return question(draw, clause, "où = where");
  }
  return question(draw, clause, draw.one_of(kAsked));
}

Part likes(Draw& draw, const Subject& who, const Noun& noun, Polarity polarity) {
  const bool much = polarity == Polarity::kPositive && draw.chance(30);
  const Number number = noun.count == Count::kOne ? Number::kPlural : Number::kSingular;
  const Thing what = thing(draw, noun, {.determiner = Determiner::kThe, .number = number});
  const Words english(what.target.begin() + 1, what.target.end());  // without "the"
  const Verb verb{much ? "adorer" : "aimer", {}, "", {much ? "love" : "like", "", "", ""}};
  Clause clause{who, &verb, Tense::kHabitual, polarity};
  clause.thing = Thing{what.source, what.source, english, what.gender, number, what.name};
  return statement(draw, clause);
}

Part like_of_thing(Draw& draw) {
  const Noun& noun = *draw.one_where(nouns(), [](const Noun& entry) {
    return (entry.kinds & (kFood | kDrink | kText | kShow | kSound | kPretty)) != 0;
  });
  const Subject who = any_subject(draw);
  return likes(draw, who, noun, draw.chance(35) ? Polarity::kNegative : Polarity::kPositive);
}

Part is(Draw& draw, const Quality& quality) {
  const Subject& who = quality.subject;
  draw.combine(who.name, quality.adjective.masculine);
  const Links be_link = draw.link(), link = draw.link(), no = draw.link();
  const bool negative = quality.polarity == Polarity::kNegative;
  // vous is one person here
  const Number number = who.row == 4 ? Number::kSingular : who.number;
  return {who.source + (negative ? words("ne", no) : Words{}) +
              words(quality.past ? etait(who.row) : etre(who.row), be_link) + (negative ? words("pas", no) : Words{}) +
              words(agreed(quality.adjective, who.gender, number), link),
          who.target + words(quality.past ? was(who.person) : be(who.person), be_link) +
              (negative ? words("not", no) : Words{}) + words(quality.adjective.english, link)};
}

Part any_quality(Draw& draw) {
  static constexpr Adjective kPersonal[] = {{"fatigué", "fatiguée", "tired", Position::kAfter, 0},
                                            {"content", "contente", "happy", Position::kAfter, 0},
                                            {"malade", "malade", "ill", Position::kAfter, 0},
                                            {"grand", "grande", "tall", Position::kAfter, 0},
                                            {"prêt", "prête", "ready", Position::kAfter, 0},
                                            {"intelligent", "intelligente", "intelligent", Position::kAfter, 0}};
  const Polarity polarity = draw.chance(25) ? Polarity::kNegative : Polarity::kPositive;
  const bool past = draw.chance(25);
  if (draw.chance(45)) return is(draw, {any_subject(draw), draw.one_of(kPersonal), polarity, past});
  const Noun& noun = *draw.one_where(nouns(), has_quality);
  const Adjective& adjective = any_adjective(draw, noun);
  const bool many = noun.count == Count::kOne && draw.chance(30);
  const std::uint64_t kind = draw.below(3);
  const bool owned = kind == 0 && (noun.kinds & kOwned) != 0;
  const Thing what = thing(draw, noun,
                           {.determiner = owned       ? Determiner::kOwn
                                          : kind == 1 ? Determiner::kThis
                                                      : Determiner::kThe,
                            .number = many ? Number::kPlural : Number::kSingular});
  const Subject subject{what.source, what.target, many ? std::size_t{5} : 2,
                        what.gender, what.number, many ? Person::kThey : Person::kIt,
                        what.name};
  return is(draw, {subject, adjective, polarity, past});
}

Part possession(Draw& draw) {
  const Subject who = any_subject(draw);
  const Noun& noun = *draw.one_where(
      nouns(), [](const Noun& entry) { return entry.count == Count::kOne && (entry.kinds & (kGoods | kSized)) != 0; });
  const bool several = (noun.kinds & kSmall) != 0 && draw.chance(40);
  ThingOptions options{.determiner = several ? Determiner::kSeveral : Determiner::kSome};
  if (several) options.number = Number::kPlural;
  if (draw.chance(60)) options.after = fitting(draw, noun, Position::kAfter);
  const bool colour = options.after != nullptr && options.after->kinds == kColoured;
  if (colour && draw.chance(30)) options.before = fitting(draw, noun, Position::kBefore);
  const Thing what = thing(draw, noun, options);
  draw.combine(who.name, "avoir", noun.french);
  note(draw, what);
  const Links has = draw.link(), no = draw.link(), support = draw.link();
  if (draw.chance(25)) {
    return {who.source + words("ne", no) + words(avoir(who.row), has | support) + words("pas", no) + what.denied,
            who.target + words(do_form(who.person), support) + words("not", no) + words("have", has) + what.target};
  }
  return {who.source + words(avoir(who.row), has) + what.source,
          who.target + words(have(who.person), has) + what.target};
}

Part existence(Draw& draw) {
  const Noun& noun = *draw.one_where(nouns(), [](const Noun& entry) { return (entry.kinds & kSmall) != 0; });
  const bool many = draw.chance(45);
  const Thing what = thing(draw, noun,
                           {.determiner = many ? Determiner::kSeveral : Determiner::kSome,
                            .number = many ? Number::kPlural : Number::kSingular,
                            .after = draw.chance(40) ? fitting(draw, noun, Position::kAfter) : nullptr});
  const Part spot = draw.gloss(draw.one_of(spots()));
  draw.combine(noun.french, spot.source.back().text, spot.source.front().text);
  note(draw, what);
  const Links link = draw.link();
  return {words("il y a", link) + what.source + spot.source,
          words(many ? "there are" : "there is", link) + what.target + spot.target};
}

}  // namespace dhyan::phrases::french
