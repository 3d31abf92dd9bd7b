#pragma once

#include <bitset>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "phrasebook/phrasebook.h"

namespace dhyan::phrases {

// A set of link names, one bit each. Two words of a pair are aligned if their sets intersect. A grammar can place
// the words of both languages in any order and keeps their alignment.
constexpr int kMostLinks = 512;
using Links = std::bitset<kMostLinks>;

struct Word {
  std::string text;
  Links links;
};

using Words = std::vector<Word>;

// The words of a text, all with the same links.
Words words(std::string_view text, Links links);

Words operator+(Words left, const Words& right);

// A phrase in both languages.
struct Part {
  Words source;
  Words target;
};

// Concatenates parts in both languages. Takes a list, because its elements are evaluated in order and the operands of a
// sum in unspecified order.
Part in_turn(std::initializer_list<Part> parts);

// The links of an "it", of the noun that it stands for, and of another noun.
struct Referring {
  Links it, antecedent, rival;
  bool decisive = false;  // the nouns differ in gender
};

// The words of these links in a finished sentence; of a noun of several words, the last. UsageError if one is missing.
Coreference coreference(const Part& part, const PhrasePair& pair, const Referring& links);

// The finished sentence. A word that ends in an apostrophe is written together with the next one.
PhrasePair to_pair(const Part& part);

}  // namespace dhyan::phrases
