#pragma once

#include <filesystem>
#include <memory>
#include <span>
#include <vector>

#include "data/lines.h"
#include "interop/marian_shortlist.h"
#include "text/tokenizer_factory.h"

namespace dhyan {

struct ShortlistOptions {
  Index first = 100;  // of the vocabulary, which begins with the most frequent words; bytes are not counted
  Index best = 100;   // translations of each word of the source
};

// The words that a translation is likely to need: some of every sentence, and some of each source word.
class Shortlist {
 public:
  // From Marian's lex.s2t, as fast_align's extract_lex writes it: a line has a target word, a source word and the
  // probability p(target | source), separated by spaces. Words are tokens of the vocabularies; other words and NULL are
  // skipped. A lexicon of other tokens, such as words for a model of subwords, would forbid most translations, so it is
  // refused. DataError, with file and line, for a malformed line, or if the model knows less than half of the entries.
  Shortlist(LineReader& lexicon, const TokenizerPair& tokenizers, const ShortlistOptions& options = {});

  // From one of Marian in our ids (importing/shortlist_order.h). As Marian does, a vocabulary of both languages also
  // allows the words of the source itself. ModelFileError, beginning with `where`, if it is of other vocabularies.
  Shortlist(const MarianShortlist& imported, const TokenizerPair& tokenizers, std::string_view where);

  // The words for one source, ascending; <unk> and </s> among them.
  std::vector<TokenId> words_for(std::span<const TokenId> source) const;

 private:
  void allow_first(const Tokenizer& target, Index count, bool with_bytes);

  std::vector<TokenId> always_;
  std::vector<std::uint64_t> begins_;  // [S + 1] where the words of a source word begin in words_
  std::vector<TokenId> words_;
  Index target_size_ = 0;
  bool own_words_ = false;  // the words of the source are allowed too
};

// In a model folder, of an imported model that has one.
inline constexpr std::string_view kShortlistFile = "shortlist.bin";
std::shared_ptr<const Shortlist> load_shortlist(const std::filesystem::path& folder, const TokenizerPair& tokenizers);

void copy_shortlist(const std::filesystem::path& from, const std::filesystem::path& to);  // folders

}  // namespace dhyan
