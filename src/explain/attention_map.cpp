#include "explain/attention_map.h"

#include <algorithm>

#include "core/error.h"

namespace dhyan {

std::string_view name_of(AttentionPlace place) {
  return std::ranges::find(kAttentionPlaces, place, &Choice<AttentionPlace>::value)->name;
}

std::string title_of(AttentionPlace place) {
  return cat(name_of(place), place == AttentionPlace::kCross ? "-attention" : " self-attention");
}

AttentionMap mean_of(std::span<const AttentionMap> maps) {
  AttentionMap mean = maps.front();
  if (maps.size() == 1) return mean;
  mean.energy.clear();
  for (const AttentionMap& map : maps.subspan(1)) {
    if (map.layer != mean.layer) mean.layer.reset();
    if (map.head != mean.head) mean.head.reset();
  }
  for (std::size_t i = 0; i < mean.weights.size(); ++i) {
    for (std::size_t j = 0; j < mean.weights[i].size(); ++j) {
      double sum = 0;
      for (const AttentionMap& map : maps) sum += map.weights[i][j];
      mean.weights[i][j] = sum / static_cast<double>(maps.size());
    }
  }
  return mean;
}

std::vector<std::span<const AttentionMap>> by_place(std::span<const AttentionMap> maps) {
  std::vector<std::span<const AttentionMap>> groups;
  while (!maps.empty()) {
    const auto end = std::ranges::find_if(maps, [&](const AttentionMap& map) { return map.place != maps[0].place; });
    groups.push_back(maps.first(static_cast<std::size_t>(end - maps.begin())));
    maps = maps.subspan(groups.back().size());
  }
  return groups;
}

std::vector<std::pair<Index, Index>> hard_alignment(const AttentionMap& map) {
  std::vector<std::pair<Index, Index>> links;
  const std::size_t words = map.rows.size() - (map.ended && !map.rows.empty() ? 1 : 0);
  for (std::size_t i = 0; i < words; ++i) {
    const std::vector<double>& row = map.weights[i];
    const auto most = std::ranges::max_element(row) - row.begin();
    if (most + 1 < static_cast<std::ptrdiff_t>(row.size())) links.emplace_back(most, i);
  }
  return links;
}

}  // namespace dhyan
