#pragma once

#include "phrasebook/french_clause.h"

namespace dhyan::phrases::french {

// Sentences of two clauses and more.
Part because(Draw& draw);
Part two_clauses(Draw& draw);
Part condition(Draw& draw);  // si Marie arrive …
Part relative(Draw& draw);   // le garçon qui chante …, le livre que je lis …
Part long_sentence(Draw& draw);

}  // namespace dhyan::phrases::french
