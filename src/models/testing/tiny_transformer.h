#pragma once

#include "models/sequence_mixer.h"
#include "models/testing/tiny_models.h"
#include "nn/testing/module_jacobian.h"

namespace dhyan {

// For tests: a Transformer of a handful of weights, of either kind. One vocabulary, so that any tying fits.
inline TransformerConfig tiny_transformer() {
  return {{.source_vocabulary = 8,
           .target_vocabulary = 8,
           .hidden = 4,
           .encoder_layers = 2,
           .decoder_layers = 2,
           .attention = {.score = "scaled_dot", .heads = 2, .radius = 1, .longest = 6}},
          {.feed_forward = 5, .longest = 12}};
}

// A model by `make` whose weights, also biases and gains, are all random.
template <class Make>
auto random_transformer(const Make& make, const TransformerConfig& config, std::uint64_t seed = 1) {
  auto model = make(config, Rng(0));
  randomise(model->parameters(), seed);
  return model;
}

// Every score with every window, and other options of a block.
inline std::vector<TransformerConfig> every_transformer() {
  std::vector<TransformerConfig> configs;
  for (const ScoreEntry& score : scores()) {
    for (const WindowEntry& window : windows()) {
      configs.push_back(tiny_transformer());
      configs.back().attention.score = score.name;
      configs.back().attention.window = window.name;
    }
  }
  for (const NormPlace norm : {NormPlace::kBefore, NormPlace::kAfter}) {
    for (const char* positions : {"sinusoidal", "learned"}) {
      for (const Tying tying : {Tying::kNone, Tying::kDecoder, Tying::kAll}) {
        configs.push_back(tiny_transformer());
        configs.back().norm = norm;
        configs.back().positions = positions;
        configs.back().tying = tying;
        configs.back().activation = tying == Tying::kAll ? "gelu" : "swish";
      }
    }
  }
  for (const DecoderLayerEntry& layer : decoder_layers()) {
    for (const NormPlace norm : {NormPlace::kBefore, NormPlace::kAfter}) {
      configs.push_back(tiny_transformer());
      configs.back().decoder_layer = layer.name;
      configs.back().average_hidden = 3;
      configs.back().norm = norm;
    }
  }
  configs.push_back(tiny_transformer());
  configs.back().decoder_keys = DecoderKeys::kPlain;
  return configs;
}

}  // namespace dhyan
