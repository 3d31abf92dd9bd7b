#pragma once

#include "models/model.h"
#include "models/transformer_config.h"

namespace dhyan {

// The encoder-decoder of [vaswani2017], as set by the config. Throws ConfigError for an impossible config. Weights are
// initialised from rng.
std::unique_ptr<TranslationModel> make_transformer_model(const TransformerConfig& config, const Rng& rng);

}  // namespace dhyan
