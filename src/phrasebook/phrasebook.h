#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "text/corpus_part.h"

namespace dhyan {

// A sentence, its translation and their word alignment. Words are separated by single spaces; there is no
// punctuation, and only names, weekdays and "I" have capitals. A French elision (j'aime, l'eau) is written as one
// word, which links to both of its meanings.
struct PhrasePair {
  std::string source;
  std::string target;
  // 0-based word numbers, source first, sorted. Articles and case markers (ने, को) without a partner of their own link
  // to their noun; auxiliaries link to auxiliaries where both languages have one, else to the verb. Correlatives that
  // English leaves out (तब, तो, the वह after जो …) have no link.
  std::vector<std::pair<int, int>> alignment;
};

// The built-in corpus of a language pair, "hi-en" or "fr-en" (UsageError otherwise): made by a lexicon and a grammar,
// the same bytes on every machine. No source is in two splits or has two translations. Sentences of dev and test
// have at least one combination (subject, verb and tense; verb and object; adjective and noun) that train lacks, and no
// word that train lacks.
std::vector<PhrasePair> phrasebook(std::string_view language_pair, Part part);

// All three splits, because one cannot be made without the others.
struct Phrasebook {
  std::vector<PhrasePair> train, dev, test;
};
Phrasebook phrasebook(std::string_view language_pair);

// The available language pairs.
std::vector<std::string> phrasebook_names();

// "0-0 1-3 2-1": Pharaoh's format.
std::string to_pharaoh(const std::vector<std::pair<int, int>>& alignment);

}  // namespace dhyan
