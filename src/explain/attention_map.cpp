#include "explain/attention_map.h"

#include <algorithm>

namespace dhyan {

std::vector<std::pair<Index, Index>> hard_alignment(const AttentionMap& map) {
  std::vector<std::pair<Index, Index>> links;
  const std::size_t words = map.target.size() - (map.ended && !map.target.empty() ? 1 : 0);
  for (std::size_t i = 0; i < words; ++i) {
    const std::vector<double>& row = map.weights[i];
    const auto most = std::ranges::max_element(row) - row.begin();
    if (most + 1 < static_cast<std::ptrdiff_t>(row.size())) links.emplace_back(most, i);
  }
  return links;
}

}  // namespace dhyan
