#pragma once

#include "config/model_kinds.h"
#include "nn/testing/module_jacobian.h"
#include "text/character_tokenizer.h"
#include "text/testing/trained_on.h"
#include "translator/model_folder.h"

namespace dhyan {

// For tests: a model of random weights that reads the letters a to f and writes u to z, so that words have several
// tokens. Transformers have two layers of two heads.
inline LoadedModel tiny_text_model(std::string_view kind = "recurrent", std::string_view window = "global") {
  LoadedModel loaded;
  loaded.tokenizers = pair_trained_on<CharacterTokenizer>("a b c d e f", "u v w x y z");
  Config& config = loaded.config;
  config.model = kind;
  config.tokenizer.kind = "char";
  config.common.hidden = config.recurrent.embedding = config.recurrent.output_hidden = 8;
  config.common.attention.window = window;
  config.transformer.feed_forward = 8;
  if (kind == "transformer") {
    config.common.encoder_layers = config.common.decoder_layers = 2;
    config.common.attention.score = "scaled_dot";
    config.common.attention.heads = 2;
  }
  loaded.model = make_model(config, loaded.tokenizers, Rng(3));
  randomise(loaded.model->parameters(), 3);
  return loaded;
}

}  // namespace dhyan
