#include "config/model_kinds.h"

#include <algorithm>

#include "core/error.h"
#include "core/table.h"
#include "models/aligner.h"
#include "models/decoder_only.h"
#include "models/masked_model.h"
#include "models/recurrent_model.h"
#include "models/sequence_mixer.h"
#include "models/transformer_model.h"

namespace dhyan {

namespace {

// Tokenizers of another model determine whether they are shared; models are checked again with their sizes.
bool may_share_vocabulary(const Config& config) {
  return config.tokenizer.shared || !config.tokenizer.from.empty() || !config.init_from.empty();
}

// Pictures have no embedding table that could be tied to that of captions.
void check_pictures(const Config& config) {
  if (!reads_pictures(config)) return;
  const ModelConfig& model = config.common;
  if (entry_named("encoder", backbones(), model.encoder).pretrained() && config.encoder_weights.empty() &&
      config.init_from.empty()) {
    throw ConfigError(cat("encoder ", model.encoder, " is pretrained; encoder-weights names the file of its weights"));
  }
  if (model.hidden % 2 != 0) {
    throw ConfigError(cat("hidden is ", model.hidden, "; expected an even number for positions on a grid"));
  }
  if (model.tying == Tying::kAll) {
    throw ConfigError("tie-embeddings is all, and a picture has no words; expected none or decoder");
  }
  if (const std::string& window = model.attention.window; window != "global" && window != "hard") {
    throw ConfigError(
        cat("window is ", model.attention.window, ", which moves along a sentence; a picture needs global or hard"));
  }
}

void expect_vocabularies_for_tying(const Config& config) {
  if (config.common.tying != Tying::kAll || may_share_vocabulary(config)) return;
  throw ConfigError("tie-embeddings is all, which needs one vocabulary: expected shared-vocabulary true");
}

// The presets of Transformers warm up for longer than a training on the phrasebook lasts, and regularise for corpora
// that cannot be memorised.
constexpr std::string_view kSelfAttentionPace = R"yaml(
schedule: cosine
learning-rate: 3e-3
warmup-steps: 200
total-steps: 2088
final-rate: 1e-5
max-epochs: 12
dropout: 0.1
)yaml";

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
  check_pictures(config);
  expect_vocabularies_for_tying(config);
  check(with_vocabularies(recurrent_config(config), 1, 1));
}

AttentionUse recurrent_attention(const Config& config) {
  const bool attends = config.recurrent.context == ContextKind::kAttention;
  return {.cross = attends ? CrossAttention::kOneLayer : CrossAttention::kNone};
}

std::string context_in_use(const Config& config) {
  const bool fixed = config.recurrent.context == ContextKind::kFixed;
  return cat("context is ", fixed ? "fixed" : "none", ", which gives the decoder ",
             fixed ? "one vector of the source" : "the last state of the encoder",
             " instead; context attention gives it attention");
}

// The weights of a score with queries of width H, without its projections.
double score_weights(const AttentionConfig& attention, double H) {
  const bool by_place = attention.score == "location";
  return by_place ? H * static_cast<double>(attention.heads) * static_cast<double>(attention.longest) : 0;
}

// The weights of an encoder of pictures, without layers over its grid.
double least_of_pictures(const ModelConfig& model) {
  if (!model.reads_pictures()) return 0;
  const BackboneEntry& backbone = entry_named("encoder", backbones(), model.encoder);
  const auto width = static_cast<double>(model.backbone.width), H = static_cast<double>(model.hidden);
  const bool projects = !backbone.pretrained() && model.backbone.width != model.hidden;
  return backbone.least_weights(model.backbone) + (projects ? width * H : 0);
}

// The tables and the recurrent weights of one gate.
double least_recurrent(const Config& config, const TokenizerPair& tokenizers) {
  const RecurrentConfig model = recurrent_config(config);
  const auto V = static_cast<double>(tokenizers.target->size()), H = static_cast<double>(model.hidden);
  const auto E = static_cast<double>(model.embedding), O = static_cast<double>(model.output_hidden);
  const auto D = static_cast<double>(decoder_width(model));
  const double score = model.context == ContextKind::kAttention ? score_weights(model.attention, D) : 0;
  const auto encoder_layers = static_cast<double>(model.reads_pictures() ? 0 : model.encoder_layers);
  return V * std::max(E, O) + H * H * encoder_layers + D * D * static_cast<double>(model.decoder_layers) + score +
         least_of_pictures(model);
}

std::unique_ptr<Model> make_recurrent(const Config& config, const TokenizerPair& tokenizers, const Rng& rng) {
  return make_recurrent_model(with_vocabularies(recurrent_config(config), tokenizers), rng);
}

// Learned positions must cover a sequence of `sides` sentences.
void check_self_attention(const Config& config, Index sides) {
  check(with_vocabularies(transformer_config(config), 1, 1));
  const Index least = sides * (config.data.max_length + 1);
  if (config.transformer.positions != "learned" || config.transformer.longest >= least) return;
  throw ConfigError(cat("context-length is ", config.transformer.longest, ", too few learned positions for max-length ",
                        config.data.max_length, " and </s>; expected ", least, " or more"));
}

