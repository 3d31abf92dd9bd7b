#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/choice.h"
#include "decoding/hypothesis.h"

namespace dhyan {

enum class Units { kSubwords, kWords };
inline constexpr std::array kUnits = {Choice{"word", Units::kWords}, Choice{"subword", Units::kSubwords}};

// The attention weights of one picture: a row for each attending word, a column for each attended word.
struct AttentionMap {
  AttentionPlace place = AttentionPlace::kCross;
  std::optional<Index> layer = 0;            // from 0; empty for a summary of several layers
  std::optional<Index> head = 0;             // from 0; empty for a summary of several heads
  std::vector<std::string> columns;          // [S] words or subwords; those of the source end with </s>
  std::vector<std::string> rows;             // [T]
  std::vector<std::vector<double>> weights;  // [T][S]  α_ij; rows sum to 1
  std::vector<std::vector<double>> energy;   // [T][S]  e_ij; only for subwords, and only if search recorded its steps
  std::string title;                         // e.g. "cross-attention, layer 1, head 2"; may be empty
  bool ended = true;  // the last row is </s>; false if the translation reached the maximum length
};

// "cross" and "cross-attention", "encoder" and "encoder self-attention".
std::string_view name_of(AttentionPlace place);
std::string title_of(AttentionPlace place);

// The names of a map's axes.
struct AxisNames {
  std::string_view across;
  std::string_view down;
};
AxisNames axes_of(const AttentionMap& map);

// Explains the special tokens among labels: "</s> marks the end of a sentence."; empty if there are none.
std::string marks_in_words(std::span<const std::string> labels);

// A caption that says how to read a map and explains its special tokens.
std::string reading_of(const AttentionMap& map);

// The mean of one or more maps with the same rows and columns. The mean of several has no energies.
AttentionMap mean_of(std::span<const AttentionMap> maps);

// Splits maps into runs of the same place, or of the same layer; a summary has no layer and is a run of its own.
std::vector<std::span<const AttentionMap>> by_place(std::span<const AttentionMap> maps);
std::vector<std::span<const AttentionMap>> by_layer(std::span<const AttentionMap> maps);

// The source unit that each target unit attends to most, as (source, target), both from 0. </s> and units that attend
// most to </s> have no link.
std::vector<std::pair<Index, Index>> hard_alignment(const AttentionMap& map);

}  // namespace dhyan
