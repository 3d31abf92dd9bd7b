#pragma once

#include <optional>
#include <string>

#include "phrasebook/draw.h"
#include "phrasebook/french_lexicon.h"

namespace dhyan::phrases::french {

enum class Polarity { kPositive, kNegative };

struct Subject {
  Words source, target;
  std::size_t row;  // je tu il nous vous ils
  Gender gender;
  Number number;
  Person person;
  std::string name;
};

Subject any_subject(Draw& draw);
Subject pronoun_subject(Draw& draw, std::size_t row, Gender gender);
Subject again(Draw& draw, const Subject& before);  // il, elle, ils, elles

struct Thing {
  Words source;
  Words denied;  // after ne … pas: "de pain"
  Words target;
  Gender gender;
  Number number;
  std::string name;
  std::vector<std::string> qualities = {};
};

// A thing has found its place in a sentence.
void note(Draw& draw, const Thing& thing);

enum class Determiner { kThe, kSome, kOwn, kThis, kSeveral };

struct ThingOptions {
  Determiner determiner = Determiner::kSome;
  Number number = Number::kSingular;
  const Adjective* before = nullptr;
  const Adjective* after = nullptr;
  Person owner = Person::kI;
};

Thing thing(Draw& draw, const Noun& noun, const ThingOptions& options);
// With a random determiner, number and adjectives.
Thing any_thing(Draw& draw, Kinds kinds, Person owner);
const Adjective* fitting(Draw& draw, const Noun& noun, Position position);
std::string agreed(const Adjective& adjective, Gender gender, Number number);

struct Clause {
  Subject subject;
  const Verb* verb;
  Tense tense;
  Polarity polarity = Polarity::kPositive;
  std::optional<Thing> thing = {};
  Part extra = {};  // to the market, with Marie
  Part time = {};
  std::optional<Tense> english_tense = {};
};

Part statement(Draw& draw, const Clause& clause);
// "est-ce que …"; with a gloss, "où = where" before it
Part question(Draw& draw, const Clause& clause, std::string_view asked = {});

struct Wish {
  const Subject* subject = nullptr;
  std::optional<Tense> tense = {};
  bool brief = false;
  unsigned negative = 18;  // percent
};

Clause any_clause(Draw& draw, const Wish& wish = {});

// être and avoir: suis, es …; étais …; ai, as …
std::string_view etre(std::size_t row);
std::string_view etait(std::size_t row);
std::string_view avoir(std::size_t row);

}  // namespace dhyan::phrases::french
