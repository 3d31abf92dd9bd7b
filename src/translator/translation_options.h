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
  std::vector<TokenId> written = {};       // it begins with these tokens, if they are more than the prefix
};

// The random numbers that a line is sampled with: those of line `line` of an input that is sampled with `seed`.
struct LineSeed {
  std::uint64_t seed = 1;
  std::uint64_t line = 0;
};

// Whether words are restricted to the shortlist that came with an imported model, if it has one and `shortlist` does
// not replace it. Log p is then over its words, as where the model comes from.
enum class ModelShortlist { kUsed, kIgnored };

// How lines are translated. Constraints, seeds, cancellations and edits are given for each line or for none, so that a
// call may have the lines of several requests whose other options are equal.
struct TranslationOptions {
  SearchOptions search = {};
  std::vector<std::string> forbidden = {};  // phrases that must not occur, tokenized as text is
  const Shortlist* shortlist = nullptr;     // restricts the words; log p is still that over all words
  ModelShortlist model_shortlist = ModelShortlist::kUsed;
  std::optional<SamplingOptions> sampling = {};    // samples n_best instead of searching
  std::uint64_t seed = 1;                          // of sampling
  std::uint64_t first_line = 0;                    // number of the first line, which seeds its samples
  std::optional<UnknownReplacement> unknown = {};  // replaces <unk> by source words
  std::vector<LineConstraints> constraints = {};
  std::vector<LineSeed> seeds = {};                  // instead of seed and first_line
  std::vector<CancelFlag> cancelled = {};            // a line that is cancelled gets a translation that says so
  std::vector<std::vector<WeightEdit>> edits = {};   // of the cross-attention of each line, in order
  bool prefix_open = false;                          // the last word of a prefix may continue
  std::string prefix_file = {}, required_file = {};  // names of their files, for messages
};

// How given translations are scored. Cancellations and edits are given for each line or for none.
struct ForceOptions {
  SearchOptions search = {};
  std::vector<CancelFlag> cancelled = {};
  std::vector<std::vector<WeightEdit>> edits = {};
};

// The random numbers of line i of the current window.
Rng line_rng(const TranslationOptions& options, std::size_t i);

// UsageError unless values for single lines are given for every line or for none.
void check_lines(const TranslationOptions& options, std::size_t lines);
void check_lines(const ForceOptions& options, std::size_t lines);

// A phrase as tokens. DataError, beginning with `where`, if the model has no words for it.
std::vector<TokenId> phrase_tokens(const Tokenizer& tokenizer, std::string_view phrase, std::string_view where);

// Options with their phrases as tokens. Phrases that the model cannot write are not forbidden.
SearchOptions search_options(const TranslationOptions& options, const Tokenizer& target);

// The tokens of byte fallback, which sampling never draws: label smoothing gives them some probability although most
// models never see one in training, and a single byte is half a character or a control character.
std::vector<TokenId> byte_tokens(const Tokenizer& tokenizer);

// The constraints of line i of the current window. DataError, with file and line, for words that the model cannot
// write.
SearchTask search_task(const TranslationOptions& options, std::size_t i, const Tokenizer& target);

// Adds the words of prefix and required phrases to the only words allowed, for log p over these.
void allow_required_words(SearchTask& task);

// Drops the required phrases that do not fit the longest translation after the prefix and the phrases before them.
// Returns whether it dropped any.
bool drop_phrases_that_do_not_fit(SearchTask& task, const SearchOptions& search);

}  // namespace dhyan
