#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/real.h"
#include "text/corpus_part.h"

namespace dhyan {

// The "it" of a source sentence and its antecedent, as 0-based word numbers.
struct Coreference {
  int it;
  int antecedent;  // the noun it stands for,
  int rival;       // and the other one in the sentence
  int translated;  // il, elle, le or la in the target; qu'il and qu'elle are one word
  bool decisive;   // the nouns differ in gender, so that the translation shows which of them is meant
};

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
  std::optional<Coreference> it = {};  // in the reference corpus, en-fr
};

// The longest sentences of a phrasebook, in words of the source: kUsualWords unless another number is asked for.
inline constexpr Index kFewestWords = 10, kUsualWords = 40, kMostWords = 60;

// The built-in corpus of a language pair, "hi-en", "fr-en" or "en-fr" (UsageError otherwise): made by a lexicon and a
// grammar, the same bytes on every machine. No source is in two splits or has two translations. Sentences of dev and
// test have at least one combination (subject, verb and tense; verb and object; adjective and noun) that train lacks,
// and no word that train lacks. Combinations are held out of train for every `max_words`, so that sentences of test up
// to 60 words are unknown to a model that was trained on those up to 30.
//
// Every sentence of en-fr, the reference corpus, has an "it" that French translates by the gender of one of two nouns.
// Its meaning says which: "because it was too salty", "because it only cooks vegetarian food". Held out are pairs of
// noun and reason, and pairs of nouns.
std::vector<PhrasePair> phrasebook(std::string_view language_pair, Part part, Index max_words = kUsualWords);

// All three splits, because one cannot be made without the others.
struct Phrasebook {
  std::vector<PhrasePair> train, dev, test;
};
Phrasebook phrasebook(std::string_view language_pair, Index max_words = kUsualWords);

inline constexpr std::string_view kReferenceCorpus = "en-fr";

// Whether English is the source instead of the target.
bool has_english_source(std::string_view language_pair);

// The available language pairs.
std::vector<std::string> phrasebook_names();

// "0-0 1-3 2-1": Pharaoh's format.
std::string to_pharaoh(const std::vector<std::pair<int, int>>& alignment);

}  // namespace dhyan
