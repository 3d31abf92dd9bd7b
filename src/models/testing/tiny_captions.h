#pragma once

#include "data/testing/fake_pictures.h"
#include "models/testing/tiny_recurrent.h"
#include "models/testing/tiny_transformer.h"

namespace dhyan {

// For tests: models of pictures of 8 x 8 pixels, cut into 2 x 2 patches.

inline void make_captioning(ModelConfig& config) {
  config.encoder = "patches";
  config.backbone = {.image_size = 8, .patch_size = 4, .width = 3};
  config.hidden = 4;
}

inline RecurrentConfig tiny_captions() {
  RecurrentConfig config = tiny_recurrent();
  make_captioning(config);
  return config;
}

// gelu, as relu has kinks.
inline TransformerConfig tiny_caption_transformer() {
  TransformerConfig config = tiny_transformer();
  make_captioning(config);
  config.encoder_layers = config.decoder_layers = 1;
  config.activation = "gelu";
  return config;
}

// The convolutional network: 16 x 16 pixels are a grid of 2 x 2.
template <class Config>
Config with_convolutions(Config config) {
  config.encoder = "conv";
  config.backbone = {.image_size = 16, .width = 3};
  return config;
}

inline std::shared_ptr<const PictureSource> tiny_pictures(Index side = 8) {
  return std::make_shared<FakePictures>(GridShape{side, side});
}

// Pictures 0, 1, ... with captions of these lengths, </s> included.
inline Batch random_captions(std::uint64_t seed, std::initializer_list<Index> lengths, const ModelConfig& config) {
  std::vector<ExampleSize> sizes;
  for (const Index length : lengths) sizes.push_back({1, length});
  Batch batch = random_pairs(seed, sizes, config.source_vocabulary, config.target_vocabulary);
  for (std::size_t b = 0; b < batch.source.size(); ++b) batch.source[b] = static_cast<TokenId>(b);
  batch.pictures = tiny_pictures(config.backbone.image_size);
  return batch;
}

}  // namespace dhyan
