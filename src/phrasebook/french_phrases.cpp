#include "core/error.h"
#include "phrasebook/french_clause.h"

namespace dhyan::phrases::french {

namespace {

constexpr Gender kMale = Gender::kMasculine, kFemale = Gender::kFeminine;

struct Possessive {
  std::string_view masculine, feminine, plural;
};

Possessive possessive_of(const Draw& draw, Person owner) {
  switch (owner) {
    case Person::kI:
      return {"mon", "ma", "mes"};
    case Person::kYou:
      return draw.fixed(Draw::Fixed::kFamiliar) ? Possessive{"ton", "ta", "tes"} : Possessive{"votre", "votre", "vos"};
    case Person::kWe:
      return {"notre", "notre", "nos"};
    case Person::kThey:
      return {"leur", "leur", "leurs"};
    default:
      return {"son", "sa", "ses"};
  }
}

std::string_view possessive_word(const Draw& draw, Person owner, Gender gender, Number number) {
  const Possessive forms = possessive_of(draw, owner);
  return number == Number::kPlural ? forms.plural : gender == kFemale ? forms.feminine : forms.masculine;
}

std::string_view definite(Gender gender, Number number) {
  return number == Number::kPlural ? "les" : gender == kFemale ? "la" : "le";
}

Person person_of(Gender gender) { return gender == kMale ? Person::kHe : Person::kShe; }

Subject described(Draw& draw, const Noun& noun, Determiner determiner, Number number, Person owner) {
  const Thing whom = thing(draw, noun, {.determiner = determiner, .number = number, .owner = owner});
  const bool many = number == Number::kPlural;
  return {whom.source, whom.target, many ? std::size_t{5} : 2,
          noun.gender, number,      many ? Person::kThey : person_of(noun.gender),
          whom.name};
}

// The determiner, affirmative and negated, and its English.
struct Determined {
  Words source, denied, target;
};

Determined determined(Draw& draw, const Noun& noun, const ThingOptions& options, Links noun_link,
                      std::string_view next_english) {
  const bool many = options.number == Number::kPlural, mass = noun.count == Count::kMass;
  const std::string_view the = definite(noun.gender, options.number);
  const Links own = draw.link();
  switch (options.determiner) {
    case Determiner::kThe: {
      const Words source = words(the, noun_link);
      return {source, source, words("the", noun_link)};
    }
    case Determiner::kSome: {
      const Words de = words("de", noun_link);
      if (mass) return {de + words(the, noun_link), de, {}};
      if (many) return {options.before != nullptr ? de : words("des", noun_link), de, {}};
      return {words(noun.gender == kFemale ? "une" : "un", own), words("de", own),
              words(article_before(next_english), own)};
    }
    case Determiner::kOwn: {
      const Words source = words(possessive_word(draw, options.owner, noun.gender, options.number), own);
      return {source, source, words(possessive(options.owner), own)};
    }
    case Determiner::kThis: {
      const Words source = words(many ? "ces" : noun.gender == kFemale ? "cette" : "ce", own);
      return {source, source, words(many ? "these" : "this", own)};
    }
    case Determiner::kSeveral: {
      static constexpr std::string_view kNumbers[] = {"deux = two", "trois = three", "quatre = four", "cinq = five",
                                                      "six = six"};
      const Part number = draw.gloss(draw.one_of(kNumbers));
      return {number.source, number.source, number.target};
    }
  }
  throw UsageError("phrasebook: no such determiner");
}

}  // namespace

Subject pronoun_subject(Draw& draw, std::size_t row, Gender gender) {
  static constexpr std::string_view kMen[] = {"je", "tu", "il", "nous", "vous", "ils"};
  static constexpr Person kPersons[] = {Person::kI,  Person::kYou, Person::kHe,
                                        Person::kWe, Person::kYou, Person::kThey};
  const Links link = draw.link();
  const bool she = gender == kFemale && (row == 2 || row == 5);
  const std::string_view word = she ? (row == 2 ? "elle" : "elles") : kMen[row];
  const Person person = row == 2 ? person_of(gender) : kPersons[row];
  return {words(word, link),
          words(pronoun(person), link),
          row,
          gender,
          row < 3 ? Number::kSingular : Number::kPlural,
          person,
          std::string(word)};
}

Subject any_subject(Draw& draw) {
  const std::uint64_t kind = draw.below(100);
  if (kind < 55) {
    std::size_t row = draw.below(6);
    // within a sentence the listener is always tu or always vous
    if (row == 1 || row == 4) row = draw.fixed(Draw::Fixed::kFamiliar) ? 1 : 4;
    const bool woman = row == 0               ? draw.fixed(Draw::Fixed::kWomanSpeaks)
                       : row == 1 || row == 4 ? draw.fixed(Draw::Fixed::kWomanListens)
                       : row == 3             ? draw.fixed(Draw::Fixed::kWomenTogether)
                                              : draw.chance(50);
    return pronoun_subject(draw, row, woman ? kFemale : kMale);
  }
  if (kind < 70) {
    const Name& name = draw.one_of(names());
    const Links link = draw.link();
    return {words(name.french, link), words(name.english, link), 2, name.gender, Number::kSingular,
            person_of(name.gender),   std::string(name.french)};
  }
  if (kind < 85) {
    static constexpr Person kOwners[] = {Person::kI, Person::kYou, Person::kWe, Person::kThey};
    const Noun& relative = draw.one_of(relatives());
    return described(draw, relative, Determiner::kOwn, Number::kSingular, draw.one_of(kOwners));
  }
  const Number number = draw.chance(40) ? Number::kPlural : Number::kSingular;
  return described(draw, draw.one_of(people()), Determiner::kThe, number, Person::kI);
}

Subject again(Draw& draw, const Subject& before) { return pronoun_subject(draw, before.row, before.gender); }

std::string agreed(const Adjective& adjective, Gender gender, Number number) {
  const std::string_view form = gender == kFemale ? adjective.feminine : adjective.masculine;
  return number == Number::kPlural ? plural(form) : std::string(form);
}

const Adjective* fitting(Draw& draw, const Noun& noun, Position position) {
  return draw.one_where(adjectives(), [&](const Adjective& adjective) {
    return adjective.position == position && (adjective.kinds & noun.kinds) != 0;
  });
}

void note(Draw& draw, const Thing& thing) {
  for (const std::string& quality : thing.qualities) draw.combine(quality, thing.name);
}

Thing thing(Draw& draw, const Noun& noun, const ThingOptions& options) {
  const bool many = options.number == Number::kPlural;
  const Links link = draw.link();
  Part head{words(many ? plural(noun.french) : std::string(noun.french), link),
            words(many ? noun.plural : noun.english, link)};
  std::vector<std::string> qualities;
  for (const Adjective* adjective : {options.after, options.before}) {
    if (adjective == nullptr) continue;
    const Links quality = draw.link();
    const Words french = words(agreed(*adjective, noun.gender, options.number), quality);
    head.source = adjective == options.before ? french + head.source : head.source + french;
    head.target = words(adjective->english, quality) + head.target;
    qualities.emplace_back(adjective->masculine);
  }
  const Determined before = determined(draw, noun, options, link, head.target.front().text);
  return {before.source + head.source,
          before.denied + head.source,
          before.target + head.target,
          noun.gender,
          options.number,
          std::string(noun.french),
          qualities};
}

Thing any_thing(Draw& draw, Kinds kinds, Person owner) {
  const Noun& noun = *draw.one_where(nouns(), [&](const Noun& entry) { return (entry.kinds & kinds) != 0; });
  ThingOptions options{.owner = owner};
  const std::uint64_t kind = draw.below(100);
  const bool countable = noun.count == Count::kOne;
  if (kind >= 50 && kind < 70) options.determiner = Determiner::kThe;
  if (kind >= 70 && kind < 82 && (noun.kinds & kOwned) != 0) options.determiner = Determiner::kOwn;
  if (kind >= 82 && kind < 92) options.determiner = Determiner::kThis;
  if (kind >= 92 && countable) options.determiner = Determiner::kSeveral;
  const bool several = options.determiner == Determiner::kSeveral;
  if (several || (countable && draw.chance(25))) options.number = Number::kPlural;
  if (draw.chance(22)) options.after = fitting(draw, noun, Position::kAfter);
  // "une grande voiture rouge"; at most one adjective of opinion
  if (draw.chance(15) && (options.after == nullptr || options.after->kinds == kColoured)) {
    options.before = fitting(draw, noun, Position::kBefore);
  }
  return thing(draw, noun, options);
}

}  // namespace dhyan::phrases::french
