#pragma once

#include "phrasebook/hindi_clause.h"

namespace dhyan::phrases::hindi {

// The reason for an action: the sentence after क्योंकि, with a pronoun for the person named before. Empty if the
// lexicon has no sensible reason.
std::optional<Part> reason_for(Draw& draw, const Clause& clause);

// The time of a story, shared by the clauses of a long sentence.
enum class Era { kPast, kPresent, kFuture };
Era any_era(Draw& draw);
Tense tense_of(Draw& draw, Era era);
Tense telling_tense(Era era);  // of actions in turn

// A person whose pronoun is unambiguous in every case.
Being plain_being(Draw& draw);
Being someone_else(Draw& draw, const Being& first);

// Clauses and openings that longer sentences are made of.
Clause arrival(Draw& draw, const Being& who, Tense tense);                       // the usual frame of "when" and "if"
Clause daily(Draw& draw, const Being& who, Tense tense, const Told& told = {});  // a daily activity
Part says(Draw& draw);  // मुझे लगता है कि

// Sentences of two clauses. `other_than` is a person who must not be the subject.
Part therefore(Draw& draw);  // राम को भूख लगी है इसलिए वह सेब खा रहा है
Part because(Draw& draw, Era era, const Being* other_than = nullptr);
Part contrast(Draw& draw);
Part parallel(Draw& draw, Era era);
Part when_then(Draw& draw, Era era);
Part if_then(Draw& draw);
Part relative_subject(Draw& draw);
Part relative_object(Draw& draw);
Part before_or_after(Draw& draw, const Being& who, Era era, Told& told);
Part reported(Draw& draw);

// Sentences of three to six clauses.
Part long_sentence(Draw& draw);

// Two to four people and what each of them does, in turn and for reasons: up to sixty words and more.
Part tale(Draw& draw);

}  // namespace dhyan::phrases::hindi
