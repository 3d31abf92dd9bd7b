#include "config/model_kinds.h"

#include <algorithm>

#include "core/error.h"
#include "core/table.h"
#include "models/decoder_only.h"
#include "models/masked_model.h"
#include "models/recurrent_model.h"
#include "models/transformer_model.h"

namespace dhyan {

namespace {

// Tokenizers of another model are shared or not, whatever the config says; models are checked again with their sizes.
bool may_share_vocabulary(const Config& config) {
  return config.tokenizer.shared || !config.tokenizer.from.empty() || !config.init_from.empty();
}

void expect_vocabularies_for_tying(const Config& config) {
  if (config.common.tying != Tying::kAll || may_share_vocabulary(config)) return;
  throw ConfigError("tie-embeddings is all, which needs one vocabulary: expected shared-vocabulary true");
}

template <class Model>
Model with_vocabularies(Model model, Index source, Index target) {
  model.source_vocabulary = source;
  model.target_vocabulary = target;
  return model;
}

template <class Model>
Model with_vocabularies(const Model& model, const TokenizerPair& tokenizers) {
  return with_vocabularies(model, tokenizers.source->size(), tokenizers.target->size());
}

void check_recurrent(const Config& config) {
  expect_vocabularies_for_tying(config);
  check(with_vocabularies(recurrent_config(config), 1, 1));
}

// Of an attention whose query is H wide, beside its projections.
double score_weights(const AttentionConfig& attention, double H) {
  const bool by_place = attention.score == "location";
  return by_place ? H * static_cast<double>(attention.heads) * static_cast<double>(attention.longest) : 0;
}

// The tables and the recurrent weights of one gate.
double least_recurrent(const Config& config, const TokenizerPair& tokenizers) {
  const RecurrentConfig model = recurrent_config(config);
  const auto V = static_cast<double>(tokenizers.target->size()), H = static_cast<double>(model.hidden);
  const auto E = static_cast<double>(model.embedding), O = static_cast<double>(model.output_hidden);
  const auto D = static_cast<double>(decoder_width(model));
  const double score = model.context == ContextKind::kAttention ? score_weights(model.attention, D) : 0;
  return V * std::max(E, O) + H * H * static_cast<double>(model.encoder_layers) +
         D * D * static_cast<double>(model.decoder_layers) + score;
}

std::unique_ptr<Model> make_recurrent(const Config& config, const TokenizerPair& tokenizers, const Rng& rng) {
  return make_recurrent_model(with_vocabularies(recurrent_config(config), tokenizers), rng);
}

void check_transformer(const Config& config) {
  expect_vocabularies_for_tying(config);
  check(with_vocabularies(transformer_config(config), 1, 1));
}

double table_weights(const TransformerConfig& model, const TokenizerPair& tokenizers) {
  const Index positions = model.positions == "learned" ? model.longest : 0;
  return static_cast<double>(tokenizers.target->size() + positions) * static_cast<double>(model.hidden);
}

// One attention and the feed-forward layer.
double layer_weights(const TransformerConfig& model) {
  const auto H = static_cast<double>(model.hidden), F = static_cast<double>(model.feed_forward);
  return 4 * H * H + 2 * H * F + score_weights(model.attention, H);
}

double least_transformer(const Config& config, const TokenizerPair& tokenizers) {
  const TransformerConfig model = transformer_config(config);
  return table_weights(model, tokenizers) +
         layer_weights(model) * static_cast<double>(model.encoder_layers + model.decoder_layers);
}

template <auto make>
std::unique_ptr<Model> make_transformer(const Config& config, const TokenizerPair& tokenizers, const Rng& rng) {
  return make(with_vocabularies(transformer_config(config), tokenizers), rng);
}

void check_alone(const Config& config) { check(with_vocabularies(transformer_config(config), 1, 1)); }

// The window of a decoder's own attention is causal; it cannot predict a place in a sentence that goes on.
void check_decoder(const Config& config) {
  if (config.common.attention.window == "local-p") {
    throw ConfigError("window is local-p, which needs a sentence whose end is known; this model has none");
  }
  check_alone(config);
}

void check_decoder_only(const Config& config) {
  if (!may_share_vocabulary(config)) {
    throw ConfigError("a decoder-only model reads both languages; expected shared-vocabulary true");
  }
  check_decoder(config);
}

// One stack of layers: `layers` says which.
template <auto layers>
double least_stack(const Config& config, const TokenizerPair& tokenizers) {
  const TransformerConfig model = transformer_config(config);
  return table_weights(model, tokenizers) + layer_weights(model) * static_cast<double>(model.*layers);
}

constexpr ModelKind kKinds[] = {
    {"recurrent", "recurrent encoder and decoder, with or without attention", DataKind::kPairs, check_recurrent,
     least_recurrent, make_recurrent},
    {"transformer", "encoder and decoder of self-attention", DataKind::kPairs, check_transformer, least_transformer,
     make_transformer<make_transformer_model>},
    {"decoder-only", "a decoder that reads the source as the beginning of the target", DataKind::kPairs,
     check_decoder_only, least_stack<&TransformerConfig::decoder_layers>, make_transformer<make_decoder_only_model>},
    {"language-model", "a decoder that goes on with a text", DataKind::kText, check_decoder,
     least_stack<&TransformerConfig::decoder_layers>, make_transformer<make_language_model>},
    {"masked-language-model", "an encoder that fills in what is hidden", DataKind::kLines, check_alone,
     least_stack<&TransformerConfig::encoder_layers>, make_transformer<make_masked_model>},
};

}  // namespace

std::string_view commands_for(DataKind data_kind) {
  switch (data_kind) {
    case DataKind::kText:
      return "dhyan generate, explain and evaluate";
    case DataKind::kLines:
      return "dhyan fill, embed, explain and evaluate";
    case DataKind::kPairs:
      break;
  }
  return "dhyan translate, explain and evaluate";
}

std::span<const ModelKind> model_kinds() { return kKinds; }

RecurrentConfig recurrent_config(const Config& config) { return {config.common, config.recurrent}; }

TransformerConfig transformer_config(const Config& config) { return {config.common, config.transformer}; }

const ModelKind& model_kind(const Config& config) { return entry_named("model", model_kinds(), config.model); }

std::unique_ptr<Model> make_model(const Config& config, const TokenizerPair& tokenizers, const Rng& rng) {
  return model_kind(config).make(config, tokenizers, rng);
}

}  // namespace dhyan
