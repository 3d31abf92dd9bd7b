#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "data/pairs.h"
#include "text/tokenizer_factory.h"
#include "text/vocabulary.h"

namespace dhyan {

struct LexiconOptions {
  Index best = 100;      // translations kept of each source word; 0: all
  double threshold = 0;  // translations with a lower probability are left out
};

// Counts which target word was aligned to which source word, and writes the probabilities as Marian's lex.s2t, which
// Shortlist reads: target word, source word, p(target | source), a line each. Words without a link are linked to NULL,
// as in extract_lex.
class Lexicon {
 public:
  // Without tokenizers, words are separated by spaces. With tokenizers, words are the tokens of a model, and all tokens
  // of a linked word get its links. The tokenizers must outlive the lexicon.
  explicit Lexicon(const TokenizerPair* tokenizers = nullptr) : tokenizers_(tokenizers) {}

  void add(const SentencePair& pair);  // with its links

  // Source words in the order of their bytes, the most likely translation of each first.
  std::string text(const LexiconOptions& options = {}) const;

  std::uint64_t links() const { return links_; }

 private:
  using WordId = std::uint32_t;
  struct Side {
    std::vector<std::string> words = {std::string(kNull)};
    TokenMap<WordId> ids = {};

    WordId id(std::string_view word);
  };

  static constexpr std::string_view kNull = "NULL";
  static constexpr WordId kNullWord = 0;
  static constexpr WordId kLeftOut = UINT32_MAX;

  struct CutSide {
    std::vector<ByteRange> pieces;
    std::vector<WordId> words;  // kLeftOut: <unk>, or a token with white space, which the format cannot hold
  };
  CutSide cut(const Tokenizer* tokenizer, std::string_view line, Side& side) const;
  void count(WordId source, WordId target);

  const TokenizerPair* tokenizers_;
  Side source_, target_;
  std::map<std::pair<WordId, WordId>, std::uint64_t> counts_;  // of source and target
  std::uint64_t links_ = 0;
};

}  // namespace dhyan
