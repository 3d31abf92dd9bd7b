#pragma once

#include "phrasebook/hindi_clause.h"

namespace dhyan::phrases::hindi {

// Sentences of one clause.
Part plain_statement(Draw& draw);
Part yes_no_question(Draw& draw);
Part open_question(Draw& draw);
Part like_of_thing(Draw& draw);
Part errand(Draw& draw);  // I am going to the market to buy fruit
Part command(Draw& draw);
Part everyday(Draw& draw);

// "राम को चाय पसंद है"
Part likes(Draw& draw, const Being& who, const Thing& what, Polarity polarity);
// A thing that people can like in general: tea, mangoes.
Thing liked_thing(Draw& draw, Kinds kinds);

}  // namespace dhyan::phrases::hindi
