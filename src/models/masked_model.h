#pragma once

#include "models/model.h"
#include "models/transformer_config.h"
#include "text/gaps.h"

namespace dhyan {

// What stands in place of a hidden token: <pad>, which no text and no batch has.
inline constexpr TokenId kMask = kGapToken;

// [devlin2019]: a Transformer that sees all of a sentence. Of the configuration it has the target vocabulary and the
// encoder's layers. Parameters words.*, encoder.*, head.* and output.*
//
// In training 15 % of a sentence's tokens, at least one, are to be predicted; of these 80 % are hidden, 10 % replaced
// by any token and 10 % left as they are. </s> is never among them. Without a tape the choice depends on the sentence's
// number alone, so that held-out losses can be compared.
//
// Throws ConfigError for what cannot be built.
std::unique_ptr<MaskedModel> make_masked_model(const TransformerConfig& config, const Rng& rng);

// The tokens of a batch as such a model is given them, and those it has to find.
struct Masking {
  std::vector<TokenId> tokens;   // [ΣS]
  std::vector<RowId> places;     // rows of what is to be predicted, ascending
  std::vector<TokenId> answers;  // what was there
};
Masking mask(const Batch& batch, Index vocabulary, const Rng& rng);

}  // namespace dhyan
