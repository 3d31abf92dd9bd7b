#pragma once

#include <string>
#include <vector>

#include "config/model_kinds.h"
#include "text/sentencepiece_tokenizer.h"
#include "text/testing/small_subwords.h"
#include "text/word_tokenizer.h"
#include "translator/model_folder.h"

namespace dhyan {

// For tests of the binary: a model with random weights. Its translations make no sense, but must be consistent.
inline const std::vector<std::string> kSourceWords{"मैं", "तुम", "खाना", "पानी", "खा", "पी", "रहा", "रही", "हूँ", "हो"};

inline TokenizerPair small_tokenizers() {
  TokenCounts source, target;
  for (const std::string& word : kSourceWords) source[word] = 1;
  for (const char* word : {"I", "you", "am", "are", "eating", "drinking", "food", "water"}) target[word] = 1;
  return {std::make_shared<WordTokenizer>(Vocabulary::from_counts(source)),
          std::make_shared<WordTokenizer>(Vocabulary::from_counts(target))};
}

// Weights above the usual initial scale make probabilities differ clearly; the bias lets translations end.
inline void make_small_model(const std::string& folder, ContextKind context) {
  Config config;
  config.tokenizer.kind = "word";
  config.recurrent.embedding = config.common.hidden = config.recurrent.output_hidden = 16;
  config.recurrent.context = context;
  const auto model = make_model(config, small_tokenizers(), Rng(4));
  for (Parameter& weight : model->parameters()) {
    for (Real& element : weight.value.span()) element *= 4;
  }
  model->parameters().find("output.bias")->value.span()[kEnd] = 4;
  save_model(folder, config, small_tokenizers(), *model);
}

// A Transformer of the given kind with two layers of two heads, in encoder and decoder if it has both. With learned
// positions it takes at most eight tokens.
inline void make_small_transformer(const std::string& folder, const std::string& kind = "transformer",
                                   const std::string& positions = "sinusoidal") {
  Config config;
  config.tokenizer.kind = "word";
  config.model = kind;
  config.transformer.longest = 8;
  config.transformer.positions = positions;
  config.common.hidden = config.transformer.feed_forward = 16;
  config.common.encoder_layers = config.common.decoder_layers = 2;
  config.common.attention = {.score = "scaled_dot", .heads = 2};
  TokenizerPair tokenizers = small_tokenizers();
  if (model_kind(config).data_kind != DataKind::kPairs) tokenizers.target = tokenizers.source;
  save_model(folder, config, tokenizers, *make_model(config, tokenizers, Rng(4)));
}

// A Transformer of the given kind with subwords and byte fallback.
inline void make_small_byte_model(const std::string& folder, const std::string& kind) {
  Config config;
  config.tokenizer.kind = "unigram";
  config.tokenizer.shared = true;
  config.model = kind;
  config.common.hidden = config.transformer.feed_forward = 16;
  config.common.attention = {.score = "scaled_dot", .heads = 2};
  const auto subwords = std::make_shared<SentencePieceTokenizer>(small_subwords(SubwordAlgorithm::kUnigram, true), "t");
  const TokenizerPair tokenizers{subwords, subwords};
  save_model(folder, config, tokenizers, *make_model(config, tokenizers, Rng(4)));
}

}  // namespace dhyan
