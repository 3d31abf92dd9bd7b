#pragma once

#include "models/model.h"
#include "models/transformer_config.h"

namespace dhyan {

// The encoder-decoder of [vaswani2017], as the configuration says. Throws ConfigError for what cannot be built. Weights
// begin as drawn from rng.
std::unique_ptr<TranslationModel> make_transformer_model(const TransformerConfig& config, const Rng& rng);

}  // namespace dhyan
