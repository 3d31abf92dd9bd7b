#pragma once

#include "models/masked_settings.h"
#include "models/model_config.h"

namespace dhyan {

enum class NormPlace { kBefore, kAfter };  // norm of a sublayer's input ([xiong2020]), or of its residual sum

// With norms before sublayers, what the decoder's self-attention makes keys and values of: normalised rows as its
// queries ([xiong2020]); or, but for the first word of a sentence, rows as they are, as marian-decoder 1.12 does.
enum class DecoderKeys { kNormed, kPlain };

enum class EmbeddingNorm { kNone, kLayer };  // of the sum of a token's embeddings, as in [devlin2019]

// The factor of word embeddings: √H if positions are sinusoids, or as stated.
enum class WordScale { kByPositions, kRootOfWidth, kNone };

inline constexpr std::string_view kSelfAttentionLayer = "self";

// The settings that only Transformers have.
struct TransformerSettings {
  Index feed_forward = 2048;  // F
  NormPlace norm = NormPlace::kBefore;
  std::string activation = "relu";       // in the table of activations
  std::string positions = "sinusoidal";  // in the table of position encodings
  Index longest = 1024;                  // learned positions
  Index first_position = 0;              // sinusoidal positions
  WordScale word_scale = WordScale::kByPositions;
  double norm_epsilon = 1e-5;                      // of layer norms
  std::string decoder_layer{kSelfAttentionLayer};  // in the table of decoder layers; of an encoder-decoder
  DecoderKeys decoder_keys = DecoderKeys::kNormed;
  Index average_hidden = 0;  // width inside the decoder layer aan; 0: feed_forward
  double feed_forward_dropout = 0;
  EmbeddingNorm embedding_norm = EmbeddingNorm::kNone;
  MaskedSettings masked = {};
};

// ModelConfig::attention applies to the encoder and to cross-attention; its dropout applies to embeddings and to the
// output of sublayers.
struct TransformerConfig : ModelConfig, TransformerSettings {};

// The decoder's self-attention. A causal mask cuts the window; local-p, which predicts a position in a sentence of
// known length, and no-end, which is about the source, become global.
AttentionConfig decoder_attention(const TransformerConfig& config);

bool positions_by_formula(const TransformerConfig& config);
bool scales_words(const TransformerConfig& config);  // multiplies embeddings by √H

// Throws ConfigError for an impossible config, before anything is built.
void check(const TransformerConfig& config);

}  // namespace dhyan
