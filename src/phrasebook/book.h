#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "phrasebook/grammar.h"
#include "phrasebook/phrasebook.h"

namespace dhyan::phrases {

// A pair and the combinations of words it holds.
struct Entry {
  PhrasePair pair;
  std::vector<std::string> combinations;
};

struct Book {
  std::vector<Entry> train, dev, test;
};

// The split of a combination, chosen by a hash of its words.
dhyan::Part part_of(const Grammar& grammar, std::string_view combination);

// Draws sentences until every split is full. A sentence with a combination of test goes to test, one with a combination
// of dev to dev; a sentence with both is dropped, and so is one of more than max_words words.
Book make_book(const Grammar& grammar, std::size_t max_words = kUsualWords);

}  // namespace dhyan::phrases
