#pragma once

#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "text/tokenizer.h"

namespace dhyan {

// A link between a source word and a target word, both counted from 0.
using WordLink = std::pair<Index, Index>;

// A link between tokens, counted from the start of their sentences.
struct TokenLink {
  RowId source = 0;
  RowId target = 0;

  friend auto operator<=>(const TokenLink&, const TokenLink&) = default;
};

// One side of a pair and its segmentation.
struct CutLine {
  std::string_view line;
  std::span<const ByteRange> pieces;
};

// Links every token of a word to every token of the words it is linked to. Sorted by target; skips links to words or
// tokens out of range.
std::vector<TokenLink> token_links(std::span<const WordLink> links, const CutLine& source, const CutLine& target);

}  // namespace dhyan
