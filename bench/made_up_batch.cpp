#include "made_up_batch.h"

#include <algorithm>

#include "core/rng.h"

namespace dhyan::bench {

Batch make_up_batch(const MadeUp& size) {
  Rng rng(1);
  const auto below = [&](Index end) { return static_cast<Index>(rng.below(static_cast<std::uint64_t>(end))); };
  const auto sentence = [&] {
    const Index spread = size.words / 4;
    std::vector<TokenId> tokens(static_cast<std::size_t>(size.words - spread + below(2 * spread + 1)));
    for (TokenId& token : tokens) token = static_cast<TokenId>(kEnd + 1 + below(size.vocabulary - kEnd - 1));
    tokens.back() = kEnd;
    return tokens;
  };
  std::vector<std::vector<TokenId>> sentences(static_cast<std::size_t>(2 * size.sentences));
  std::ranges::generate(sentences, sentence);
  std::vector<Example> examples;
  for (std::size_t i = 0; i < sentences.size(); i += 2) examples.push_back({sentences[i], sentences[i + 1], i});
  return make_batch(examples);
}

}  // namespace dhyan::bench
