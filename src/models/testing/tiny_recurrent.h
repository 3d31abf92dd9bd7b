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

// One as [sennrich2017] and [micelibarone2017] build them: two cells with attention between them, deep transitions, two
// stacks in the encoder.
inline RecurrentConfig deep_recurrent(std::string_view cell, bool inner_norm) {
  RecurrentConfig config = tiny_recurrent();
  config.hidden = inner_norm ? 3 : 2;  // of two, all but signs is normalised away
  config.cell = cell;
  config.encoder_layers = config.decoder_layers = 2;
  config.stacks = Stacks::kSeparate;
  config.encoder_transitions = config.decoder_transitions = config.higher_transitions = 1;
  config.first_state = FirstState::kMean;
  config.timing = Timing::kBetween;
  config.output = OutputKind::kDeepTanh;
  config.inner_norm = inner_norm;
  config.residual = true;
  return config;
}

inline std::unique_ptr<TranslationModel> random_model(const RecurrentConfig& config, std::uint64_t seed = 1) {
  auto model = make_recurrent_model(config, Rng(0));
  randomise(model->parameters(), seed);
  return model;
}

}  // namespace dhyan
