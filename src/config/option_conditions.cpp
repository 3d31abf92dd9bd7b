#include "config/option_conditions.h"

#include <algorithm>
#include <initializer_list>

#include "config/model_kinds.h"
#include "core/error.h"

namespace dhyan {

namespace {

bool is_one_of(std::string_view name, std::initializer_list<std::string_view> names) {
  return std::ranges::find(names, name) != names.end();
}

bool is_recurrent(const Config& config) { return config.model == "recurrent"; }

bool attends(const Config& config) {
  return !is_recurrent(config) || config.recurrent.context == ContextKind::kAttention;
}

DataKind data_kind_of(const Config& config) { return model_kind(config).data_kind; }
bool translates(const Config& config) { return data_kind_of(config) == DataKind::kPairs; }

// Whether some recurrent layer's input is as wide as its output (nn/residual_norm.h); the first layer of a decoder is
// given no input to add.
bool has_layer_for_residual(const Config& config) {
  const RecurrentConfig model = recurrent_config(config);
  const Index annotation = model.hidden * (model.directions == Directions::kBoth ? 2 : 1);
  return model.encoder_layers > 1 || model.decoder_layers > 1 || model.embedding == annotation;
}

bool is_after(const Config& config) { return config.recurrent.timing == Timing::kAfter; }

bool reads_files(const Config& config) { return !config.data.train.empty() || !config.data.valid.empty(); }

// Without files the phrasebook has held-out sentences of its own.
bool has_held_out(const Config& config) { return !config.data.valid.empty() || config.data.train.empty(); }

bool translates_held_out(const Config& config) {
  const auto of_text = [](const std::string& metric) { return metric != "loss" && metric != "perplexity"; };
  return config.validation.samples > 0 || std::ranges::any_of(config.validation.metrics, of_text);
}

// A kind that is neither words nor characters is of subwords, also one that is chosen later.
bool has_subwords(const Config& config) { return !is_one_of(config.tokenizer.kind, {"word", "char"}); }

bool uses(const Config& config, std::initializer_list<std::string_view> optimizers) {
  return is_one_of(config.training.optimizer, optimizers);
}

bool follows(const Config& config, std::initializer_list<std::string_view> schedules) {
  return is_one_of(config.training.schedule, schedules);
}

// What a config has where a condition does not hold.

std::string kind_and_what_it_has(const Config& config) {
  if (is_recurrent(config)) {
    return "model is recurrent, which has cell, embedding, directions, readout, layer-norm and residual instead";
  }
  return cat("model is ", config.model,
             ", which has hidden, heads, feed-forward, activation, norm and positions instead");
}

std::string no_encoder(const Config& config) {
  return cat("model is ", config.model, ", which has decoder-layers alone");
}
std::string no_decoder(const Config& config) {
  return cat("model is ", config.model, ", which has encoder-layers alone");
}

std::string no_attention(const Config& config) {
  const bool fixed = config.recurrent.context == ContextKind::kFixed;
  return cat("context is ", fixed ? "fixed" : "none", ", which gives the decoder ",
             fixed ? "one vector of the source" : "the last state of the encoder",
             " instead; context attention gives it attention");
}

std::string no_cross_attention(const Config& config) {
  if (is_recurrent(config)) return no_attention(config);
  return cat("model is ", config.model, ", whose only attention is to its own sequence");
}

std::string no_timing(const Config& config) {
  return is_recurrent(config) ? no_attention(config) : kind_and_what_it_has(config);
}

std::string no_input_feeding(const Config& config) {
  if (!is_recurrent(config) || !attends(config)) return no_timing(config);
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

std::string positions_in_use(const Config& config) {
  if (is_recurrent(config)) return kind_and_what_it_has(config);
  return cat("positions is ", config.transformer.positions, ", which has no limit");
}

std::string text_data_kind(const Config& config) {
  return cat("model is ", config.model, ", which is trained on plain text");
}

std::string running_text(const Config& config) {
  return cat("model is ", config.model, ", which reads text in stretches of context-length tokens");
}

std::string tokenizer_in_use(const Config& config) {
  if (!config.tokenizer.from.empty()) return cat("the tokenizers are taken from ", config.tokenizer.from);
  if (!config.init_from.empty()) return cat("the tokenizers are taken from ", config.init_from);
  return cat("tokenizer is ", config.tokenizer.kind);
}

std::string vocabularies_in_use(const Config& config) {
  return translates(config) ? tokenizer_in_use(config) : text_data_kind(config);
}

std::string sampling_in_use(const Config& config) {
  return config.tokenizer.sampled || !has_subwords(config) ? cat("tokenizer is ", config.tokenizer.kind)
                                                           : "subword-sampling is false";
}

std::string phrasebook_in_use(const Config&) { return "train names no file, so that the built-in phrasebook is used"; }

std::string pairs_in_use(const Config& config) {
  return translates(config) ? phrasebook_in_use(config) : text_data_kind(config);
}

std::string files_in_use(const Config& config) { return cat("train names ", config.data.train.front()); }

std::string guidance_in_use(const Config& config) {
  if (!attends_to_source(config)) return no_cross_attention(config);
  if (config.data.guided_alignment.empty()) return "guided-alignment names no file";
  return cat("model is ", config.model, ", which has one layer of attention");
}

std::string held_out_in_use(const Config& config) {
  if (!translates(config)) return cat(text_data_kind(config), " and measured by loss and perplexity");
  if (!has_held_out(config)) return "valid names no file";
  return "validate-metrics has no metric of translations and validate-samples is 0";
}

std::string validation_in_use(const Config& config) {
  return cat("validate-steps is ", config.training.validate_steps);
}

std::string average_in_use(const Config& config) { return cat("average is ", config.training.average); }
std::string optimizer_in_use(const Config& config) { return cat("optimizer is ", config.training.optimizer); }
std::string schedule_in_use(const Config& config) { return cat("schedule is ", config.training.schedule); }

bool learns(const Config& config) { return config.tokenizer.from.empty() && config.init_from.empty(); }

bool is_guided(const Config& config) { return attends_to_source(config) && !config.data.guided_alignment.empty(); }

bool has_held_out_pairs(const Config& config) { return translates(config) && has_held_out(config); }

// Options that apply, with a value that changes nothing in this model. Such a value is recorded all the same: models
// that were trained with it have it.
void refuse_value_without_effect(const Config& config, const Setting& setting) {
  if (setting.name == "residual" && config.recurrent.residual && !has_layer_for_residual(config)) {
    setting.fail(
        "residual needs a layer whose input is as wide as its output; encoder-layers and decoder-layers are 1"
        ", and the encoder's output is not as wide as the embedding");
  }
  if (setting.name == "tie-embeddings" && config.common.tying == Tying::kAll && !translates(config)) {
    setting.fail(cat("tie-embeddings all needs a model that translates; model is ", config.model,
                     ", whose input and output tie-embeddings decoder ties"));
  }
}

}  // namespace

bool attends_to_source(const Config& config) {
  return is_recurrent(config) ? attends(config) : config.model == "transformer";
}

bool applies(const Option& option, const Config& config) {
  return option.condition == nullptr || option.condition->holds(config);
}

void expect_to_apply(const Config& config, std::span<const Setting> settings) {
  for (const Setting& setting : settings) {
    const auto option = std::ranges::find(options(), setting.name, &Option::name);
    if (option == options().end()) continue;
    if (applies(*option, config)) {
      refuse_value_without_effect(config, setting);
      continue;
    }
    const Condition& condition = *option->condition;
    setting.fail(cat(setting.name, " needs ", condition.needs, "; ", condition.found(config)));
  }
}

namespace option_table {

constinit const Condition kRecurrentModel{is_recurrent, "a recurrent model", kind_and_what_it_has};

constinit const Condition kSelfAttention{[](const Config& config) { return !is_recurrent(config); },
                                         "a model of self-attention layers", kind_and_what_it_has};

constinit const Condition kEncoder{[](const Config& config) {
                                     return !is_one_of(config.model, {"decoder-only", "language-model"});
                                   },
                                   "a model with an encoder", no_encoder};

constinit const Condition kDecoder{[](const Config& config) { return config.model != "masked-language-model"; },
                                   "a model with a decoder", no_decoder};

constinit const Condition kAttention{attends, "a model with attention", no_attention};

constinit const Condition kCrossAttention{attends_to_source, "a decoder that attends to the source",
                                          no_cross_attention};

constinit const Condition kTiming{[](const Config& config) { return is_recurrent(config) && attends(config); },
                                  "a recurrent model with attention", no_timing};

constinit const Condition kInputFeeding{
    [](const Config& config) { return is_recurrent(config) && attends(config) && is_after(config); },
    "a recurrent model with attention and timing after", no_input_feeding};

// A score that is not listed may have a layer.
constinit const Condition kScoreLayer{
    [](const Config& config) {
      const AttentionConfig& attention = config.common.attention;
      const bool plain = is_one_of(attention.score, {"dot", "scaled_dot", "general", "location", "cosine"});
      return attends(config) && (!plain || attention.window == "local-p");
    },
    "a score with a layer of its own (additive, concat) or window local-p", score_in_use};

constinit const Condition kLocalWindow{
    [](const Config& config) {
      return attends(config) && !is_one_of(config.common.attention.window, {"global", "hard", "causal"});
    },
    "window local-m or local-p", window_in_use};

constinit const Condition kLocationScore{
    [](const Config& config) { return attends(config) && config.common.attention.score == "location"; },
    "score location", score_in_use};

constinit const Condition kContextLength{[](const Config& config) {
                                           return config.model == "language-model" ||
                                                  (!is_recurrent(config) && config.transformer.positions == "learned");
                                         },
                                         "a language model or learned positions", positions_in_use};

constinit const Condition kTranslation{translates, "a model that translates", text_data_kind};

constinit const Condition kPairedVocabularies{[](const Config& config) { return translates(config) && learns(config); },
                                              "two vocabularies to learn", vocabularies_in_use};

constinit const Condition kLearnedTokenizer{learns, "tokenizers to learn", tokenizer_in_use};

constinit const Condition kLearnedSubwords{[](const Config& config) { return learns(config) && has_subwords(config); },
                                           "subwords to learn (tokenizer unigram or bpe)", tokenizer_in_use};

constinit const Condition kLearnedWords{
    [](const Config& config) {
      return learns(config) && !is_one_of(config.tokenizer.kind, {"unigram", "bpe", kChosenKind});
    },
    "words or characters to learn (tokenizer word or char)", tokenizer_in_use};

constinit const Condition kSubwords{has_subwords, "tokenizer unigram or bpe", tokenizer_in_use};

constinit const Condition kUnigramSampling{[](const Config& config) {
                                             return config.tokenizer.sampled && has_subwords(config) &&
                                                    config.tokenizer.kind != "bpe";
                                           },
                                           "subword-sampling with tokenizer unigram", sampling_in_use};

constinit const Condition kBpeSampling{[](const Config& config) {
                                         return config.tokenizer.sampled && has_subwords(config) &&
                                                config.tokenizer.kind != "unigram";
                                       },
                                       "subword-sampling with tokenizer bpe", sampling_in_use};

constinit const Condition kCorpusFiles{reads_files, "files to train on", phrasebook_in_use};

constinit const Condition kTrainingFiles{[](const Config& config) { return !config.data.train.empty(); },
                                         "files to train on", phrasebook_in_use};

constinit const Condition kPairFiles{[](const Config& config) { return translates(config) && reads_files(config); },
                                     "files of sentence pairs to train on", pairs_in_use};

constinit const Condition kPhrasebook{[](const Config& config) { return config.data.train.empty(); },
                                      "a training on the built-in phrasebook", files_in_use};

constinit const Condition kSentences{[](const Config& config) { return data_kind_of(config) != DataKind::kText; },
                                     "a model of sentences", running_text};

constinit const Condition kGuided{is_guided, "guided-alignment", guidance_in_use};

constinit const Condition kGuidedTransformer{
    [](const Config& config) { return is_guided(config) && !is_recurrent(config); },
    "guided-alignment of a transformer", guidance_in_use};

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

}  // namespace option_table

}  // namespace dhyan
