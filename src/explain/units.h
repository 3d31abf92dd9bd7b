#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "explain/attention_map.h"

namespace dhyan {

// The tokens of one side of a sentence, put together to what a person is shown.
struct TokenUnits {
  std::vector<std::string> labels;   // of the units
  std::vector<std::size_t> unit_of;  // [tokens] the unit each belongs to; ascending
  bool ended = true;                 // the last unit is </s>
};

// A word is what stands between spaces, as the text of the tokens says whatever the tokenizer. A token that spans a
// space holds the words at both of its ends together. </s> is a unit of its own.
//
// Of a source line as it was given, and its tokens, </s> the last; there may be fewer than the line has, where it was
// cut. UsageError if they are not those of the line.
TokenUnits source_units(const Tokenizer& tokenizer, std::string_view line, std::span<const TokenId> tokens,
                        Units units);

// Of a line with gaps, as a masked language model is given it: a gap is a unit.
TokenUnits gapped_units(const Tokenizer& tokenizer, std::string_view line, std::string_view gap, Units units);

// Of the tokens of a hypothesis.
TokenUnits target_units(const Tokenizer& tokenizer, std::span<const TokenId> tokens, Units units);

// What the decoder was given to write them: <s>, and all of them but the last.
TokenUnits given_units(const Tokenizer& tokenizer, std::span<const TokenId> tokens, Units units);

// One after the other.
TokenUnits joined(const TokenUnits& first, const TokenUnits& second);

// Both sides of a translation.
struct SentenceUnits {
  TokenUnits source;
  TokenUnits target;
  TokenUnits given = {};  // to the decoder; needed for its self-attention only
};

// Weights of units from those of tokens: the sum over the tokens of a unit that is looked at, the mean over those of
// one that looks, so that rows sum to what they did. ShapeError if the record is of another number of tokens.
AttentionMap attention_map(const AttentionRecord& record, const TokenUnits& columns, const TokenUnits& rows);

// log p of each unit from that of its tokens: their sum.
std::vector<double> unit_scores(std::span<const double> token_scores, const TokenUnits& target);

}  // namespace dhyan
