#include "phrasebook/hindi_phrases.h"

#include <utility>

#include "core/error.h"

namespace dhyan::phrases::hindi {

namespace {

constexpr Gender kMale = Gender::kMasculine, kFemale = Gender::kFeminine;

Person person_of(Gender gender) { return gender == kMale ? Person::kHe : Person::kShe; }

bool is_addressed(const Draw& draw, const Pronoun& pronoun) {
  return pronoun.person != Person::kYou || (pronoun.who == Who::kTum) == draw.fixed(Draw::Fixed::kFamiliar);
}

bool is_woman(Draw& draw, Person person) {
  switch (person) {
    case Person::kI:
      return draw.fixed(Draw::Fixed::kWomanSpeaks);
    case Person::kYou:
      return draw.fixed(Draw::Fixed::kWomanListens);
    case Person::kWe:
      return draw.fixed(Draw::Fixed::kWomenTogether);
    default:
      return draw.chance(40);
  }
}

Being any_pronoun(Draw& draw) {
  const Pronoun& pronoun = *draw.one_where(pronouns(), [&](const Pronoun& p) { return is_addressed(draw, p); });
  if (pronoun.who == Who::kOne) {
    Being someone = being(draw, pronoun, pronoun.person == Person::kHe ? kMale : kFemale);
    if (draw.chance(15)) someone.direct = words("वो", someone.link);  // colloquial
    return someone;
  }
  return being(draw, pronoun, is_woman(draw, pronoun.person) ? kFemale : kMale);
}

Being couple(Draw& draw) {
  const Name& first = draw.one_of(names());
  const Name& second = *draw.one_where(names(), [&](const Name& name) { return name.hindi != first.hindi; });
  const Links link = draw.link();
  const auto both = [](const Words& a, const Words& middle, const Words& b) { return a + middle + b; };
  const Being a = being(draw, first), b = being(draw, second);
  const Words direct = both(a.direct, words("और", link), b.direct);
  const Gender gender = first.gender == kFemale && second.gender == kFemale ? kFemale : kMale;
  return {direct,
          direct,
          both(a.target, words("and", link), b.target),
          nullptr,
          b.link,
          {Who::kMany, gender},
          Person::kThey,
          std::string(first.hindi)};
}

// A relative, with a given possessive.
Being relative(Draw& draw, const Human& human, std::string_view owner, std::string_view english_owner) {
  const bool honoured = human.standing == Human::Standing::kHonoured;
  const Number number = honoured ? Number::kPlural : Number::kSingular;
  const Links whose = draw.link(), link = draw.link();
  // दादा, चाचा and पिता keep their -ा
  const std::string oblique =
      honoured ? std::string(human.hindi) : noun(human.hindi, human.gender, Number::kSingular, Case::kOblique);
  return {words(adjective(owner, human.gender, number), whose) + words(human.hindi, link),
          words(adjective(owner, human.gender, number, Case::kOblique), whose) + words(oblique, link),
          words(english_owner, whose) + words(human.english, link),
          nullptr,
          link,
          {honoured ? Who::kMany : Who::kOne, human.gender},
          person_of(human.gender),
          std::string(human.hindi),
          human.standing == Human::Standing::kYoung};
}

std::string_view demonstrative(Determiner determiner, Number number) {
  const bool near = determiner == Determiner::kThis;
  if (number == Number::kPlural) return near ? "ये" : "वे";
  return near ? "यह" : "वह";
}

std::string_view english_demonstrative(Determiner determiner, Number number) {
  const bool near = determiner == Determiner::kThis;
  if (number == Number::kPlural) return near ? "these" : "those";
  return near ? "this" : "that";
}

// The determiner in both languages.
Part determined(Draw& draw, const ThingOptions& options, const Noun& noun_entry, Number number, Links noun_link,
                std::string_view next_english) {
  const bool single = noun_entry.count == Count::kOne && number == Number::kSingular;
  switch (options.determiner) {
    case Determiner::kBare:
      if (noun_entry.count == Count::kThe) return {{}, words("the", noun_link)};
      return single ? Part{{}, words(article_before(next_english), noun_link)} : Part{};
    case Determiner::kThe:
      return {{}, words("the", noun_link)};
    case Determiner::kOne: {
      const Links link = draw.link();
      return {words("एक", link), words(article_before(next_english), link)};
    }
    case Determiner::kSeveral: {
      const Links link = draw.link();
      const Numeral& numeral = draw.one_of(numerals().first(draw.chance(80) ? 4 : numerals().size()));
      return {words(numeral.hindi, link), words(numeral.english, link)};
    }
    case Determiner::kThis:
    case Determiner::kThat: {
      const Links link = draw.link();
      return {words(demonstrative(options.determiner, number), link),
              words(english_demonstrative(options.determiner, number), link)};
    }
    case Determiner::kOwn: {
      const Links link = draw.link();
      return {words(adjective("अपना", noun_entry.gender, number), link), words(possessive(options.owner), link)};
    }
    case Determiner::kWhose: {
      const Links link = draw.link();
      return {words(adjective(options.whose->genitive, noun_entry.gender, number), link),
              words(possessive(options.whose->person), link)};
    }
  }
  throw UsageError("phrasebook: no such determiner");
}

}  // namespace

Being being(Draw& draw, const Pronoun& pronoun_entry, Gender gender) {
  const Links link = draw.link();
  const Words direct = words(pronoun_entry.direct, link);
  return {direct,
          direct,
          words(pronoun(pronoun_entry.person), link),
          &pronoun_entry,
          link,
          {pronoun_entry.who, gender},
          pronoun_entry.person,
          std::string(pronoun_entry.direct),
          false,
          pronoun_entry.who == Who::kOne};
}

Being being(Draw& draw, const Name& name) {
  const Links link = draw.link();
  const Words hindi = words(name.hindi, link);
  return {hindi,
          hindi,
          words(name.english, link),
          nullptr,
          link,
          {Who::kOne, name.gender},
          person_of(name.gender),
          std::string(name.hindi)};
}

Being being(Draw& draw, const Human& human, Number number) {
  const Links link = draw.link();
  const bool plural = number == Number::kPlural;
  return {words(noun(human.hindi, human.gender, number, Case::kDirect), link),
          words(noun(human.hindi, human.gender, number, Case::kOblique), link),
          words("the", link) + words(plural ? human.plural : human.english, link),
          nullptr,
          link,
          {plural ? Who::kMany : Who::kOne, human.gender},
          plural ? Person::kThey : person_of(human.gender),
          std::string(human.hindi),
          human.standing == Human::Standing::kYoung};
}

Being relative_of(Draw& draw, const Human& human, const Pronoun& owner) {
  return relative(draw, human, owner.genitive, possessive(owner.person));
}

Being own_relative(Draw& draw, const Human& human, Person owner) {
  return relative(draw, human, "अपना", possessive(owner));
}

const Pronoun& plain_pronoun(Draw& draw) {
  return *draw.one_where(pronouns(), [&](const Pronoun& p) { return p.who != Who::kOne && is_addressed(draw, p); });
}

const Pronoun& plain_pronoun_but(Draw& draw, Person person) {
  const auto speaks = [](Person one) { return one == Person::kI || one == Person::kWe; };
  return *draw.one_where(pronouns(), [&](const Pronoun& p) {
    return p.who != Who::kOne && is_addressed(draw, p) && p.person != person && !(speaks(p.person) && speaks(person));
  });
}

Being any_name(Draw& draw) { return being(draw, draw.one_of(names())); }

Being any_being(Draw& draw) {
  const std::uint64_t kind = draw.below(100);
  if (kind < 48) return any_pronoun(draw);
  if (kind < 68) return any_name(draw);
  if (kind < 84) {
    const Human& human = draw.one_of(relatives());
    return relative_of(draw, human, plain_pronoun(draw));
  }
  if (kind < 96) {
    const Human& human = draw.one_of(people());
    const bool plural = !human.plural.empty() && draw.chance(35);
    return being(draw, human, plural ? Number::kPlural : Number::kSingular);
  }
  return couple(draw);
}

Being again(Draw& draw, const Being& before) {
  if (before.pronoun != nullptr) {
    Being same = being(draw, *before.pronoun, before.agreement.gender);
    same.veiled = false;
    return same;
  }
  const bool many = before.agreement.who == Who::kMany;
  Being pronoun_being = being(draw, pronoun_for(many ? Person::kThey : before.person), before.agreement.gender);
  pronoun_being.person = before.person;
  pronoun_being.target = words(pronoun(before.person), pronoun_being.link);
  pronoun_being.young = before.young;
  pronoun_being.veiled = false;
  return pronoun_being;
}

Words ergative(const Being& being) {
  if (being.pronoun != nullptr) return words(being.pronoun->ergative, being.link);
  return being.oblique + words("ने", being.link);
}

Words marked(const Being& being, Marker marker, Links link) {
  const Pronoun* pronoun = being.pronoun;
  switch (marker) {
    case Marker::kNone:
      return being.direct;
    case Marker::kKo:
      return pronoun != nullptr ? words(pronoun->dative, being.link | link) : being.oblique + words("को", link);
    case Marker::kSe:
      return pronoun != nullptr ? words(pronoun->instrumental, being.link | link) : being.oblique + words("से", link);
    case Marker::kKa:
      return pronoun != nullptr ? words(pronoun->genitive, being.link | link) : being.oblique + words("का", link);
    case Marker::kKi:
      return pronoun != nullptr ? words(adjective(pronoun->genitive, kFemale, Number::kSingular), being.link | link)
                                : being.oblique + words("की", link);
  }
  throw UsageError("phrasebook: no such marker");
}

Words beside(const Being& being, Links link) {
  if (being.pronoun == nullptr) return being.oblique + words("के", link);
  return words(adjective(being.pronoun->genitive, kMale, Number::kSingular, Case::kOblique), being.link | link);
}

Words as_object(const Being& being) {
  return being.pronoun != nullptr ? words(object_pronoun(being.person), being.link) : being.target;
}

const Adjective* fitting_adjective(Draw& draw, const Noun& noun) {
  return draw.one_where(adjectives(), [&](const Adjective& a) { return (a.kinds & noun.kinds) != 0; });
}

void note(Draw& draw, const Thing& thing) {
  if (!thing.quality.empty()) draw.combine(thing.quality, thing.name);
}

Thing thing(Draw& draw, const Noun& entry, const ThingOptions& options) {
  Number number = options.number;
  if (options.determiner == Determiner::kSeveral || entry.count == Count::kPlural) number = Number::kPlural;
  if (entry.count == Count::kMass || entry.count == Count::kThe) number = Number::kSingular;
  const bool pluralised = number == Number::kPlural && entry.count == Count::kOne;
  const std::string_view english = pluralised ? entry.plural : entry.english;
  const Links link = draw.link();
  Part head{words(pluralised ? noun(entry.hindi, entry.gender, number, Case::kDirect) : std::string(entry.hindi), link),
            words(english, link)};
  if (options.adjective != nullptr) {
    const Links quality = draw.link();
    head = in_turn({Part{words(adjective(options.adjective->hindi, entry.gender, number), quality),
                         words(options.adjective->english, quality)},
                    head});
  }
  const Part before = determined(draw, options, entry, number, link, head.target.front().text);
  const Part whole = in_turn({before, head});
  return {whole.source,
          whole.target,
          entry.gender,
          number,
          std::string(entry.hindi),
          options.adjective != nullptr ? std::string(options.adjective->hindi) : ""};
}

}  // namespace dhyan::phrases::hindi
