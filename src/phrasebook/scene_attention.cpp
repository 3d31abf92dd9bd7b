#include "phrasebook/scene_attention.h"

#include <algorithm>

#include "core/error.h"
#include "phrasebook/scene_regions.h"

namespace dhyan::picturebook {

AttentionScore& AttentionScore::operator+=(const AttentionScore& other) {
  inside += other.inside;
  uniform += other.uniform;
  hits += other.hits;
  words += other.words;
  return *this;
}

AttentionScore attention_score(const Scene& scene, const std::vector<ObjectSet>& words, std::span<const Real> weights,
                               Index rows, Index columns) {
  const auto width = static_cast<std::size_t>(rows * columns);
  if (weights.size() != words.size() * width) {
    throw ShapeError(cat("attention_score: ", weights.size(), " weights for ", words.size(), " words and a grid of ",
                         rows, " x ", columns));
  }
  AttentionScore score;
  const std::vector<std::vector<Index>> cells_of_words = word_cells(scene, words, rows, columns);
  for (std::size_t word = 0; word < words.size(); ++word) {
    const std::vector<Index>& inside = cells_of_words[word];
    if (inside.empty()) continue;
    const std::span<const Real> row = weights.subspan(word * width, width);
    double all = 0, of_region = 0;
    for (const Real weight : row) all += weight;
    for (const Index cell : inside) of_region += row[static_cast<std::size_t>(cell)];
    const Index largest = std::ranges::max_element(row) - row.begin();
    score.inside += all > 0 ? of_region / all : 0;
    score.uniform += static_cast<double>(inside.size()) / static_cast<double>(width);
    score.hits += all > 0 && std::ranges::binary_search(inside, largest) ? 1 : 0;
    ++score.words;
  }
  return score;
}

}  // namespace dhyan::picturebook
