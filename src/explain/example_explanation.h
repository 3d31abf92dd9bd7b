#pragma once

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
  map.source = example.source_units;
  map.target = example.target_units;
  map.weights = {{.875, .03125, .03125, 0, .0625, 0},
                 {.0625, 0, .0625, .25, .625, 0},
                 {0, .125, .5, .25, .125, 0},
                 {0, .75, .125, 0, 0, .125},
                 {0, 0, 0, 0, .25, .75}};
  example.maps = {map};
  return example;
}

// And a model with one fixed vector.
inline Explanation example_thought() {
  Explanation example = example_explanation();
  example.maps.clear();
  example.thought = {1, -1, 0.5, -0.25, 0, 0.75, -0.5, 0.125};
  return example;
}

}  // namespace dhyan
