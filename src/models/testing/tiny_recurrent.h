#pragma once

#include "models/recurrent_model.h"
#include "models/testing/tiny_models.h"
#include "nn/testing/module_jacobian.h"

namespace dhyan {

// For tests: a recurrent model of a handful of weights.
inline RecurrentConfig tiny_recurrent() {
  return {{.source_vocabulary = 7,
           .target_vocabulary = 6,
           .hidden = 2,
           .attention = {.hidden = 3, .radius = 1, .longest = 6}},
          {.embedding = 3, .output_hidden = 3}};
}

inline std::unique_ptr<TranslationModel> random_model(const RecurrentConfig& config, std::uint64_t seed = 1) {
  auto model = make_recurrent_model(config, Rng(0));
  randomise(model->parameters(), seed);
  return model;
}

}  // namespace dhyan
