#include "config/config.h"

#include <algorithm>

#include "config/model_kinds.h"
#include "core/error.h"
#include "training/validation_metrics.h"

namespace dhyan {

namespace {

// Learned positions must reach as far as the sentences; a recurrent model has none, and text is cut to the context.
void check_positions(const Config& config, const ModelKind& kind) {
  if (config.model == "recurrent" || config.transformer.positions != "learned" || kind.data_kind == DataKind::kText) {
    return;
  }
  const Index sides = config.model == "decoder-only" ? 2 : 1;  // in one sequence
  const Index least = sides * (config.data.max_length + 1);
  if (config.transformer.longest >= least) return;
  throw ConfigError(cat("context-length is ", config.transformer.longest, ", too few learned positions for max-length ",
                        config.data.max_length, " and </s>; expected ", least, " or more"));
}

// Two passes of R-Drop that drop nothing are one and the same.
void check_r_drop(const Config& config) {
  if (config.training.loss.r_drop == 0) return;
  const bool blocks = config.model != "recurrent";
  if (config.common.dropout > 0 || config.common.attention.dropout > 0) return;
  if (config.common.word_dropout > 0) return;
  if (blocks && config.transformer.feed_forward_dropout > 0) return;
  throw ConfigError(cat("r-drop is ", config.training.loss.r_drop,
                        " and nothing is dropped, so that two passes would be the same; expected dropout above 0"));
}

bool measured(const Config& config, std::string_view metric) {
  if (metric == "loss" || metric == "perplexity") return true;
  return std::ranges::find(config.validation.metrics, metric) != config.validation.metrics.end();
}

void check_validation(const Config& config, const ModelKind& kind) {
  for (const std::string& metric : config.validation.metrics) {
    validation_metric(metric);
    if (kind.data_kind != DataKind::kPairs && metric != "loss" && metric != "perplexity") {
      throw ConfigError(
          cat("validate-metrics has ", metric, ", and a model of the kind ", kind.name, " does not translate"));
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

// Links are of words, and lead to the attention of a decoder to a source.
void check_guidance(const Config& config) {
  if (config.data.guided_alignment.empty()) return;
  if (!attends_to_source(config))
    throw ConfigError("guided-alignment needs a decoder that attends to the source; this model has none");
  if (config.tokenizer.sampled) {
    throw ConfigError("guided-alignment does not go with subword-sampling, which cuts words anew each time");
  }
  const Index layer = config.training.loss.guided_layer;
  if (config.model == "transformer" && layer > config.common.decoder_layers) {
    throw ConfigError(
        cat("guided-layer is ", layer, ", and the decoder has ", config.common.decoder_layers, " layers"));
  }
}

}  // namespace

void complete(Config& config) {
  std::vector<std::string>& metrics = config.validation.metrics;
  const bool measured = std::ranges::find(metrics, "aer") != metrics.end();
  if (!config.validation.alignments.empty() && !measured && attends_to_source(config)) metrics.emplace_back("aer");
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

void check(const Config& config) {
  if (config.tokenizer.kind != kChosenKind) tokenizer_kind(config.tokenizer.kind);
  const ModelKind& kind = model_kind(config);
  kind.check(config);
  check_positions(config, kind);
  check_validation(config, kind);
  if (kind.data_kind == DataKind::kText && config.transformer.longest > config.training.batch.max_tokens) {
    throw ConfigError(cat("context-length is ", config.transformer.longest, " and batch-tokens ",
                          config.training.batch.max_tokens, "; expected a batch that holds a stretch of text"));
  }
  check_r_drop(config);
  check_guidance(config);
  make_optimizer(config.training.optimizer, ParameterSet(), config.training.optimizer_settings);
  make_schedule(config.training.schedule, config.training.schedule_settings);
}

}  // namespace dhyan
