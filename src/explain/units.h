#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/grid_shape.h"
#include "explain/attention_map.h"

namespace dhyan {

// The tokens of one side of a sentence, joined to the units that a reader sees.
struct TokenUnits {
  std::vector<std::string> labels;   // of the units
  std::vector<std::size_t> unit_of;  // [tokens] the unit each belongs to; ascending
  bool ended = true;                 // the last unit is </s>
};

// A word is a run of text between spaces, for every tokenizer. A token that spans a space joins the words at both of
// its ends. </s> is a separate unit.
//
// The units of a source line. Its tokens end with </s> and may be fewer than those of the whole line if it was cut.
// Throws UsageError if they are not the tokens of the line.
TokenUnits source_units(const Tokenizer& tokenizer, std::string_view line, std::span<const TokenId> tokens,
                        Units units);

// The units of a line with gaps for a masked language model; each gap is a unit.
TokenUnits gapped_units(const Tokenizer& tokenizer, std::string_view line, std::string_view gap, Units units);

// The units of a hypothesis.
TokenUnits target_units(const Tokenizer& tokenizer, std::span<const TokenId> tokens, Units units);

// The units of the decoder's input: <s> and all tokens but the last.
TokenUnits given_units(const Tokenizer& tokenizer, std::span<const TokenId> tokens, Units units);

// The units of the first, then those of the second.
TokenUnits joined(const TokenUnits& first, const TokenUnits& second);

// The cells of a grid over a picture, row by row; "2,3" is the third cell of the second row.
TokenUnits grid_units(GridShape grid);

// The tokens that unit `step` of a target is made of, from 1: [begin, end). UsageError, beginning with `op`, if there
// is no such step.
struct TokenRange {
  std::size_t begin = 0, end = 0;
};
TokenRange tokens_of_step(const char* op, const TokenUnits& target, Index step);

// Both sides of a translation.
struct SentenceUnits {
  TokenUnits source;
  TokenUnits target;
  TokenUnits given = {};  // input of the decoder; only for its self-attention
};

// The weights of units from those of tokens: sums over the tokens of an attended unit, means over those of an attending
// unit, so that the sums of rows stay. Throws ShapeError if the record has another number of tokens.
AttentionMap attention_map(const AttentionRecord& record, const TokenUnits& columns, const TokenUnits& rows);

// log p of each unit: the sum over its tokens.
std::vector<double> unit_scores(std::span<const double> token_scores, const TokenUnits& target);

}  // namespace dhyan
