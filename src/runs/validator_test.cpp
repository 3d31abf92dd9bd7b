#include "runs/validator.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>

#include "core/error.h"
#include "core/testing/thrown.h"
#include "runs/testing/tiny_run.h"

namespace dhyan {
namespace {

// Records the results of validations.
struct Watcher final : RunObserver {
  void on_validation(const ValidationEvent& event) override {
    metrics.emplace_back(event.metrics.begin(), event.metrics.end());
    samples.assign(event.samples.begin(), event.samples.end());
  }
  std::vector<std::vector<NamedScore>> metrics;
  std::vector<SampleTranslation> samples;
};

class Validations : public testing::Test {
 protected:
  Watcher train(const std::string& name = "model", int threads = 1) {
    Watcher watcher;
    TrainingRun run(config_, {.folder = corpus_.path(name), .existing = Existing::kOverwrite, .threads = threads},
                    watcher);
    run.run([] { return false; });
    return watcher;
  }
  std::string refusal() {
    return thrown<ConfigError>([&] { train(); });
  }
  static std::vector<std::string> names(const std::vector<NamedScore>& metrics) {
    std::vector<std::string> all;
    for (const NamedScore& metric : metrics) all.push_back(metric.name);
    return all;
  }

  TinyCorpus corpus_;
  Config config_ = corpus_.config();
};

TEST_F(Validations, ComputeTheConfiguredMetrics) {
  config_.validation.metrics = {"bleu", "chrf", "aer"};
  config_.validation.alignments = corpus_.folder().write("gold", "0-0 1-1 2-2\n0-0 1-1\n");
  config_.validation.samples = 0;
  const Watcher watcher = train();
  ASSERT_EQ(watcher.metrics.size(), 3u);
  EXPECT_EQ(names(watcher.metrics.back()), (std::vector<std::string>{"loss", "perplexity", "bleu", "chrf", "aer"}));
  EXPECT_TRUE(watcher.samples.empty());
  const double aer = value_of(watcher.metrics.back(), "aer");
  EXPECT_GE(aer, 0);
  EXPECT_LE(aer, 1);
  EXPECT_EQ(train("two", 2).metrics, watcher.metrics) << "on any number of threads";
}

TEST_F(Validations, ComputeAerIfThereAreGoldAlignmentsAndAttention) {
  complete(config_);
  EXPECT_TRUE(config_.validation.metrics.empty());
  config_.validation.alignments = "gold";
  complete(config_);
  complete(config_);
  EXPECT_EQ(config_.validation.metrics, std::vector<std::string>{"aer"});
  config_.validation.metrics.clear();
  config_.recurrent.context = ContextKind::kFixed;
  complete(config_);
  EXPECT_TRUE(config_.validation.metrics.empty());
}

TEST_F(Validations, TranslateAFewSampleSentences) {
  config_.validation.samples = 5;
  const Watcher watcher = train();
  EXPECT_EQ(names(watcher.metrics.back()), (std::vector<std::string>{"loss", "perplexity", "attention_entropy_nats"}));
  ASSERT_EQ(watcher.samples.size(), 2u) << "as many as there are";
  const SampleTranslation& sample = watcher.samples.front();
  EXPECT_EQ(sample.source, (std::vector<std::string>{"एक", "दो", "हैं", "</s>"}));
  EXPECT_EQ(sample.reference, "one two are");
  ASSERT_EQ(sample.weights.size(), sample.translation.size());
  for (const std::vector<double>& row : sample.weights) {
    ASSERT_EQ(row.size(), 4u);
    double sum = 0;
    for (const double weight : row) sum += weight;
    EXPECT_NEAR(sum, 1, 1e-5);
  }
  const double entropy = watcher.metrics.back().back().value;
  EXPECT_GT(entropy, 0);
  EXPECT_LE(entropy, std::log(4.0) + 1e-6) << "of at most four places";
}

TEST_F(Validations, LeaveItToTheTrainerToStopOnNanWeights) {
  config_.validation.metrics = {"bleu", "chrf"};
  config_.training.stop_on = "bleu";
  config_.training.optimizer = "sgd";
  config_.training.schedule = "constant";
  config_.training.schedule_settings.learning_rate = std::numeric_limits<Real>::max() * Real{1e-8};
  config_.training.clip_norm = 0;
  config_.training.validate_steps = 1;
  config_.training.max_epochs = 0;
  config_.training.max_skipped = 4;
  Watcher watcher;
  TrainingRun run(config_, {.folder = corpus_.path("model")}, watcher);
  EXPECT_EQ(run.run([] { return false; }), Ended::kNotFinite);
  ASSERT_FALSE(watcher.metrics.empty());
  EXPECT_EQ(names(watcher.metrics.back()), (std::vector<std::string>{"loss", "perplexity", "bleu", "chrf"}));
  EXPECT_TRUE(std::isnan(value_of(watcher.metrics.back(), "bleu")));
  EXPECT_TRUE(watcher.samples.empty());
}

TEST_F(Validations, SelectTheBestWeightsByAnyMetric) {
  config_.validation.metrics = {"chrf"};
  config_.training.stop_on = "chrf";
  config_.training.schedule_settings.learning_rate = 0.05;
  const Watcher watcher = train();
  double best = 0;
  for (const auto& metrics : watcher.metrics) best = std::max(best, value_of(metrics, "chrf"));
  EXPECT_EQ(read_training_state(state_file(corpus_.path("model"))).kept.best.front().score, best);
}

TEST_F(Validations, RefuseImpossibleMetricsBeforeTraining) {
  config_.validation.metrics = {"aer"};
  EXPECT_EQ(refusal(), "validate-metrics has aer, and there are no gold alignments; valid-alignments names their file");
  config_.validation.alignments = corpus_.folder().write("gold", "0-0\n");
  EXPECT_EQ(thrown<DataError>([&] { train(); }), config_.validation.alignments + ": 1 line, and " +
                                                     corpus_.path("dev.hi") + " " + corpus_.path("dev.en") +
                                                     " has 2; they must have equally many");
  config_.validation.alignments.clear();
  config_.recurrent.context = ContextKind::kFixed;
  EXPECT_EQ(refusal(), "validate-metrics has aer, and the model has no cross-attention");
  config_ = corpus_.config();
  config_.data.valid.clear();
  config_.validation.metrics = {"bleu"};
  EXPECT_EQ(refusal(), "validate-metrics has bleu, and nothing is held out; --valid names a corpus");
  EXPECT_FALSE(std::filesystem::exists(corpus_.path("model")));
}

}  // namespace
}  // namespace dhyan
