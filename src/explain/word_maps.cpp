#include "explain/word_maps.h"

#include <algorithm>

#include "core/error.h"

namespace dhyan {

std::vector<WordMap> word_maps(const Hypothesis& caption, const Tokenizer& tokenizer, GridShape grid,
                               const ExplainOptions& options) {
  const auto crosses = [](AttentionPlace place) { return place == AttentionPlace::kCross; };
  if (!std::ranges::all_of(options.attention.places, crosses)) {
    throw UsageError("attention: over a picture only cross-attention can be shown");
  }
  const SentenceUnits units{.source = grid_units(grid),
                            .target = target_units(tokenizer, caption.tokens, options.units),
                            .given = given_units(tokenizer, caption.tokens, options.units)};
  std::vector<AttentionMap> maps = attention_maps(caption.attention, units, options.attention);
  if (maps.empty()) return {};
  if (maps.size() > 1) {
    throw UsageError(cat("attention: a word has one map over a picture, and ", maps.size(),
                         " are chosen; choose one --layer and --head, or a --summary"));
  }
  AttentionMap& map = maps.front();
  const std::size_t words = map.rows.size() - (map.ended ? 1 : 0);
  std::vector<WordMap> result;
  for (std::size_t i = 0; i < words; ++i) result.push_back({std::move(map.rows[i]), std::move(map.weights[i])});
  return result;
}

}  // namespace dhyan
