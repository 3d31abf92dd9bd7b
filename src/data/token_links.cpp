#include "data/token_links.h"

#include <algorithm>

#include "text/word_tokenizer.h"

namespace dhyan {

namespace {

struct TokenRange {
  RowId begin = 0, end = 0;
};

// The tokens of each word. Pieces and words ascend; an empty piece belongs to the word after it.
std::vector<TokenRange> tokens_of_words(const CutLine& side) {
  std::vector<TokenRange> tokens;
  std::size_t at = 0;
  for (const ByteRange& word : word_ranges(side.line)) {
    const std::size_t begin = at;
    while (at < side.pieces.size() && side.pieces[at].begin < word.end) ++at;
    tokens.push_back({static_cast<RowId>(begin), static_cast<RowId>(at)});
  }
  return tokens;
}

}  // namespace

std::vector<TokenLink> token_links(std::span<const WordLink> links, const CutLine& source, const CutLine& target) {
  const std::vector<TokenRange> sources = tokens_of_words(source), targets = tokens_of_words(target);
  std::vector<TokenLink> cut;
  for (const auto& [i, j] : links) {
    if (i < 0 || j < 0 || i >= std::ssize(sources) || j >= std::ssize(targets)) continue;
    const TokenRange from = sources[static_cast<std::size_t>(i)], to = targets[static_cast<std::size_t>(j)];
    for (RowId t = to.begin; t < to.end; ++t) {
      for (RowId s = from.begin; s < from.end; ++s) cut.push_back({s, t});
    }
  }
  const auto by_target = [](const TokenLink& link) { return std::pair(link.target, link.source); };
  std::ranges::sort(cut, {}, by_target);
  cut.erase(std::unique(cut.begin(), cut.end()), cut.end());
  return cut;
}

}  // namespace dhyan
