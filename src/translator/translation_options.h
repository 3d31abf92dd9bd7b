#pragma once

#include <optional>
#include <string>

#include "decoding/sampling.h"
#include "translator/shortlist.h"
#include "translator/unknown_words.h"

namespace dhyan {

// The constraints of the translation of one line.
struct LineConstraints {
  std::string prefix = {};                 // it begins with this text; the next word is a new one
  std::vector<std::string> required = {};  // it contains each phrase; a new word follows each
};

// How lines are translated.
struct TranslationOptions {
  SearchOptions search = {};
  std::vector<std::string> forbidden = {};           // phrases that must not occur, tokenized as text is
  const Shortlist* shortlist = nullptr;              // restricts the words; log p is still that over all words
  std::optional<SamplingOptions> sampling = {};      // samples n_best instead of searching
  std::uint64_t seed = 1;                            // of sampling
  std::uint64_t first_line = 0;                      // number of the first line, which seeds its samples
  std::optional<UnknownReplacement> unknown = {};    // replaces <unk> by source words
  std::vector<LineConstraints> constraints = {};     // one for each line, or none
  bool prefix_open = false;                          // the last word of a prefix may continue
  std::string prefix_file = {}, required_file = {};  // names of their files, for messages
};

// A phrase as tokens. DataError, beginning with `where`, if the model has no words for it.
std::vector<TokenId> phrase_tokens(const Tokenizer& tokenizer, std::string_view phrase, std::string_view where);

// Options with their phrases as tokens. Phrases that the model cannot write are not forbidden.
SearchOptions search_options(const TranslationOptions& options, const Tokenizer& target);

// The tokens of byte fallback, which sampling never draws: label smoothing gives them some probability although most
// models never see one in training, and a single byte is half a character or a control character.
std::vector<TokenId> byte_tokens(const Tokenizer& tokenizer);

// The search task of line i of the current window, with its source tokens. DataError, with file and line, for words
// that the model cannot write.
SearchTask search_task(const TranslationOptions& options, std::size_t i, std::span<const TokenId> source,
                       const Tokenizer& target);

// Drops the required phrases that do not fit the longest translation after the prefix and the phrases before them.
// Returns whether it dropped any.
bool drop_phrases_that_do_not_fit(SearchTask& task, const SearchOptions& search);

}  // namespace dhyan
