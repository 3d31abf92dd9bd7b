#include "translator/options.h"

#include "attention/windows.h"
#include "data/phrasebook.h"
#include "nn/feed_forward.h"
#include "nn/positions.h"
#include "translator/model_kinds.h"
#include "translator/option_kinds.h"

namespace dhyan {

namespace {

using namespace option_kinds;

// Ways into Config.
constexpr auto model = [](auto member) { return path(&Config::recurrent, member); };
constexpr auto transformer = [](auto member) { return path(&Config::transformer, member); };
constexpr auto attention = [](auto member) { return path(&Config::recurrent, &RecurrentConfig::attention, member); };
constexpr auto tokenizer = [](auto member) { return path(&Config::tokenizer, member); };
constexpr auto learned = [](auto member) { return path(&Config::tokenizer, &TokenizerConfig::settings, member); };
constexpr auto sampling = [](auto member) { return path(&Config::tokenizer, &TokenizerConfig::sampling, member); };
constexpr auto data = [](auto member) { return path(&Config::data, member); };
constexpr auto training = [](auto member) { return path(&Config::training, member); };
constexpr auto batch = [](auto member) { return path(&Config::training, &TrainingOptions::batch, member); };
constexpr auto loss = [](auto member) { return path(&Config::training, &TrainingOptions::loss, member); };
constexpr auto optimizer = [](auto m) { return path(&Config::training, &TrainingOptions::optimizer_settings, m); };
constexpr auto schedule = [](auto m) { return path(&Config::training, &TrainingOptions::schedule_settings, m); };

constexpr double kHuge = 1e9;
constexpr Index kWidest = 1 << 16, kMany = Index{1} << 40;

constexpr std::array kDirections{Choice{"forward", Directions::kForward}, Choice{"both", Directions::kBoth}};
constexpr std::array kContexts{Choice{"none", ContextKind::kNone}, Choice{"fixed", ContextKind::kFixed},
                               Choice{"attention", ContextKind::kAttention}};
constexpr std::array kTimings{Choice{"before", Timing::kBefore}, Choice{"after", Timing::kAfter}};
constexpr std::array kOutputs{Choice{"maxout", OutputKind::kMaxout}, Choice{"tanh", OutputKind::kTanh}};
constexpr std::array kNormPlaces{Choice{"before", NormPlace::kBefore}, Choice{"after", NormPlace::kAfter}};
constexpr std::array kTyings{Choice{"none", Tying::kNone}, Choice{"decoder", Tying::kDecoder},
                             Choice{"all", Tying::kAll}};
constexpr std::array kOverlong{Choice{"drop", Overlong::kDrop}, Choice{"cut", Overlong::kCut}};

std::vector<Option> model_options() {
  return {
      word("model", "Kind of model", names_of(model_kinds()), path(&Config::model)),
      word("cell", "Recurrent cell of encoder and decoder", names_of(cells()), model(&RecurrentConfig::cell)),
      number("embedding", "Width of the word vectors of a recurrent model", {1, kWidest},
             model(&RecurrentConfig::embedding)),
      number("hidden", "Units of each layer; of a recurrent one in each direction", {1, kWidest},
             model(&RecurrentConfig::hidden)),
      number("encoder-layers", "Layers of the encoder", {1, 64}, model(&RecurrentConfig::encoder_layers)),
      number("decoder-layers", "Layers of the decoder", {1, 64}, model(&RecurrentConfig::decoder_layers)),
      choice("directions", "Directions the encoder reads in", kDirections, model(&RecurrentConfig::directions)),
      choice("readout", "Layer under the output weight: deep output with maxout, or tanh", kOutputs,
             model(&RecurrentConfig::output)),
      number("readout-hidden", "Its width", {1, kWidest}, model(&RecurrentConfig::output_hidden)),
      choice("tie-embeddings", "Tables that are one: the decoder's two, or those and the encoder's", kTyings,
             model(&RecurrentConfig::tying)),
      number("dropout", "Share of units dropped in training", {0, 0.99}, model(&RecurrentConfig::dropout)),
      toggle("layer-norm", "Normalise layers", model(&RecurrentConfig::layer_norm)),
      toggle("residual", "Add a layer's input to its output", model(&RecurrentConfig::residual)),
  };
}

std::vector<Option> transformer_options() {
  return {
      number("feed-forward", "Width of the feed-forward layers", {1, kWidest},
             transformer(&TransformerConfig::feed_forward)),
      word("activation", "Of the feed-forward layers", names_of(activations()),
           transformer(&TransformerConfig::activation)),
      choice("norm", "Normalise before each sublayer, or after it", kNormPlaces, transformer(&TransformerConfig::norm)),
      word("positions", "How a word knows where it stands", names_of(position_encodings()),
           transformer(&TransformerConfig::positions)),
      number("context-length", "Of language models: tokens of a stretch of text; of learned positions: how many",
             {1, 1 << 20}, transformer(&TransformerConfig::longest)),
      number("feed-forward-dropout", "Share of units of the feed-forward layers dropped in training", {0, 0.99},
             transformer(&TransformerConfig::feed_forward_dropout)),
  };
}

std::vector<Option> attention_options(const AttentionTables& tables) {
  return {
      choice("context", "What the decoder sees of the source: a start, one fixed vector, or attention", kContexts,
             model(&RecurrentConfig::context)),
      choice("timing", "Attend before the decoder's state is updated, or after", kTimings,
             model(&RecurrentConfig::timing)),
      word("score", "How a query and a key are compared", names_of(tables.scores), attention(&AttentionConfig::score)),
      word("window", "Where a query may look", names_of(tables.windows), attention(&AttentionConfig::window)),
      number("heads", "Attentions side by side", {1, 256}, attention(&AttentionConfig::heads)),
      number("attention-hidden", "Units of scores with a layer of their own; 0: as many as the query has", {0, kWidest},
             attention(&AttentionConfig::hidden)),
      number("attention-radius", "How far local windows reach to each side", {1, 1 << 20},
             attention(&AttentionConfig::radius)),
      number("attention-longest", "Positions the location score knows", {1, 1 << 16},
             attention(&AttentionConfig::longest)),
      number("attention-dropout", "Share of attention weights dropped in training", {0, 0.99},
             attention(&AttentionConfig::dropout)),
      toggle("input-feeding", "Give the attentional state to the next step (timing after)",
             model(&RecurrentConfig::input_feeding)),
  };
}

std::vector<Option> tokenizer_options() {
  return {
      word("tokenizer", "What a token is", names_of(tokenizer_kinds()), tokenizer(&TokenizerConfig::kind)),
      toggle("shared-vocabulary", "One vocabulary for both languages", tokenizer(&TokenizerConfig::shared)),
      number("vocabulary-size", "Tokens of a vocabulary at most; a small corpus may give fewer", {5, 1 << 24},
             learned(&TokenizerOptions::vocabulary_size)),
      number("min-count", "Words, characters: rarer ones are unknown", {1, 1 << 30},
             learned(&TokenizerOptions::min_count)),
      number("character-coverage", "Subwords: share of all characters that get pieces", {0.98, 1},
             learned(&TokenizerOptions::character_coverage)),
      toggle("byte-fallback", "Subwords: spell in bytes what has no piece", learned(&TokenizerOptions::byte_fallback)),
      number("tokenizer-lines", "Subwords: learn from so many lines; 0: from all", {0, kMany},
             learned(&TokenizerOptions::sample_lines)),
      toggle("subword-sampling", "Subwords: cut a line in another way each time it comes up",
             tokenizer(&TokenizerConfig::sampled)),
      number("subword-alpha", "Of sampling, unigram: 0 all cuts alike, large the best one", {0, kHuge},
             sampling(&SubwordSampling::alpha)),
      number("subword-dropout", "Of sampling, bpe: share of merges left out", {0, 1},
             sampling(&SubwordSampling::dropout)),
      word("tokenizer-from", "Folder of a model whose tokenizers to take instead of learning them", {},
           tokenizer(&TokenizerConfig::from)),
  };
}

std::vector<Option> data_options() {
  return {
      words("train",
            "Corpora to train on: two parallel files, a TSV or a TMX file each, of language models plain texts; none: "
            "the "
            "phrasebook",
            data(&DataConfig::train)),
      numbers("train-weights", "How often an epoch holds each pair of a corpus; one number a corpus", {0, 1e6},
              data(&DataConfig::weights)),
      words("valid", "Pairs to validate on, likewise", data(&DataConfig::valid)),
      word("phrasebook", "Built-in corpus to use where no file is named", phrasebook_names(),
           data(&DataConfig::phrasebook)),
      choice("format", "What the files are; auto tells by names and first bytes", kCorpusFormats,
             data(&DataConfig::format)),
      choice("on-bad-utf8", "What to do with a line that is not UTF-8", kOnBadUtf8, data(&DataConfig::on_bad_utf8)),
      choice("on-bad-lines", "What to do with a TSV line that has not exactly one tab", kOnBadColumns,
             data(&DataConfig::on_bad_columns)),
      word("source-lang", "Language to take from TMX as the source", {}, data(&DataConfig::source_language)),
      word("target-lang", "Language to take from TMX as the target", {}, data(&DataConfig::target_language)),
      number("max-length", "Longest side of a pair, or line of a masked language model, in tokens", {1, 1 << 16},
             data(&DataConfig::max_length)),
      choice("too-long", "What to do with a longer pair", kOverlong, data(&DataConfig::overlong)),
  };
}

std::vector<Option> training_options() {
  return {
      number("batch-tokens", "Tokens of either side in a batch at most", {1, kMany}, batch(&BatchLimits::max_tokens)),
      number("batch-sentences", "Pairs, or stretches of text, in a batch at most", {1, kMany},
             batch(&BatchLimits::max_sentences)),
      number("shards", "Parts of a batch that threads take; the result depends on it, not on the threads", {1, 1024},
             training(&TrainingOptions::shards)),
      number("label-smoothing", "Probability given to all words alike", {0, 0.99}, loss(&LossOptions::label_smoothing)),
      number("scheduled-sampling", "How often the decoder is fed its own word", {0, 1}, loss(&LossOptions::sampled)),
      number("clip-norm", "Longest gradient; 0: any", {0, kHuge}, training(&TrainingOptions::clip_norm)),
      number("seed", "Another seed, other weights and another order", {0, ~std::uint64_t{0}},
             training(&TrainingOptions::seed)),
      number("max-epochs", "Stop after so many passes over the data; 0: no limit", {0, kMany},
             training(&TrainingOptions::max_epochs)),
      number("max-steps", "Stop after so many steps; 0: no limit", {0, kMany}, training(&TrainingOptions::max_steps)),
      number("max-minutes", "Stop after so much time; 0: no limit", {0, kHuge},
             training(&TrainingOptions::max_minutes)),
      number("patience", "Stop after so many validations without a better held-out loss; 0: never", {0, kMany},
             training(&TrainingOptions::patience)),
      number("validate-steps", "Validate every so many steps; 0: after every epoch", {0, kMany},
             training(&TrainingOptions::validate_steps)),
      number("report-steps", "Write a line of the log every so many steps", {1, kMany},
             training(&TrainingOptions::report_steps)),
      number("average", "At the end try the mean of so many of the best checkpoints; 0: do not", {0, 64},
             training(&TrainingOptions::average)),
  };
}

std::vector<Option> optimizer_options() {
  return {
      word("optimizer", "How weights follow their gradients", names_of(optimizers()),
           training(&TrainingOptions::optimizer)),
      number("momentum", "Of sgd", {0, 0.9999}, optimizer(&OptimizerOptions::momentum)),
      number("rho", "Of adadelta", {0, 0.9999}, optimizer(&OptimizerOptions::rho)),
      number("beta1", "Of adam and adamw", {0, 0.9999}, optimizer(&OptimizerOptions::beta1)),
      number("beta2", "Of adam and adamw", {0, 0.99999}, optimizer(&OptimizerOptions::beta2)),
      optional_number("epsilon", "Of adadelta (1e-6), adam and adamw (1e-8)", {0, 1},
                      optimizer(&OptimizerOptions::epsilon)),
      optional_number("weight-decay", "Of all optimizers (0; adamw 0.01)", {0, 1},
                      optimizer(&OptimizerOptions::weight_decay)),
      word("schedule", "How the learning rate changes", names_of(schedules()), training(&TrainingOptions::schedule)),
      number("learning-rate", "The largest", {1e-12, 1e3}, schedule(&ScheduleOptions::learning_rate)),
      number("warmup-steps", "Up to it the rate grows", {0, kMany}, schedule(&ScheduleOptions::warmup_steps)),
      number("total-steps", "Of cosine: when the rate is down", {0, kMany}, schedule(&ScheduleOptions::total_steps)),
      number("final-rate", "Of cosine and plateau: the smallest rate", {0, 1e3},
             schedule(&ScheduleOptions::final_rate)),
      number("decay-factor", "Of plateau and epoch-decay: what the rate is multiplied with", {1e-6, 0.999999},
             schedule(&ScheduleOptions::factor)),
      number("decay-patience", "Of plateau: validations without progress that are borne", {0, kMany},
             schedule(&ScheduleOptions::patience)),
      number("decay-threshold", "Of plateau: progress is to fall by more than this share", {0, 0.999},
             schedule(&ScheduleOptions::threshold)),
      number("decay-after", "Of epoch-decay: epochs at the full rate", {1, kMany},
             schedule(&ScheduleOptions::decay_after)),
  };
}

}  // namespace

std::vector<Option> make_options(const AttentionTables& tables) {
  struct Group {
    const char* name;
    std::vector<Option> options;
  };
  std::vector<Option> all;
  for (Group& group : std::vector<Group>{{"Model", model_options()},
                                         {"Transformer", transformer_options()},
                                         {"Attention", attention_options(tables)},
                                         {"Tokenizers", tokenizer_options()},
                                         {"Data", data_options()},
                                         {"Training", training_options()},
                                         {"Optimizer", optimizer_options()}}) {
    for (Option& option : group.options) {
      option.group = group.name;
      all.push_back(std::move(option));
    }
  }
  return all;
}

std::span<const Option> options() {
  static const std::vector<Option> table = make_options();
  return table;
}

}  // namespace dhyan
