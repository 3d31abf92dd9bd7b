#pragma once

#include "phrasebook/hindi_clause.h"

namespace dhyan::phrases::hindi {

// A subject and its predicate: "यह गाड़ी लाल है".
struct Equation {
  Part subject;
  Agreement agreement;
  Person person;
  Part predicate;
  Polarity polarity = Polarity::kPositive;
  bool past = false;
};

Part statement(Draw& draw, const Equation& equation);
Part question(Draw& draw, const Equation& equation);

// "very tall", agreeing with the subject
Part quality(Draw& draw, const Adjective& adjective, const Agreement& agreement, unsigned percent_very);

// Sentences around "to be" and "to have".
Part quality_of_person(Draw& draw);
Part quality_of_thing(Draw& draw);
Part comparison(Draw& draw);
Part location(Draw& draw);
Part existence(Draw& draw);
Part possession(Draw& draw);
Part identity(Draw& draw);

}  // namespace dhyan::phrases::hindi
