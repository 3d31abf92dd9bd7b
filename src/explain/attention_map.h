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

// A picture's worth of attention: who looks, down; at what, across.
struct AttentionMap {
  AttentionPlace place = AttentionPlace::kCross;
  std::optional<Index> layer = 0;            // from 0; nothing of a summary of several
  std::optional<Index> head = 0;             // likewise
  std::vector<std::string> columns;          // [S] words or pieces; of the source, </s> the last
  std::vector<std::string> rows;             // [T]
  std::vector<std::vector<double>> weights;  // [T][S]  α_ij; rows sum to 1
  std::vector<std::vector<double>> energy;   // [T][S]  e_ij; only of subwords, and where steps were recorded
  std::string title;                         // e.g. "cross-attention, layer 1, head 2"; may be empty
  bool ended = true;                         // the last row is </s>; false for a translation cut at the greatest length
};

// "cross", and "cross-attention"; "encoder", and "encoder self-attention".
std::string_view name_of(AttentionPlace place);
std::string title_of(AttentionPlace place);

// What the axes of a map are called.
struct AxisNames {
  std::string_view across;
  std::string_view down;
};
AxisNames axes_of(const AttentionMap& map);

// "</s> marks the end of a sentence." for the marks among labels that no word of a language is; nothing if there are
// none.
std::string marks_in_words(std::span<const std::string> labels);

// How to read a map, in a line, the marks of its words among it.
std::string reading_of(const AttentionMap& map);

// Of at least one map, all with the same rows and columns. Without energies, if there are several.
AttentionMap mean_of(std::span<const AttentionMap> maps);

// Maps of the same place together, as they come.
std::vector<std::span<const AttentionMap>> by_place(std::span<const AttentionMap> maps);
std::vector<std::span<const AttentionMap>> by_layer(
    std::span<const AttentionMap> maps);  // of one place; a summary is one

// Which source unit each target unit looks at most, as (source, target), both from 0. What looks most at </s>, and </s>
// itself, has no partner.
std::vector<std::pair<Index, Index>> hard_alignment(const AttentionMap& map);

}  // namespace dhyan
