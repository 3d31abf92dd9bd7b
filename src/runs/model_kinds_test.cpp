#include "config/model_kinds.h"

#include <gtest/gtest.h>

#include "core/testing/thrown.h"
#include "runs/readme.h"
#include "runs/testing/tiny_run.h"
#include "translator/translator.h"

namespace dhyan {
namespace {

Config config_of(const ModelKind& kind, const TinyCorpus& corpus) {
  Config config = corpus.config();
  config.model = kind.name;
  config.common.attention = {.score = "additive", .heads = 2};
  config.transformer.feed_forward = 12;
  config.transformer.longest = 16;
  config.tokenizer.shared = true;
  config.training.max_epochs = 2;
  if (kind.data_kind == DataKind::kPairs) return config;
  config.data.train.resize(1);
  config.data.valid.resize(1);
  return config;
}

TEST(ModelKinds, CanAllBeTrainedSavedAndLoaded) {
  const TinyCorpus corpus;
  for (const ModelKind& kind : model_kinds()) {
    SCOPED_TRACE(kind.name);
    RunObserver nobody;
    const std::filesystem::path folder = corpus.path(kind.name);
    TrainingRun run(config_of(kind, corpus), {.folder = folder}, nobody);
    run.run([] { return false; });
    ASSERT_GE(run.facts().held_out.size(), 2U);
    EXPECT_LT(run.facts().held_out.front().value, 4);  // nats; log of the vocabulary is less

    const LoadedModel loaded = load_model(folder);
    EXPECT_EQ(loaded.model->parameters().element_count(), run.facts().weights);
    EXPECT_GE(static_cast<double>(run.facts().weights), kind.least_weights(loaded.config, loaded.tokenizers));
    const bool translates = dynamic_cast<const TranslationModel*>(loaded.model.get()) != nullptr;
    EXPECT_EQ(translates, kind.data_kind == DataKind::kPairs);
    EXPECT_TRUE(translates || loaded.tokenizers.shared());
    for (const std::string& command : what_to_type(loaded.config, "m")) EXPECT_NE(command.find("-m m"), command.npos);
  }
}

TEST(ModelKinds, RefuseUnsupportedOptions) {
  const TinyCorpus corpus;
  const auto refusal = [&](std::string_view kind, auto&& change) {
    return thrown<ConfigError>([&] {
      Config config = corpus.config();
      config.model = kind;
      change(config);
      check(config);
    });
  };
  EXPECT_EQ(refusal("decoder-only", [](Config&) {}),
            "a decoder-only model reads both languages; expected shared-vocabulary true");
  const auto few_positions = [](Config& config) {
    config.transformer.positions = "learned";
    config.transformer.longest = 101;
    config.tokenizer.shared = true;
    config.data.max_length = 101;
  };
  EXPECT_EQ(refusal("transformer", few_positions),
            "context-length is 101, too few learned positions for max-length 101 and </s>; expected 102 or more");
  EXPECT_EQ(refusal("decoder-only", few_positions),
            "context-length is 101, too few learned positions for max-length 101 and </s>; expected 204 or more");
  EXPECT_EQ(refusal("language-model",
                    [](Config& config) {
                      config.transformer.longest = 64;
                      config.training.batch.max_tokens = 63;
                    }),
            "context-length is 64 and batch-tokens 63; expected a batch that holds a stretch of text");
  EXPECT_EQ(refusal("language-model", [](Config& config) { config.common.attention.window = "local-p"; }),
            "window is local-p, which needs a sentence whose end is known; this model has none");
  EXPECT_NE(refusal("transformer", [](Config& config) { config.common.attention.heads = 3; }), "");
  EXPECT_NE(refusal("transformers", [](Config&) {}), "");
}

// Learned positions have a maximum: sources are cut to it, and translations end before it.
TEST(ModelKinds, TranslateWithinTheMaximumPosition) {
  const TinyCorpus corpus;
  Config config = corpus.config();
  config.model = "transformer";
  config.common.attention = {.score = "scaled_dot", .heads = 2};
  config.transformer.positions = "learned";
  config.transformer.longest = 4;
  config.data.max_length = 3;
  RunObserver nobody;
  TrainingRun run(config, {.folder = corpus.path("model")}, nobody);
  run.run([] { return true; });
  const Translator translator{std::filesystem::path(corpus.path("model"))};
  const std::vector<std::string> lines{"एक दो तीन चार पाँच एक", "एक"};
  const auto translations = translator.translate(lines, {.beam_size = 2, .max_length_ratio = 50});
  EXPECT_TRUE(translations[0].front().source_cut);
  EXPECT_EQ(std::ssize(translations[0].front().source_tokens), 4);
  for (const auto& list : translations) EXPECT_LE(std::ssize(list.front().hypothesis.tokens), 4);
}

}  // namespace
}  // namespace dhyan
