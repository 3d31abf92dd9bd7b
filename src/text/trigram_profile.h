#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/function_ref.h"
#include "text/vocabulary.h"

namespace dhyan {

// Three neighbouring letters of a word; kWordEdge stands before its first letter and after its last.
using Trigram = std::array<char32_t, 3>;
inline constexpr char32_t kWordEdge = U' ';

struct TrigramHash {
  std::size_t operator()(const Trigram& trigram) const;
};
using TrigramCounts = std::unordered_map<Trigram, std::uint64_t, TrigramHash>;

// Calls `take` for the trigrams of a text in NFC and lower case. Words are runs of letters and marks, separated
// by all other characters except joiners, which are skipped. A word of one letter is one trigram.
void for_each_trigram(std::string_view text, FunctionRef<void(const Trigram&)> take);

// Whether for_each_trigram() can produce the trigram: letters, marks and edges only, and no edge in the middle.
bool is_trigram(const Trigram& trigram);

struct TrigramCount {
  Trigram trigram = {};
  std::uint64_t count = 0;

  friend bool operator==(const TrigramCount&, const TrigramCount&) = default;
};

// The order of a profile: the commonest first, equally common ones by code points.
bool commoner(const TrigramCount& a, const TrigramCount& b);

// The commonest letter trigrams of a language.
struct TrigramProfile {
  static constexpr std::size_t kMost = 2000;

  std::uint64_t total = 0;              // trigrams of the text, of any frequency
  std::vector<TrigramCount> commonest;  // at most kMost, in order

  bool empty() const { return commonest.empty(); }
  friend bool operator==(const TrigramProfile&, const TrigramProfile&) = default;
};

TrigramProfile profile_of(const TrigramCounts& counts);

// Counts the trigrams of text, a line at a time. Equal words are cut into trigrams only once.
class TrigramCounter {
 public:
  void add(std::string_view line);
  TrigramCounts counts() const;

 private:
  TokenCounts words_;  // words between spaces
};

}  // namespace dhyan
