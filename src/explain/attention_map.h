#pragma once

#include <array>
#include <string>
#include <utility>
#include <vector>

#include "core/choice.h"
#include "decoding/hypothesis.h"

namespace dhyan {

enum class Units { kSubwords, kWords };
inline constexpr std::array kUnits = {Choice{"word", Units::kWords}, Choice{"subword", Units::kSubwords}};

// A picture's worth of attention: source across, target down.
struct AttentionMap {
  std::vector<std::string> source;           // [S] words or pieces, </s> the last
  std::vector<std::string> target;           // [T]
  std::vector<std::vector<double>> weights;  // [T][S]  α_ij; rows sum to 1
  std::vector<std::vector<double>> energy;   // [T][S]  e_ij; only of subwords, and where steps were recorded
  std::string title;                         // e.g. "layer 1, head 2"; may be empty
  Index layer = 0;
  Index head = 0;
  bool ended = true;  // the last of target is </s>; false for a translation cut at the greatest length
};

// Which source unit each target unit looks at most, as (source, target), both from 0. What looks most at </s>, and </s>
// itself, has no partner.
std::vector<std::pair<Index, Index>> hard_alignment(const AttentionMap& map);

}  // namespace dhyan
