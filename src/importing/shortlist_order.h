#pragma once

#include "importing/vocabulary_order.h"
#include "interop/marian_shortlist.h"

namespace dhyan {

// A shortlist in the order of our vocabularies. Its first words are the first ones behind our special tokens.
// ModelFileError, beginning with `where`, if it has words that the vocabularies do not.
MarianShortlist in_our_order(const MarianShortlist& theirs, const VocabularyOrder& source,
                             const VocabularyOrder& target, std::string_view where);

}  // namespace dhyan
