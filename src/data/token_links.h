#pragma once

#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "text/tokenizer.h"

namespace dhyan {

// Which word was made from which: source and target, both counted from 0.
using WordLink = std::pair<Index, Index>;

// The same of tokens, counted from the first of their sentence.
struct TokenLink {
  RowId source = 0;
  RowId target = 0;

  friend auto operator<=>(const TokenLink&, const TokenLink&) = default;
};

// One side of a pair, and how it was cut.
struct CutLine {
  std::string_view line;
  std::span<const ByteRange> pieces;
};

// Every token of a word is linked to every token of the words it is linked to. Sorted by target; links to words, or to
// tokens, that are not there are left out.
std::vector<TokenLink> token_links(std::span<const WordLink> links, const CutLine& source, const CutLine& target);

}  // namespace dhyan