void check_transformer(const Config& config) {
  check_pictures(config);
  expect_vocabularies_for_tying(config);
  check_self_attention(config, 1);
}

AttentionUse transformer_attention(const Config& config) {
  const DecoderLayerEntry& layer = entry_named("decoder-layer", decoder_layers(), config.transformer.decoder_layer);
  return {.cross = CrossAttention::kEveryLayer, .encoder = true, .decoder = layer.attends};
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
  return table_weights(model, tokenizers) + least_of_pictures(model) +
         layer_weights(model) * static_cast<double>(model.encoder_layers + model.decoder_layers);
}

template <auto make>
std::unique_ptr<Model> make_transformer(const Config& config, const TokenizerPair& tokenizers, const Rng& rng) {
  return make(with_vocabularies(transformer_config(config), tokenizers), rng);
}

// A causal decoder does not know where the sentence ends, and so cannot predict a position in it.
void expect_causal_window(const Config& config) {
  const std::string& window = config.common.attention.window;
  if (window != "local-p" && window != "no-end") return;
  throw ConfigError(cat("window is ", window, ", which needs a sentence whose end is known; this model has none"));
}

void check_decoder_only(const Config& config) {
  if (!may_share_vocabulary(config)) {
    throw ConfigError("a decoder-only model reads both languages; expected shared-vocabulary true");
  }
  expect_causal_window(config);
  check_self_attention(config, 2);
}

void check_language_model(const Config& config) {
  expect_causal_window(config);
  check(with_vocabularies(transformer_config(config), 1, 1));
  if (config.transformer.longest <= config.training.batch.max_tokens) return;
  throw ConfigError(cat("context-length is ", config.transformer.longest, " and batch-tokens ",
                        config.training.batch.max_tokens, "; expected a batch that holds a stretch of text"));
}

AttentionUse decoder_attention(const Config&) { return {.decoder = true}; }

void check_masked(const Config& config) {
  check_self_attention(config, 1);
  const Index tokens = config.data.max_length + 2;  // with <s> and </s>
  if (config.transformer.masked.start == SentenceStart::kNone || config.transformer.positions != "learned" ||
      config.transformer.longest >= tokens)
    return;
  throw ConfigError(cat("context-length is ", config.transformer.longest, ", too few learned positions for max-length ",
                        config.data.max_length, ", <s> and </s>; expected ", tokens, " or more"));
}

AttentionUse encoder_attention(const Config&) { return {.encoder = true}; }

void check_aligner(const Config& config) {
  const auto refuse = [](const char* option, const char* reason) {
    throw ConfigError(cat(option, " does not go with an aligner, ", reason));
  };
  const LossOptions& loss = config.training.loss;
  if (loss.label_smoothing > 0) refuse("label-smoothing", "whose loss is the probability of all alignments");
  if (loss.r_drop > 0) refuse("r-drop", "whose loss is the probability of all alignments");
  if (loss.sampled > 0) refuse("scheduled-sampling", "which predicts a word without those before it");
  if (!config.data.guided_alignment.empty()) refuse("guided-alignment", "which finds the alignments itself");
  if (config.tokenizer.sampled) refuse("subword-sampling", "whose words need a place each");
  check(with_vocabularies(aligner_config(config), 1, 1));
}

double least_aligner(const Config& config, const TokenizerPair& tokenizers) {
  return static_cast<double>(tokenizers.source->size() + tokenizers.target->size()) *
         static_cast<double>(config.common.hidden);
}

std::unique_ptr<Model> make_aligner_model(const Config& config, const TokenizerPair& tokenizers, const Rng& rng) {
  return make_aligner(with_vocabularies(aligner_config(config), tokenizers), rng);
}

// The weights of a model of one stack of layers.
template <auto layers>
double least_stack(const Config& config, const TokenizerPair& tokenizers) {
  const TransformerConfig model = transformer_config(config);
  return table_weights(model, tokenizers) + layer_weights(model) * static_cast<double>(model.*layers);
}

