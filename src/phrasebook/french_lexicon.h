#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "phrasebook/english.h"

namespace dhyan::phrases::french {

enum class Gender { kMasculine, kFeminine };

using Kinds = std::uint32_t;

enum Kind : Kinds {
  kFood = 1u << 0,
  kDrink = 1u << 1,
  kText = 1u << 2,
  kShow = 1u << 3,
  kSound = 1u << 4,
  kGoods = 1u << 5,
  kColoured = 1u << 6,
  kSized = 1u << 7,
  kSmall = 1u << 8,
  kCooked = 1u << 9,
  kWritten = 1u << 10,
  kFresh = 1u << 11,
  kPretty = 1u << 12,
  kHuman = 1u << 13,
  kWashed = 1u << 14,
  kInteresting = 1u << 15,
  kHot = 1u << 16,
  kOwned = 1u << 17,
};

enum class Count { kOne, kMass };

struct Noun {
  std::string_view french;
  Gender gender;
  std::string_view english, plural;
  Count count;
  Kinds kinds;
};

// Most adjectives follow their noun, a few short ones go before.
enum class Position { kBefore, kAfter };

struct Adjective {
  std::string_view masculine, feminine;
  std::string_view english;
  Position position;
  Kinds kinds;
};

// An empty present is that of the regular verbs in -er.
struct Verb {
  std::string_view infinitive;
  std::array<std::string_view, 6> present;  // je tu il nous vous ils
  std::string_view participle;
  EnglishVerb english;
  Kinds objects = 0;
  // Kinds of verbs: done alone, done with others, or going somewhere (with être).
  enum class Way { kAlone, kSocial, kMoving } way = Way::kAlone;
};

// Institutions: "zone économique européenne", "European Economic Area".
struct Head {
  std::string_view french;
  Gender gender;
  std::string_view english;
};

struct Epithet {
  std::string_view masculine, feminine;
  std::string_view english;
};

struct Time {
  std::string_view gloss;
  Tenses tenses;
};

struct Name {
  std::string_view french;
  Gender gender;
  std::string_view english;
};

std::span<const Noun> nouns();
std::span<const Noun> people();     // le garçon
std::span<const Noun> relatives();  // mon frère
std::span<const Adjective> adjectives();
std::span<const Verb> verbs();
std::span<const Head> heads();
std::span<const Epithet> domains();
std::span<const Epithet> regions();
std::span<const Time> times();
std::span<const std::string_view> goals();   // glosses: "à la maison = home"
std::span<const std::string_view> places();  // "dans1 le2 parc2 = in1 the2 park2"
std::span<const std::string_view> spots();   // "sur1 la2 table2 = on1 the2 table2"
std::span<const Name> names();

// By dictionary form; UsageError if the lexicon lacks it.
const Verb& verb_named(std::string_view infinitive);
const Noun& noun_named(std::string_view french);

// Forms.
std::string plural(std::string_view word);
std::string present(const Verb& verb, std::size_t row);
std::string imperfect(const Verb& verb, std::size_t row);

// Elision and contraction: je + aime -> j'aime, à + le -> au, ma + amie -> mon amie.
Words smooth(Words words);

}  // namespace dhyan::phrases::french
