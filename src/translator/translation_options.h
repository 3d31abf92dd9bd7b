#pragma once

#include <optional>
#include <string>

#include "decoding/sampling.h"
#include "translator/shortlist.h"
#include "translator/unknown_words.h"

namespace dhyan {

// What the translation of one line must be like.
struct LineDemands {
  std::string prefix = {};                 // it begins with this text, and then with another word
  std::vector<std::string> required = {};  // it has each of these phrases, and behind it another word
};

// How lines are translated.
struct TranslationOptions {
  SearchOptions search = {};
  std::vector<std::string> forbidden = {};           // phrases no translation has, cut into tokens as text is
  const Shortlist* shortlist = nullptr;              // no other words are used; log p stays that of all of them
  std::optional<SamplingOptions> sampling = {};      // n_best are drawn instead of searched for
  std::uint64_t seed = 1;                            // of what is drawn
  std::uint64_t first_line = 0;                      // its number: a line's random numbers are its own
  std::optional<UnknownReplacement> unknown = {};    // put source words in the place of <unk>
  std::vector<LineDemands> demands = {};             // one for each line, or none
  bool prefix_open = false;                          // the last word of a prefix may go on
  std::string prefix_file = {}, required_file = {};  // where they come from, if from files: for messages
};

// A phrase as tokens. DataError, beginning with `where`, if the model has no words for it.
std::vector<TokenId> phrase_tokens(const Tokenizer& tokenizer, std::string_view phrase, std::string_view where);

// Options with their phrases in tokens: what the model cannot write anyway need not be forbidden.
SearchOptions search_options(const TranslationOptions& options, const Tokenizer& target);

// The tokens of byte fallback. Most models never see one in training but give each some probability, by label
// smoothing; drawn alone it is half a character or a control character. So sampling draws none of them.
std::vector<TokenId> byte_tokens(const Tokenizer& tokenizer);

// What is searched for, for line i of those at hand, whose source is this. DataError, with the line and where it comes
// from, for what the model cannot write.
SearchTask search_task(const TranslationOptions& options, std::size_t i, std::span<const TokenId> source,
                       const Tokenizer& target);

// Leaves out the required phrases for which, behind the prefix and those before them, the longest translation has no
// room; whether there are any.
bool drop_what_does_not_fit(SearchTask& task, const SearchOptions& search);

}  // namespace dhyan