constexpr ModelKind kKinds[] = {
    {.name = "recurrent",
     .description = "recurrent encoder and decoder, with or without attention",
     .task = Task::kTranslate,
     .data_kind = DataKind::kPairs,
     .layers = &kRecurrentLayers,
     .has_encoder = true,
     .has_decoder = true,
     .takes_pictures = true,
     .attention = recurrent_attention,
     .check = check_recurrent,
     .least_weights = least_recurrent,
     .make = make_recurrent,
     .without_attention = context_in_use},
    {.name = "transformer",
     .description = "encoder and decoder of self-attention",
     .task = Task::kTranslate,
     .data_kind = DataKind::kPairs,
     .layers = &kSelfAttentionLayers,
     .has_encoder = true,
     .has_decoder = true,
     .takes_pictures = true,
     .attention = transformer_attention,
     .check = check_transformer,
     .least_weights = least_transformer,
     .make = make_transformer<make_transformer_model>,
     .phrasebook_pace = kSelfAttentionPace},
    {.name = "decoder-only",
     .description = "a decoder that reads the source as the beginning of the target",
     .task = Task::kTranslate,
     .data_kind = DataKind::kPairs,
     .layers = &kSelfAttentionLayers,
     .has_encoder = false,
     .has_decoder = true,
     .attention = decoder_attention,
     .check = check_decoder_only,
     .least_weights = least_stack<&TransformerConfig::decoder_layers>,
     .make = make_transformer<make_decoder_only_model>,
     .phrasebook_pace = kSelfAttentionPace},
    {.name = "aligner",
     .description = "word alignment: attention of target words that are known, along a chain",
     .task = Task::kTranslate,
     .data_kind = DataKind::kPairs,
     .layers = &kWordTables,
     .has_encoder = false,
     .has_decoder = false,
     .aligns = true,
     .attention = [](const Config&) { return AttentionUse{.cross = CrossAttention::kOneLayer}; },
     .check = check_aligner,
     .least_weights = least_aligner,
     .make = make_aligner_model},
    {.name = "language-model",
     .description = "a decoder that continues a text",
     .task = Task::kContinueText,
     .data_kind = DataKind::kText,
     .layers = &kSelfAttentionLayers,
     .has_encoder = false,
     .has_decoder = true,
     .attention = decoder_attention,
     .check = check_language_model,
     .least_weights = least_stack<&TransformerConfig::decoder_layers>,
     .make = make_transformer<make_language_model>},
    {.name = "masked-language-model",
     .description = "an encoder that predicts masked tokens",
     .task = Task::kFillGaps,
     .data_kind = DataKind::kLines,
     .layers = &kSelfAttentionLayers,
     .has_encoder = true,
     .has_decoder = false,
     .attention = encoder_attention,
     .check = check_masked,
     .least_weights = least_stack<&TransformerConfig::encoder_layers>,
     .make = make_transformer<make_masked_model>,
     .phrasebook_pace = kSelfAttentionPace},
};

}  // namespace

constexpr LayerKind kRecurrentLayers{"cell, embedding, directions, readout, layer-norm and residual"};
constexpr LayerKind kSelfAttentionLayers{"hidden, heads, feed-forward, activation, norm and positions"};
constexpr LayerKind kWordTables{"hidden, jump-range and null-probability"};

std::string_view commands_for(Task task) {
  switch (task) {
    case Task::kContinueText:
      return "dhyan generate, explain and evaluate";
    case Task::kFillGaps:
      return "dhyan fill, embed, explain and evaluate";
    case Task::kCaption:
      return "dhyan caption, explain and evaluate";
    case Task::kTranslate:
      break;
  }
  return "dhyan translate, explain and evaluate";
}

std::span<const ModelKind> model_kinds() { return kKinds; }

RecurrentConfig recurrent_config(const Config& config) { return {config.common, config.recurrent}; }

// Settings of masked models have no effect on others.
TransformerConfig transformer_config(const Config& config) {
  TransformerConfig model{config.common, config.transformer};
  if (model_kind(config).task != Task::kFillGaps) model.masked = {};
  return model;
}

AlignerConfig aligner_config(const Config& config) { return {config.common, config.aligner}; }

const ModelKind& model_kind(const Config& config) { return entry_named("model", config.kinds(), config.model); }

bool reads_pictures(const Config& config) {
  return config.common.reads_pictures() && model_kind(config).takes_pictures;
}

Task task_of(const Config& config) { return reads_pictures(config) ? Task::kCaption : model_kind(config).task; }

DataKind data_kind_of(const Config& config) {
  return reads_pictures(config) ? DataKind::kCaptions : model_kind(config).data_kind;
}

bool translates(const Config& config) { return model_kind(config).task == Task::kTranslate; }

bool has_recurrent_encoder(const Config& config) {
  return has_layers(config, kRecurrentLayers) && !reads_pictures(config);
}

// A recurrent decoder reads the cells of a picture directly; a Transformer has layers over them.
bool has_encoder_layers(const Config& config) {
  return model_kind(config).has_encoder && (has_layers(config, kSelfAttentionLayers) || has_recurrent_encoder(config));
}

bool attends(const Config& config) { return model_kind(config).attention(config).any(); }

bool attends_to_source(const Config& config) {
  return model_kind(config).attention(config).cross != CrossAttention::kNone;
}

bool has_layers(const Config& config, const LayerKind& layers) { return model_kind(config).layers == &layers; }

std::unique_ptr<Model> make_model(const Config& config, const TokenizerPair& tokenizers, const Rng& rng) {
  std::unique_ptr<Model> model = model_kind(config).make(config, tokenizers, rng);
  add_adapters(model->parameters(), config.common.adapter, rng);
  return model;
}

}  // namespace dhyan
