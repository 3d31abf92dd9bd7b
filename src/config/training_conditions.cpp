#include "config/model_kinds.h"
#include "config/option_conditions.h"
#include "core/error.h"

namespace dhyan::option_table {

namespace {

bool is_guided(const Config& config) { return attends_to_source(config) && !config.data.guided_alignment.empty(); }

// Without files, the phrasebook includes held-out sentences. Files of captions may include some, by their column
// "split".
bool has_held_out_pairs(const Config& config) {
  return translates(config) && (!config.data.valid.empty() || config.data.train.empty() || reads_pictures(config));
}

bool translates_held_out(const Config& config) {
  const auto of_text = [](const std::string& metric) { return metric != "loss" && metric != "perplexity"; };
  return config.validation.samples > 0 || std::ranges::any_of(config.validation.metrics, of_text);
}

bool uses(const Config& config, std::initializer_list<std::string_view> optimizers) {
  return is_one_of(config.training.optimizer, optimizers);
}

bool follows(const Config& config, std::initializer_list<std::string_view> schedules) {
  return is_one_of(config.training.schedule, schedules);
}

std::string guidance_in_use(const Config& config) {
  if (!attends_to_source(config)) return no_cross_attention(config);
  if (config.data.guided_alignment.empty()) return "guided-alignment names no file";
  return cat("model is ", config.model, ", which has one layer of attention");
}

std::string held_out_in_use(const Config& config) {
  if (!translates(config)) return cat(plain_text_in_use(config), " and measured by loss and perplexity");
  if (!has_held_out_pairs(config)) return "valid names no file";
  return "validate-metrics has no metric of translations and validate-samples is 0";
}

std::string validation_in_use(const Config& config) {
  return cat("validate-steps is ", config.training.validate_steps);
}

std::string average_in_use(const Config& config) { return cat("average is ", config.training.average); }
std::string optimizer_in_use(const Config& config) { return cat("optimizer is ", config.training.optimizer); }
std::string schedule_in_use(const Config& config) { return cat("schedule is ", config.training.schedule); }

}  // namespace

constinit const Condition kGuided{is_guided, "guided-alignment", guidance_in_use};

constinit const Condition kGuidedLayer{[](const Config& config) {
                                         return is_guided(config) && model_kind(config).attention(config).cross ==
                                                                         CrossAttention::kEveryLayer;
                                       },
                                       "guided-alignment of a transformer", guidance_in_use};

constinit const Condition kGoldAlignments{
    [](const Config& config) { return attends_to_source(config) && !reads_pictures(config); },
    "a decoder that attends to a sentence",
    [](const Config& config) {
      return reads_pictures(config) ? "the source is a picture" : no_cross_attention(config);
    }};

constinit const Condition kHeldOutPairs{has_held_out_pairs, "held-out pairs to translate", held_out_in_use};

constinit const Condition kHeldOutTranslations{
    [](const Config& config) { return has_held_out_pairs(config) && translates_held_out(config); },
    "held-out pairs to translate", held_out_in_use};

constinit const Condition kValidatesByEpoch{[](const Config& config) { return config.training.validate_steps == 0; },
                                            "validate-steps 0", validation_in_use};

constinit const Condition kAverages{[](const Config& config) { return config.training.average > 1; },
                                    "average 2 or more", average_in_use};

constinit const Condition kSgd{[](const Config& config) { return uses(config, {"sgd"}); }, "optimizer sgd",
                               optimizer_in_use};

constinit const Condition kAdadelta{[](const Config& config) { return uses(config, {"adadelta"}); },
                                    "optimizer adadelta", optimizer_in_use};

constinit const Condition kAdam{[](const Config& config) {
                                  return uses(config, {"adam", "adamw"});
                                },
                                "optimizer adam or adamw", optimizer_in_use};

constinit const Condition kNotSgd{[](const Config& config) { return !uses(config, {"sgd"}); },
                                  "optimizer adadelta, adam or adamw", optimizer_in_use};

constinit const Condition kCosine{[](const Config& config) { return follows(config, {"cosine"}); }, "schedule cosine",
                                  schedule_in_use};

constinit const Condition kCosineOrPlateau{[](const Config& config) {
                                             return follows(config, {"cosine", "plateau"});
                                           },
                                           "schedule cosine or plateau", schedule_in_use};

constinit const Condition kPlateauOrEpochs{[](const Config& config) {
                                             return follows(config, {"plateau", "epoch-decay"});
                                           },
                                           "schedule plateau or epoch-decay", schedule_in_use};

constinit const Condition kPlateau{[](const Config& config) { return follows(config, {"plateau"}); },
                                   "schedule plateau", schedule_in_use};

constinit const Condition kEpochDecay{[](const Config& config) { return follows(config, {"epoch-decay"}); },
                                      "schedule epoch-decay", schedule_in_use};

}  // namespace dhyan::option_table
