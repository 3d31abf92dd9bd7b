#include "phrasebook/english.h"

#include <array>

#include "core/error.h"

namespace dhyan::phrases {

namespace {

struct PersonForms {
  std::string_view subject, object, possessive, be, was, have, does;
};

constexpr auto kPersons = std::to_array<PersonForms>({
    {"I", "me", "my", "am", "was", "have", "do"},
    {"you", "you", "your", "are", "were", "have", "do"},
    {"he", "him", "his", "is", "was", "has", "does"},
    {"she", "her", "her", "is", "was", "has", "does"},
    {"it", "it", "its", "is", "was", "has", "does"},
    {"we", "us", "our", "are", "were", "have", "do"},
    {"they", "them", "their", "are", "were", "have", "do"},
});

const PersonForms& forms(Person person) { return kPersons[static_cast<std::size_t>(person)]; }

bool third_singular(Person person) { return person == Person::kHe || person == Person::kShe || person == Person::kIt; }

bool is_vowel(char letter) { return std::string_view("aeiou").find(letter) != std::string_view::npos; }

std::string with_s(std::string_view base) {
  std::string form(base);
  for (const std::string_view hiss : {"s", "sh", "ch", "x", "o"}) {
    if (base.ends_with(hiss)) return form + "es";
  }
  if (base.ends_with('y') && !is_vowel(base[base.size() - 2])) {
    form.pop_back();
    return form + "ies";
  }
  return form + "s";
}

}  // namespace

std::string_view name(Tense tense) {
  static constexpr std::string_view kNames[] = {"habitual", "continuous", "future",  "past",    "was",
                                                "used-to",  "perfect",    "already", "can",     "want-to",
                                                "have-to",  "should",     "like-to", "love-to", "going-to"};
  return kNames[static_cast<std::size_t>(tense)];
}

std::string_view be(Person person) { return forms(person).be; }
std::string_view was(Person person) { return forms(person).was; }
std::string_view have(Person person) { return forms(person).have; }
std::string_view do_form(Person person) { return forms(person).does; }
std::string_view pronoun(Person person) { return forms(person).subject; }
std::string_view object_pronoun(Person person) { return forms(person).object; }
std::string_view possessive(Person person) { return forms(person).possessive; }

std::string present(const EnglishVerb& verb, Person person) {
  return third_singular(person) ? with_s(verb.base) : std::string(verb.base);
}

std::string_view article_before(std::string_view word) {
  // Spelt with a vowel, spoken with a consonant.
  if (word.starts_with("Euro") || word.starts_with("uni")) return "a";
  return std::string_view("aeiouAEIO").find(word.front()) != std::string_view::npos ? "an" : "a";
}

EnglishGroup english_group(const EnglishVerb& verb, Tense tense, Person person, Support support,
                           const VerbLinks& links) {
  const bool supported = support == Support::kDo;
  const auto main = [&](std::string_view form) { return words(form, links.main); };
  const auto auxiliary = [&](std::string_view form) { return words(form, links.auxiliary); };
  // "wants to eat", or "does" + "want to eat"
  const auto leads = [&](std::string_view plain, std::string_view third) -> EnglishGroup {
    const Words infinitive = main("to") + main(verb.base);
    if (supported) return {auxiliary(do_form(person)), words(plain, links.extra) + infinitive};
    return {{}, words(third_singular(person) ? third : plain, links.extra) + infinitive};
  };
  switch (tense) {
    case Tense::kHabitual:
      if (supported) return {auxiliary(do_form(person)), main(verb.base)};
      return {{}, main(present(verb, person))};
    case Tense::kPast:
      if (supported) return {auxiliary("did"), main(verb.base)};
      return {{}, main(verb.past)};
    case Tense::kContinuous:
      return {auxiliary(be(person)), main(verb.ing)};
    case Tense::kPastContinuous:
      return {auxiliary(was(person)), main(verb.ing)};
    case Tense::kFuture:
      return {auxiliary("will"), main(verb.base)};
    case Tense::kUsedTo:
      return {{}, auxiliary("used to") + main(verb.base)};
    case Tense::kPerfect:
      return {auxiliary(have(person)), main(verb.participle)};
    case Tense::kAlready:
      return {auxiliary(have(person)), words("already", links.extra) + main(verb.participle)};
    case Tense::kCan:
      return {auxiliary("can"), main(verb.base)};
    case Tense::kShould:
      return {auxiliary("should"), main(verb.base)};
    case Tense::kWantTo:
      return leads("want", "wants");
    case Tense::kHaveTo:
      return leads("have", "has");
    case Tense::kLikeTo:
      return leads("like", "likes");
    case Tense::kLoveTo:
      return leads("love", "loves");
    case Tense::kGoingTo:
      return {auxiliary(be(person)), words("going", links.extra) + main("to") + main(verb.base)};
  }
  throw UsageError(cat("phrasebook: no tense has number ", static_cast<int>(tense)));
}

Words negated(Words auxiliary, Links negation) {
  if (auxiliary.back().text == "can") {
    auxiliary.back().text = "cannot";
    auxiliary.back().links |= negation;
    return auxiliary;
  }
  return std::move(auxiliary) + words("not", negation);
}

}  // namespace dhyan::phrases
