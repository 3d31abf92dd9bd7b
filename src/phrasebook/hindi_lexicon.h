#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "phrasebook/english.h"
#include "phrasebook/hindi_forms.h"

namespace dhyan::phrases::hindi {

// The uses of a thing: a verb takes only objects that share a kind with it, so that nobody drinks a book.
using Kinds = std::uint64_t;

enum Kind : Kinds {
  kFood = Kinds{1} << 0,
  kDrink = Kinds{1} << 1,
  kMade = Kinds{1} << 2,    // in a kitchen
  kCooked = Kinds{1} << 3,  // on a fire
  kCut = Kinds{1} << 4,
  kGrocery = Kinds{1} << 5,
  kSold = Kinds{1} << 6,
  kText = Kinds{1} << 7,
  kWritten = Kinds{1} << 8,
  kSent = Kinds{1} << 9,
  kShow = Kinds{1} << 10,
  kSound = Kinds{1} << 11,
  kSong = Kinds{1} << 12,
  kGame = Kinds{1} << 13,
  kLanguage = Kinds{1} << 14,
  kTaught = Kinds{1} << 15,
  kLearnt = Kinds{1} << 16,
  kVehicle = Kinds{1} << 17,
  kCycle = Kinds{1} << 18,
  kGoods = Kinds{1} << 19,
  kGift = Kinds{1} << 20,
  kWorn = Kinds{1} << 21,
  kWashed = Kinds{1} << 22,
  kDoor = Kinds{1} << 23,
  kRoom = Kinds{1} << 24,
  kSmall = Kinds{1} << 25,  // lies on tables and in bags
  kColoured = Kinds{1} << 26,
  kSized = Kinds{1} << 27,
  kSweet = Kinds{1} << 28,
  kFresh = Kinds{1} << 29,
  kHot = Kinds{1} << 30,
  kCold = Kinds{1} << 31,
  kLong = Kinds{1} << 32,
  kPretty = Kinds{1} << 33,
  kOwned = Kinds{1} << 34,
  kPerson = Kinds{1} << 35,
  kArt = Kinds{1} << 36,  // books, films, songs
  kInteresting = Kinds{1} << 37,
};

// How English counts a thing: "a book, books"; "water"; "clothes"; "the newspaper".
enum class Count { kOne, kMass, kPlural, kThe };

struct Noun {
  std::string_view hindi;
  Gender gender;
  std::string_view english;
  std::string_view plural;  // of the English word; empty unless Count::kOne
  Count count;
  Kinds kinds;
};

struct Adjective {
  std::string_view hindi;
  std::string_view english;
  std::string_view comparative;  // "bigger", "more expensive"
  Kinds kinds;
};

// How a verb marks its object: किताब पढ़ना, राम को बुलाना, राम से मिलना, राम का इंतज़ार करना, राम की मदद करना.
enum class Marker { kNone, kKo, kSe, kKa, kKi };

// Agreement in the perfective: मैंने किताब पढ़ी with the object, मैं किताब लाया with the subject.
enum class Perfective { kNe, kSubject };

// Properties of verbs, as a set.
enum Trait : unsigned {
  kDefinite = 1u << 0,   // a bare object is "the door"
  kAdult = 1u << 1,      // not for children
  kSocial = 1u << 2,     // done with others
  kGoal = 1u << 3,       // goes to a place
  kNamesGoal = 1u << 4,  // "reach home", without "to"
  kNeedsPlace = 1u << 5,
  kFromPlace = 1u << 6,      // buys *from* the market
  kRecipient = 1u << 7,      // gives to someone
  kTravels = 1u << 8,        // by bus
  kMasculineNoun = 1u << 9,  // काम किया: the noun of the verb is what agrees
  kFeminineNoun = 1u << 10,  // बात की
  kSingly = 1u << 11,        // one drives a car, not cars
  kLively = 1u << 12,        // not for honoured persons
  kDaily = 1u << 13,         // part of a day like any other
};

struct Verb {
  std::string_view preverb;  // साफ़ in साफ़ करना
  std::string_view stem;
  EnglishVerb english;
  Kinds objects;
  Marker marker = Marker::kNone;
  Perfective perfective = Perfective::kNe;
  unsigned places = 0;  // a set of Setting
  unsigned traits = 0;
  Tenses tenses = kAnyTense;

  bool has(Trait trait) const { return (traits & trait) != 0; }
};

enum Setting : unsigned {
  kHomely = 1u << 0,
  kKitchen = 1u << 1,
  kOpen = 1u << 2,
  kStudy = 1u << 3,
  kMeal = 1u << 4,
  kTrade = 1u << 5,
  kTown = 1u << 6,
  kWork = 1u << 7,
  kWater = 1u << 8,
  kSchool = 1u << 9,
};

// Glosses for Draw::gloss; empty if nobody says so.
struct Place {
  std::string_view at;
  std::string_view to;
  std::string_view from;
  unsigned settings;
};

struct Time {
  std::string_view gloss;
  Tenses tenses;
};

struct Pronoun {
  std::string_view direct, ergative, dative, instrumental;
  std::string_view genitive;  // मेरा; agrees like an adjective
  Who who;
  Person person;
};

// A person without a name. An honoured person takes the plural: मेरे पिता जाते हैं.
struct Human {
  std::string_view hindi;
  Gender gender;
  std::string_view english;
  std::string_view plural;
  enum class Standing { kAdult, kYoung, kHonoured } standing;
};

struct Name {
  std::string_view hindi;
  Gender gender;
  std::string_view english;
};

struct Numeral {
  std::string_view hindi;
  std::string_view english;
};

std::span<const Noun> nouns();
std::span<const Adjective> adjectives();
std::span<const Verb> verbs();
std::span<const Place> places();
std::span<const Place> spots();  // where small things lie; only `at`
std::span<const Time> times();
std::span<const Time> frequencies();  // often; beside the verb in English
std::span<const Pronoun> pronouns();  // मैं तुम आप हम वे वह
std::span<const Human> people();      // the boy
std::span<const Human> relatives();   // my brother
std::span<const Name> names();
std::span<const Numeral> numerals();

// By dictionary form; UsageError if the lexicon lacks it.
const Noun& noun_named(std::string_view hindi);
const Verb& verb_named(std::string_view stem, std::string_view english);

const Pronoun& pronoun_for(Person person);

}  // namespace dhyan::phrases::hindi
