#pragma once

#include "core/error.h"
#include "explain/explanation.h"

namespace dhyan {

// For tests: an explanation of one sentence by a model with one attention.
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

// For tests: an explanation with several layers and heads; in each, the first word attends to another source word.
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

// For tests: an explanation by a model without attention.
inline Explanation example_context_vector() {
  Explanation example = example_explanation();
  example.maps.clear();
  example.context_vector = {1, -1, 0.5, -0.25, 0, 0.75, -0.5, 0.125};
  return example;
}

}  // namespace dhyan
