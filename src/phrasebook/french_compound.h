#pragma once

#include "phrasebook/french_clause.h"

namespace dhyan::phrases::french {

// Sentences of two clauses and more.
Part because(Draw& draw);
Part with_reason(Draw& draw, const Wish& wish);  // of clauses that fulfil the wish, one with a reason
Part two_clauses(Draw& draw);
Part condition(Draw& draw);  // si Marie arrive …
Part relative(Draw& draw);   // le garçon qui chante …, le livre que je lis …
Part long_sentence(Draw& draw);
Part says(Draw& draw);  // je pense que

// Two to five people and what each of them does, in turn and for reasons: up to sixty words and more.
Part tale(Draw& draw);

}  // namespace dhyan::phrases::french
