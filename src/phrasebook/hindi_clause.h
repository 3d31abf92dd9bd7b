#pragma once

#include <optional>

#include "phrasebook/hindi_phrases.h"

namespace dhyan::phrases::hindi {

enum class Polarity { kPositive, kNegative };

// The content of a clause (subject, verb, objects, place, time), independent of the word order of either language.
struct Clause {
  Being subject;
  const Verb* verb;
  Tense tense;
  Polarity polarity = Polarity::kPositive;
  std::optional<Thing> thing = {};   // किताब
  std::optional<Being> person = {};  // राम से
  Part goal = {};                    // to the market
  Part around = {};                  // with Ram, in the park, to Ram: before the object in Hindi, after it in English
  Part time = {};
  bool time_first = false;
  Part frequency = {};
  std::optional<Tense> english_tense = {};  // where it differs: "if he comes" is future in Hindi
};

// Hindi: opening subject before verb. English: opening agent auxiliary middle main after.
struct Pieces {
  Part opening;
  Words subject, before, verb;
  Words agent, auxiliary, middle, main, after;
  Links auxiliary_link;
};

Pieces realise(Draw& draw, const Clause& clause, Support support);

Part statement(Draw& draw, const Clause& clause);
Part question(Draw& draw, const Clause& clause);                          // क्या …
Part question(Draw& draw, const Clause& clause, std::string_view asked);  // "कहाँ = where"

// The action without its subject; the caller gives the form of the verb: "किताब पढ़ने", "reading a book".
struct Form {
  std::string hindi, english;
  Part negation = {};
};
Part action(Draw& draw, const Clause& clause, const Form& form);
std::string oblique_infinitive(const Verb& verb);  // पढ़ने

// Whether the tense puts the subject into another case than वह: उसने or उसे.
bool takes_ergative(const Verb& verb, Tense tense);
bool takes_dative(Tense tense);

// Whether the verb suits the person: by age and status, and so that the Hindi shows whether it is he or she.
bool fits(const Being& subject, const Verb& verb, Tense tense);

// Verbs that a story has used, so that nobody does the same thing twice.
using Told = std::vector<const Verb*>;

bool is_told(const Told* told, const Verb& verb);

struct Wish {
  const Being* subject = nullptr;
  const Being* not_subject = nullptr;  // someone else
  std::optional<Tense> tense = {};
  const Verb* verb = nullptr;
  const Told* told = nullptr;  // not these verbs
  bool brief = false;          // nothing but subject, verb, object
  unsigned negative = 12;      // percent
};

// A sensible clause that fulfils a wish; the parts of the wish must fit together.
Clause any_clause(Draw& draw, const Wish& wish = {});

// An object the verb takes in that tense; nothing for verbs without one.
void choose_object(Draw& draw, Clause& clause);

}  // namespace dhyan::phrases::hindi
