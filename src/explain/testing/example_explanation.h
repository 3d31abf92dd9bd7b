#pragma once

#include "core/error.h"
#include "explain/explanation.h"

namespace dhyan {

// For tests: what an attending model might say of one sentence.
inline Explanation example_explanation() {
  Explanation example;
  example.source = "मैं खाना खा रहा हूँ";
  example.translation = "I am eating food";
  example.log_probability = -0.25;
  example.source_units = {"मैं", "खाना", "खा", "रहा", "हूँ", "</s>"};
  example.target_units = {"I", "am", "eating", "food", "</s>"};
  example.target_scores = {-0.0625, -0.0625, -0.0625, -0.03125, -0.03125};
  AttentionMap map;
  map.columns = example.source_units;
  map.rows = example.target_units;
  map.weights = {{.875, .03125, .03125, 0, .0625, 0},
                 {.0625, 0, .0625, .25, .625, 0},
                 {0, .125, .5, .25, .125, 0},
                 {0, .75, .125, 0, 0, .125},
                 {0, 0, 0, 0, .25, .75}};
  example.maps = {map};
  return example;
}

// And one with several layers and heads, each head looking at a word of its own.
inline Explanation example_heads(Index layers, Index heads) {
  Explanation example = example_explanation();
  const AttentionMap map = example.maps.front();
  example.maps.clear();
  for (Index layer = 0; layer < layers; ++layer) {
    for (Index head = 0; head < heads; ++head) {
      AttentionMap own = map;
      own.layer = layer;
      own.head = head;
      own.title = cat("cross-attention, layer ", layer + 1, ", head ", head + 1);
      own.weights[0] = {0, 0, 0, 0, 0, 0};
      own.weights[0][static_cast<std::size_t>((layer + head) % 6)] = 1;
      example.maps.push_back(own);
    }
  }
  return example;
}

// And a model with one fixed vector.
inline Explanation example_context_vector() {
  Explanation example = example_explanation();
  example.maps.clear();
  example.context_vector = {1, -1, 0.5, -0.25, 0, 0.75, -0.5, 0.125};
  return example;
}

}  // namespace dhyan
