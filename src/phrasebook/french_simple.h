#pragma once

#include "phrasebook/french_clause.h"

namespace dhyan::phrases::french {

// Phrases and sentences of one clause.
Part noun_phrase(Draw& draw);           // la voiture rouge
Part bare_institution(Draw& draw);      // zone économique européenne
Part institution_sentence(Draw& draw);  // le président de la commission européenne
Part plain_statement(Draw& draw);
Part any_question(Draw& draw);
Part like_of_thing(Draw& draw);
Part any_quality(Draw& draw);
Part possession(Draw& draw);
Part existence(Draw& draw);

// "zone économique européenne", "European Economic Area"
struct Institution {
  Part name;
  Gender gender;
};
Institution institution(Draw& draw, const Head& head, const Epithet* domain, const Epithet& region);

// "j'aime les pommes", "I like apples"
Part likes(Draw& draw, const Subject& who, const Noun& noun, Polarity polarity);

// "la maison n'est pas grande"
struct Quality {
  Subject subject;
  Adjective adjective;
  Polarity polarity = Polarity::kPositive;
  bool past = false;
};
Part is(Draw& draw, const Quality& quality);

// Some nouns have no adjective that fits.
bool has_quality(const Noun& noun);
const Adjective& any_adjective(Draw& draw, const Noun& noun);

}  // namespace dhyan::phrases::french
