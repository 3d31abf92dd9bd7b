#include "config/model_kinds.h"
#include "config/option_conditions.h"
#include "core/error.h"
#include "core/table.h"

namespace dhyan::option_table {

namespace {

bool has_recurrent_attention(const Config& config) { return has_layers(config, kRecurrentLayers) && attends(config); }

std::string layers_in_use(const Config& config) {
  return cat("model is ", config.model, ", which has ", model_kind(config).layers->options, " instead");
}

std::string encoder_in_use(const Config& config) {
  if (!model_kind(config).takes_pictures) return cat("model is ", config.model, ", which reads text alone");
  return cat("encoder is ", config.common.encoder);
}

bool is_pretrained(const Config& config) {
  return reads_pictures(config) && entry_named("encoder", backbones(), config.common.encoder).pretrained();
}

std::string no_encoder(const Config& config) {
  if (reads_pictures(config)) return encoder_in_use(config);
  return cat("model is ", config.model, ", which has decoder-layers alone");
}
std::string no_decoder(const Config& config) {
  return cat("model is ", config.model, ", which has encoder-layers alone");
}

std::string no_attention(const Config& config) {
  const ModelKind& kind = model_kind(config);
  if (kind.without_attention != nullptr) return kind.without_attention(config);
  return cat("model is ", config.model, ", which has no attention");
}

bool has_score(const Config& config) { return attends(config) && !model_kind(config).aligns; }

std::string no_score(const Config& config) {
  return attends(config) ? cat("model is ", config.model, ", which has one way to attend") : no_attention(config);
}

std::string no_timing(const Config& config) {
  return has_layers(config, kRecurrentLayers) ? no_attention(config) : layers_in_use(config);
}

std::string no_input_feeding(const Config& config) {
  if (!has_recurrent_attention(config)) return no_timing(config);
  return "timing is before, in which the state itself has seen the context";
}

std::string score_in_use(const Config& config) {
  if (!attends(config)) return no_attention(config);
  return cat("score is ", config.common.attention.score);
}

std::string window_in_use(const Config& config) {
  if (!attends(config)) return no_attention(config);
  return cat("window is ", config.common.attention.window);
}

bool has_decoder_layer(const Config& config) {
  const ModelKind& kind = model_kind(config);
  return kind.has_encoder && kind.has_decoder && has_layers(config, kSelfAttentionLayers);
}

std::string positions_in_use(const Config& config) {
  if (!has_layers(config, kSelfAttentionLayers)) return layers_in_use(config);
  return cat("positions is ", config.transformer.positions, ", which has no limit");
}

}  // namespace

std::string plain_text_in_use(const Config& config) {
  return cat("model is ", config.model, ", which is trained on plain text");
}

std::string no_cross_attention(const Config& config) {
  if (!attends(config)) return no_attention(config);
  return cat("model is ", config.model, ", whose only attention is to its own sequence");
}

constinit const Condition kRecurrentModel{[](const Config& config) { return has_layers(config, kRecurrentLayers); },
                                          "a recurrent model", layers_in_use};

constinit const Condition kSelfAttention{[](const Config& config) { return has_layers(config, kSelfAttentionLayers); },
                                         "a model of self-attention layers", layers_in_use};

constinit const Condition kAdapters{
    [](const Config& config) { return has_layers(config, kSelfAttentionLayers) && config.common.adapter.rank > 0; },
    "adapter-rank above 0",
    [](const Config& config) {
      return has_layers(config, kSelfAttentionLayers) ? std::string("adapter-rank is 0") : layers_in_use(config);
    }};

constinit const Condition kEncoder{has_encoder_layers, "a model with an encoder of layers", no_encoder};

constinit const Condition kRecurrentEncoder{
    has_recurrent_encoder, "a recurrent encoder",
    [](const Config& config) { return reads_pictures(config) ? encoder_in_use(config) : layers_in_use(config); }};

constinit const Condition kEncoderKind{[](const Config& config) { return model_kind(config).takes_pictures; },
                                       "a model with an encoder and a decoder", encoder_in_use};

constinit const Condition kPictures{reads_pictures, "a model that reads pictures", encoder_in_use};

constinit const Condition kTrainedNetwork{
    [](const Config& config) { return reads_pictures(config) && !is_pretrained(config); },
    "a backbone that is trained from the beginning", encoder_in_use};

constinit const Condition kPretrained{is_pretrained, "a pretrained backbone", encoder_in_use};

constinit const Condition kPatches{
    [](const Config& config) { return reads_pictures(config) && config.common.encoder == "patches"; },
    "encoder patches", encoder_in_use};

constinit const Condition kDecoder{[](const Config& config) { return model_kind(config).has_decoder; },
                                   "a model with a decoder", no_decoder};

constinit const Condition kDecoderLayer{has_decoder_layer, "a Transformer with an encoder and a decoder",
                                        [](const Config& config) { return cat("model is ", config.model); }};

constinit const Condition kAverageLayer{
    [](const Config& config) { return has_decoder_layer(config) && config.transformer.decoder_layer == "aan"; },
    "decoder-layer aan",
    [](const Config& config) {
      if (!has_decoder_layer(config)) return cat("model is ", config.model);
      return cat("decoder-layer is ", config.transformer.decoder_layer);
    }};

constinit const Condition kDecoderKeys{
    [](const Config& config) {
      return has_decoder_layer(config) && config.transformer.decoder_layer == kSelfAttentionLayer &&
             config.transformer.norm == NormPlace::kBefore;
    },
    "norm before and decoder-layer self",
    [](const Config& config) {
      if (!has_decoder_layer(config)) return cat("model is ", config.model);
      const bool before = config.transformer.norm == NormPlace::kBefore;
      return cat("norm is ", before ? "before" : "after", ", decoder-layer ", config.transformer.decoder_layer);
    }};

constinit const Condition kTranslation{translates, "a model that translates", plain_text_in_use};

constinit const Condition kWordTable{[](const Config& config) { return has_layers(config, kWordTables); }, "an aligner",
                                     layers_in_use};

constinit const Condition kAttention{has_score, "a model with attention", no_score};

constinit const Condition kCrossAttention{attends_to_source, "a decoder that attends to the source",
                                          no_cross_attention};

constinit const Condition kTiming{has_recurrent_attention, "a recurrent model with attention", no_timing};

constinit const Condition kInputFeeding{
    [](const Config& config) { return has_recurrent_attention(config) && config.recurrent.timing == Timing::kAfter; },
    "a recurrent model with attention and timing after", no_input_feeding};

// A score that is not listed may have a layer.
constinit const Condition kScoreLayer{
    [](const Config& config) {
      const AttentionConfig& attention = config.common.attention;
      const bool plain = is_one_of(attention.score, {"dot", "scaled_dot", "general", "location", "cosine"});
      return has_score(config) && (!plain || attention.window == "local-p");
    },
    "a score with a layer of its own (additive, concat) or window local-p", score_in_use};

constinit const Condition kLocalWindow{
    [](const Config& config) {
      return has_score(config) && !is_one_of(config.common.attention.window, {"global", "hard", "causal", "no-end"});
    },
    "window local-m or local-p", window_in_use};

constinit const Condition kLocationScore{
    [](const Config& config) { return has_score(config) && config.common.attention.score == "location"; },
    "score location", score_in_use};

constinit const Condition kFormulaPositions{[](const Config& config) {
                                              return has_layers(config, kSelfAttentionLayers) &&
                                                     config.transformer.positions != "learned";
                                            },
                                            "sinusoidal positions",
                                            [](const Config& config) {
                                              if (!has_layers(config, kSelfAttentionLayers))
                                                return layers_in_use(config);
                                              return cat("positions is ", config.transformer.positions);
                                            }};

constinit const Condition kMaskedModel{[](const Config& config) { return model_kind(config).task == Task::kFillGaps; },
                                       "a masked language model",
                                       [](const Config& config) { return cat("model is ", config.model); }};

constinit const Condition kContextLength{
    [](const Config& config) {
      return data_kind_of(config) == DataKind::kText ||
             (has_layers(config, kSelfAttentionLayers) && config.transformer.positions == "learned");
    },
    "a language model or learned positions", positions_in_use};

}  // namespace dhyan::option_table
