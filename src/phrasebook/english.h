#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "phrasebook/phrase.h"

namespace dhyan::phrases {

// English, the target language of every phrasebook.

enum class Person { kI, kYou, kHe, kShe, kIt, kWe, kThey };

enum class Number { kSingular, kPlural };

// "eat", "eating", "ate", "eaten"; the particle stands between verb and object: listen *to* music.
struct EnglishVerb {
  std::string_view base;
  std::string_view ing;
  std::string_view past;
  std::string_view participle;
  std::string_view particle = {};
};

// Tense, aspect and modality, the same in the Hindi and French grammars.
enum class Tense {
  kHabitual,        // eats
  kContinuous,      // is eating
  kFuture,          // will eat
  kPast,            // ate
  kPastContinuous,  // was eating
  kUsedTo,          // used to eat
  kPerfect,         // has eaten
  kAlready,         // has already eaten
  kCan,             // can eat
  kWantTo,          // wants to eat
  kHaveTo,          // has to eat
  kShould,          // should eat
  kLikeTo,          // likes to eat
  kLoveTo,          // loves to eat
  kGoingTo,         // is going to eat
};

std::string_view name(Tense tense);

// A set of tenses, for tables.
using Tenses = std::uint32_t;
constexpr Tenses only(Tense tense) { return Tenses{1} << static_cast<unsigned>(tense); }
constexpr Tenses kAnyTense = ~Tenses{0};
constexpr bool holds(Tenses tenses, Tense tense) { return (tenses & only(tense)) != 0; }

// Negation and questions need "do" if there is no other auxiliary.
enum class Support { kNone, kDo };

struct VerbLinks {
  Links main;       // eat
  Links auxiliary;  // is, will, do
  Links extra;      // want, like, already
};

// "is" + "eating"; the auxiliary is empty in "eats".
struct EnglishGroup {
  Words auxiliary;
  Words main;
};

EnglishGroup english_group(const EnglishVerb& verb, Tense tense, Person person, Support support,
                           const VerbLinks& links);

// "not" after an auxiliary; with "can" it becomes one word.
Words negated(Words auxiliary, Links negation);

std::string present(const EnglishVerb& verb, Person person);  // eat, eats
std::string_view be(Person person);                           // am, are, is
std::string_view was(Person person);
std::string_view have(Person person);
std::string_view do_form(Person person);
std::string_view pronoun(Person person);                 // I, he
std::string_view object_pronoun(Person person);          // me, him
std::string_view possessive(Person person);              // my, his
std::string_view article_before(std::string_view word);  // a, an

}  // namespace dhyan::phrases
