#pragma once

#include "models/model.h"
#include "models/recurrent_config.h"

namespace dhyan {

// A recurrent encoder and decoder ([sutskever2014], [cho2014], [bahdanau2015], [luong2015]), as set by the config.
// Throws ConfigError for an impossible config. Weights are initialised from rng.
std::unique_ptr<TranslationModel> make_recurrent_model(const RecurrentConfig& config, const Rng& rng);

}  // namespace dhyan
