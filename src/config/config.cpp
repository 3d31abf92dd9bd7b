#include "config/config.h"

#include <algorithm>

#include "config/model_kinds.h"
#include "core/error.h"
#include "training/validation_metrics.h"

namespace dhyan {

namespace {

// Without dropout the two passes of R-Drop are equal.
void check_r_drop(const Config& config) {
  if (config.training.loss.r_drop == 0) return;
  const bool drops_feed_forward =
      has_layers(config, kSelfAttentionLayers) && config.transformer.feed_forward_dropout > 0;
  const ModelConfig& model = config.common;
  if (model.dropout > 0 || model.attention.dropout > 0 || model.word_dropout > 0 || drops_feed_forward) return;
  throw ConfigError(cat("r-drop is ", config.training.loss.r_drop,
                        " and nothing is dropped, so its two passes would be equal; expected dropout above 0"));
}

bool measured(const Config& config, std::string_view metric) {
  if (metric == "loss" || metric == "perplexity") return true;
  return std::ranges::find(config.validation.metrics, metric) != config.validation.metrics.end();
}

void check_validation(const Config& config) {
  for (const std::string& metric : config.validation.metrics) {
    validation_metric(metric);
    if (!translates(config) && metric != "loss" && metric != "perplexity") {
      throw ConfigError(
          cat("validate-metrics has ", metric, ", and a model of the kind ", config.model, " does not translate"));
    }
  }
  const auto expect_measured = [&](const char* option, const std::string& metric) {
    validation_metric(metric);
    if (measured(config, metric)) return;
    throw ConfigError(cat(option, " is ", metric, ", which validate-metrics does not have"));
  };
  expect_measured("stop-on", config.training.stop_on);
  for (const std::string& metric : config.training.keep_best) expect_measured("keep-best", metric);
}

// Guided alignment holds cross-attention against gold links between words.
void check_guidance(const Config& config) {
  if (config.data.guided_alignment.empty()) return;
  if (!attends_to_source(config))
    throw ConfigError("guided-alignment needs a decoder that attends to the source; this model has none");
  if (config.tokenizer.sampled) {
    throw ConfigError(
        "guided-alignment and subword-sampling do not go together: sampling segments words differently each time");
  }
  const Index layer = config.training.loss.guided_layer;
  const bool every_layer = model_kind(config).attention(config).cross == CrossAttention::kEveryLayer;
  if (every_layer && layer > config.common.decoder_layers) {
    throw ConfigError(
        cat("guided-layer is ", layer, ", and the decoder has ", config.common.decoder_layers, " layers"));
  }
}

}  // namespace

void complete(Config& config) {
  std::vector<std::string>& metrics = config.validation.metrics;
  const bool measured = std::ranges::find(metrics, "aer") != metrics.end();
  if (!config.validation.alignments.empty() && !measured && attends_to_source(config)) metrics.emplace_back("aer");
  const bool picture_book = reads_pictures(config) && config.data.train.empty() && config.data.valid.empty();
  if (picture_book && metrics.empty()) metrics.emplace_back("true-captions");
}

void check_held_out(const Config& config, std::size_t corpora) {
  if (corpora > 0) return;
  const auto refuse = [](const std::string& what) {
    throw ConfigError(cat(what, ", and nothing is held out; --valid names a corpus"));
  };
  if (!config.validation.metrics.empty()) refuse(cat("validate-metrics has ", config.validation.metrics.front()));
  if (!config.validation.alignments.empty()) refuse("valid-alignments is given");
  if (!config.training.keep_best.empty()) refuse(cat("keep-best is ", config.training.keep_best.front()));
  if (config.training.stop_on != "loss") refuse(cat("stop-on is ", config.training.stop_on));
}

namespace {

// A model that knows nothing yet has nothing to adapt.
void check_adapters(const Config& config) {
  const Index rank = config.common.adapter.rank;
  if (rank == 0 || !config.init_from.empty()) return;
  throw ConfigError(
      cat("adapter-rank is ", rank, ", and adapters change a trained model; expected init-from with its folder"));
}

}  // namespace

void check(const Config& config) {
  if (config.tokenizer.kind != kChosenKind) tokenizer_kind(config.tokenizer.kind);
  check_validation(config);
  model_kind(config).check(config);
  check_r_drop(config);
  check_guidance(config);
  check_adapters(config);
  make_optimizer(config.training.optimizer, ParameterSet(), config.training.optimizer_settings);
  make_schedule(config.training.schedule, config.training.schedule_settings);
}

}  // namespace dhyan
