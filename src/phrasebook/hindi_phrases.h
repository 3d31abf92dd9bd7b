#pragma once

#include <string>

#include "phrasebook/draw.h"
#include "phrasebook/hindi_lexicon.h"

namespace dhyan::phrases::hindi {

// A person as subject or object.
struct Being {
  Words direct;            // मेरा भाई
  Words oblique;           // मेरे भाई
  Words target;            // my brother
  const Pronoun* pronoun;  // null unless it is one
  Links link;              // of the head
  Agreement agreement;
  Person person;
  std::string name;  // for combinations
  bool young = false;
  // A वह without an antecedent: उसने and उसे would not distinguish he from she.
  bool veiled = false;
};

Being being(Draw& draw, const Pronoun& pronoun, Gender gender);
Being being(Draw& draw, const Name& name);
Being being(Draw& draw, const Human& human, Number number);  // the boy
// my brother; अपना refers to the subject
Being relative_of(Draw& draw, const Human& human, const Pronoun& owner);
Being own_relative(Draw& draw, const Human& human, Person owner);

Being any_being(Draw& draw);

// A pronoun that is unambiguous in every case (उसका could be his or hers). Within a sentence the listener is either
// always तुम or always आप.
const Pronoun& plain_pronoun(Draw& draw);
const Pronoun& plain_pronoun_but(Draw& draw, Person person);
Being any_name(Draw& draw);

// The pronoun for a person named before.
Being again(Draw& draw, const Being& before);

// "राम ने", "मैंने"; "राम को", "मुझे".
Words ergative(const Being& being);
Words marked(const Being& being, Marker marker, Links link);
// The form before साथ and पास: "राम के", "मेरे".
Words beside(const Being& being, Links link);
Words as_object(const Being& being);  // "me", "Ram"

// A thing, as subject or object.
struct Thing {
  Words source;
  Words target;
  Gender gender;
  Number number;
  std::string name;          // for combinations
  std::string quality = {};  // the adjective, if there is one
};

// A thing has found its place in a sentence.
void note(Draw& draw, const Thing& thing);

enum class Determiner { kBare, kOne, kSeveral, kThis, kThat, kOwn, kWhose, kThe };

struct ThingOptions {
  Determiner determiner = Determiner::kBare;
  Number number = Number::kSingular;  // ignored where the noun has only one
  const Adjective* adjective = nullptr;
  Person owner = Person::kI;       // for kOwn: अपना
  const Pronoun* whose = nullptr;  // for kWhose: मेरा
};

Thing thing(Draw& draw, const Noun& noun, const ThingOptions& options);

// An adjective that goes with the noun; null if there is none.
const Adjective* fitting_adjective(Draw& draw, const Noun& noun);

inline Agreement agreement_with(const Thing& thing) {
  return {thing.number == Number::kPlural ? Who::kMany : Who::kOne, thing.gender};
}

}  // namespace dhyan::phrases::hindi
