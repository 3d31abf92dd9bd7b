#pragma once

#include <filesystem>
#include <map>
#include <span>
#include <vector>

#include "data/lines.h"
#include "text/tokenizer_factory.h"

namespace dhyan {

struct ShortlistOptions {
  Index first = 100;  // of the vocabulary, which begins with the most frequent words; bytes are not counted
  Index best = 100;   // translations of each word of the source
};

// The words that a translation is likely to need. The file is Marian's lex.s2t, as fast_align's extract_lex writes it:
// a line has a target word, a source word and the probability p(target | source), separated by spaces. Words
// are tokens of the vocabularies; other words and NULL are skipped. A lexicon of other tokens, such as words for a
// model of subwords, would forbid most translations, so it is refused.
class Shortlist {
 public:
  // DataError, with file and line, for a malformed line, or if the model knows less than half of the entries.
  Shortlist(LineReader& lexicon, const TokenizerPair& tokenizers, const ShortlistOptions& options = {});

  // The words for one source, ascending; <unk> and </s> among them.
  std::vector<TokenId> words_for(std::span<const TokenId> source) const;

 private:
  std::vector<TokenId> always_;
  std::map<TokenId, std::vector<TokenId>> translations_;  // of a source word
};

}  // namespace dhyan
