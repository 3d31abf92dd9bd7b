// libFuzzer: a lexicon throws DataError, or gives words of the vocabulary in ascending order.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "core/error.h"
#include "data/testing/test_corpus.h"
#include "text/testing/trained_on.h"
#include "text/word_tokenizer.h"
#include "translator/shortlist.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace dhyan;
  static const TokenizerPair tokenizers = pair_trained_on<WordTokenizer>("a b c", "x y z");
  try {
    LineReader lexicon(std::make_unique<MemoryBytes>(std::string_view(reinterpret_cast<const char*>(data), size)),
                       "fuzz", {});
    const Shortlist shortlist(lexicon, tokenizers, {.first = 1, .best = 2});
    const std::vector<TokenId> words = shortlist.words_for(tokenizers.source->encode("a b c").ids);
    if (!std::ranges::is_sorted(words) || words.front() < 0 || words.back() >= tokenizers.target->size()) std::abort();
  } catch (const DataError&) {
  }
  return 0;
}
