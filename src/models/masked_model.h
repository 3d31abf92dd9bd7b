#pragma once

#include "models/model.h"
#include "models/transformer_config.h"
#include "text/gaps.h"

namespace dhyan {

// Replaces hidden tokens: <pad>, which no text and no batch contains.
inline constexpr TokenId kMask = kGapToken;

// [devlin2019]: a Transformer that attends to the whole sentence. It uses the target vocabulary and the encoder's
// layers of the configuration. Parameters words.*, encoder.*, head.* and output.*; without a head (MaskedSettings) only
// the first two, and a ConfigError for its loss.
//
// In training it predicts 15 % of a sentence's tokens, at least one; of these 80 % are hidden, 10 % replaced by a
// random token and 10 % unchanged. </s> is never among them. Without a tape the choice depends only on the sentence's
// number, so that held-out losses can be compared.
//
// Throws ConfigError for an impossible config.
std::unique_ptr<MaskedModel> make_masked_model(const TransformerConfig& config, const Rng& rng);

// The masked tokens of a batch, and the tokens to predict.
struct Masking {
  std::vector<TokenId> tokens;   // [ΣS]
  std::vector<RowId> places;     // rows of the tokens to predict, ascending
  std::vector<TokenId> answers;  // the original tokens
};
Masking mask(const Batch& batch, Index vocabulary, const Rng& rng);

}  // namespace dhyan
