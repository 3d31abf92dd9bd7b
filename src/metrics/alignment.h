#pragma once

#include <string_view>
#include <utility>
#include <vector>

#include "core/real.h"

namespace dhyan {

// A link between a source word and a target word, both counted from 0.
using Link = std::pair<Index, Index>;
using Links = std::vector<Link>;

// The gold alignment of a sentence: sure and possible links.
struct GoldLinks {
  Links sure;
  Links possible;  // beside the sure ones
};

// A line of Pharaoh's format, "0-0 1-2 2-1"; links that are only possible are written 1p2 or 1?2. DataError with
// `where` (file and line) for anything else.
GoldLinks parse_links(std::string_view line, std::string_view where);

// DataError with `where` for a link to a word that the sentence does not have.
void require_words(const GoldLinks& links, Index source_words, Index target_words, std::string_view where);

// Sums over sentences: A are the links found, S the sure and P the possible ones, sure ones included.
struct LinkCounts {
  Index found = 0;           // |A|
  Index sure = 0;            // |S|
  Index found_sure = 0;      // |A ∩ S|
  Index found_possible = 0;  // |A ∩ P|

  LinkCounts& operator+=(const LinkCounts& other);
};

// Duplicate links count once.
LinkCounts count_links(Links found, const GoldLinks& gold);

// Alignment error rate ([och2003]). Precision is 1 without found links, recall is 1 without sure links.
struct AlignmentScore {
  double precision = 1;   // |A ∩ P| / |A|
  double recall = 1;      // |A ∩ S| / |S|
  double error_rate = 0;  // 1 - (|A ∩ S| + |A ∩ P|) / (|A| + |S|)
};
AlignmentScore alignment_score(const LinkCounts& counts);

}  // namespace dhyan
