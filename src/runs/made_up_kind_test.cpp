// A kind of model that only this test defines is configured, trained and used: a table entry is enough.

#include <gtest/gtest.h>

#include "config/model_kinds.h"
#include "config/options.h"
#include "core/testing/thrown.h"
#include "models/batch_loss.h"
#include "models/decoding_workspace.h"
#include "models/scheduled_sampling.h"
#include "nn/embedding.h"
#include "runs/readme.h"
#include "runs/testing/tiny_run.h"
#include "translator/translator.h"

namespace dhyan {
namespace {

// Predicts each target word from the previous one and ignores the source.
class BigramModel final : public TranslationModel {
 public:
  BigramModel(Index V, Index H, const Rng& rng)
      : words_(parameters_, "words", V, H, {.rng = rng}), output_(add_table(parameters_, "output", {V, H}, {}, rng)) {}

  BatchLoss loss(Scope& scope, const Batch& batch, const LossOptions& options) const override {
    if (batch.target.empty()) return no_loss(scope);
    const std::vector<TokenId> inputs = training_inputs(*this, scope, batch, options);  // [ΣT]
    const auto run = [&]() -> Pass { return {words_(scope, inputs)}; };                 // [ΣT,H]
    return batch_loss(run, {scope.parameter(*output_), {}}, batch.target, options);
  }

  std::unique_ptr<Decoding> decode(const SourceBatch& source) const override;
  bool attends() const override { return false; }

  DecoderStep step(Scope& scope, const Continuation& continuation) const {
    return output_step(words_(scope, continuation.tokens), {scope.parameter(*output_), {}}, continuation);
  }

 private:
  Embedding words_;
  const Parameter* output_;
};

class BigramDecoding final : public Decoding {
 public:
  BigramDecoding(const BigramModel& model, const SourceBatch& source)
      : model_(model), sentences_(source.segments.count()), workspace_(source) {}

  Index sentences() const override { return sentences_; }
  DecoderStep step(const Continuation& continuation) override {
    workspace_.arena.reset();
    return model_.step(workspace_.scope, continuation);
  }

 private:
  const BigramModel& model_;
  Index sentences_;
  DecodingWorkspace workspace_;
};

std::unique_ptr<Decoding> BigramModel::decode(const SourceBatch& source) const {
  return std::make_unique<BigramDecoding>(*this, source);
}

constexpr LayerKind kTableOfWords{"hidden"};

void check_bigram(const Config& config) {
  if (config.common.hidden % 2 != 0) throw ConfigError("hidden is odd; expected a width that can be halved");
}

constexpr ModelKind kBigram{
    .name = "bigram",
    .description = "a table of words",
    .task = Task::kTranslate,
    .data_kind = DataKind::kPairs,
    .layers = &kTableOfWords,
    .has_encoder = false,
    .has_decoder = true,
    .attention = [](const Config&) { return AttentionUse{}; },
    .check = check_bigram,
    .least_weights = [](const Config&, const TokenizerPair&) { return 0.0; },
    .make = [](const Config& config, const TokenizerPair& tokenizers, const Rng& rng) -> std::unique_ptr<Model> {
      return std::make_unique<BigramModel>(tokenizers.target->size(), config.common.hidden, rng);
    },
    .phrasebook_pace = "max-epochs: 3",
};

std::span<const ModelKind> one_more_kind() {
  static const std::vector<ModelKind> kinds = [] {
    std::vector<ModelKind> all(model_kinds().begin(), model_kinds().end());
    all.push_back(kBigram);
    return all;
  }();
  return kinds;
}

class MadeUpKind : public testing::Test {
 protected:
  MadeUpKind() {
    config_.model = "bigram";
    config_.kinds = one_more_kind;
  }

  void set(const std::string& option, const std::string& value) const {
    const Setting setting{"--" + option, option, {value}, Origin::kCommandLine};
    expect_to_apply(config_, std::span(&setting, 1));
  }

  std::string refusal(const std::string& option, const std::string& value) const {
    return thrown<UsageError>([&] { set(option, value); });
  }

  TinyCorpus corpus_;
  Config config_ = corpus_.config();
};

TEST_F(MadeUpKind, IsAChoiceOfTheModelOptionOnlyInItsOwnTable) {
  const std::vector<Option> table = make_options({}, one_more_kind);
  Config config;
  std::ranges::find(table, "model", &Option::name)->set(config, {"--model", "model", {"bigram"}});
  EXPECT_EQ(config.model, "bigram");
  EXPECT_THROW(check(config), ConfigError) << "the built-in table does not have it";
}

TEST_F(MadeUpKind, IsCheckedByItsEntry) {
  EXPECT_NO_THROW(check(config_));
  config_.common.hidden = 7;
  EXPECT_EQ(thrown<ConfigError>([&] { check(config_); }), "hidden is odd; expected a width that can be halved");
  config_.common.hidden = 8;
  config_.validation.metrics = {"bleu"};
  EXPECT_NO_THROW(check(config_)) << "it translates";
  config_.data.guided_alignment = {"links"};
  EXPECT_EQ(thrown<ConfigError>([&] { check(config_); }),
            "guided-alignment needs a decoder that attends to the source; this model has none");
}

TEST_F(MadeUpKind, RefusesOptionsThatItsCapabilitiesRuleOut) {
  EXPECT_NO_THROW(set("hidden", "8"));
  EXPECT_NO_THROW(set("decoder-layers", "1"));
  EXPECT_NO_THROW(set("max-length", "9"));
  EXPECT_EQ(refusal("cell", "gru"), "--cell needs a recurrent model; model is bigram, which has hidden instead");
  EXPECT_EQ(refusal("norm", "after"),
            "--norm needs a model of self-attention layers; model is bigram, which has hidden instead");
  EXPECT_EQ(
      refusal("encoder-layers", "1"),
      "--encoder-layers needs a model with an encoder of layers; model is bigram, which has decoder-layers alone");
  EXPECT_EQ(refusal("score", "dot"), "--score needs a model with attention; model is bigram, which has no attention");
  EXPECT_EQ(refusal("context-length", "8"),
            "--context-length needs a language model or learned positions; model is bigram, which has hidden instead");
}

TEST_F(MadeUpKind, TrainsAndTranslates) {
  config_.validation.metrics = {"bleu"};
  config_.common.dropout = 0;
  config_.training.max_epochs = 30;
  RunObserver nobody;
  TrainingRun run(config_, {.folder = corpus_.path("model")}, nobody);
  run.run([] { return false; });
  ASSERT_EQ(run.facts().held_out.size(), 3U) << "loss, perplexity and bleu of translations";
  EXPECT_LT(run.facts().held_out.front().value, 1.5);  // nats; log of the vocabulary is 2.3
  for (const std::string& command : what_to_type(run.config(), "m")) EXPECT_NE(command.find("-m m"), command.npos);

  TokenizerPair tokenizers = load_tokenizers("word", corpus_.path("model"));
  std::unique_ptr<Model> model = make_model(config_, tokenizers, Rng(1));
  EXPECT_EQ(model->parameters().element_count(), run.facts().weights);
  const Translator translator(LoadedModel{config_, tokenizers, std::move(model)});
  const std::vector<std::string> lines{"एक दो हैं"};
  EXPECT_FALSE(translator.translate(lines, {.beam_size = 2, .max_length_ratio = 2}).front().empty());
}

}  // namespace
}  // namespace dhyan
