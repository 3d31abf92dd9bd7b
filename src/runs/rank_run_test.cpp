// Whole trainings on several ranks, which are threads of this test.

#include <fstream>
#include <gtest/gtest.h>
#include <thread>

#include "core/testing/temporary_folder.h"
#include "distributed/in_process_network.h"
#include "interop/safetensors.h"
#include "kernels/simd/runtime.h"
#include "runs/rank_training.h"
#include "runs/testing/tiny_run.h"

namespace dhyan {
namespace {

std::string content(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::string tensors_of(const std::filesystem::path& path) {
  const SafetensorsFile file(path);
  return {reinterpret_cast<const char*>(file.data().data()), file.data().size()};
}

struct Losses final : RunObserver {
  std::vector<double> values;
  void on_interval(const IntervalEvent& event) override { values.push_back(event.loss); }
  void on_validation(const ValidationEvent& event) override {
    for (const NamedScore& metric : event.metrics) values.push_back(metric.value);
  }
};

std::vector<double> train_alone(const Config& config, const std::filesystem::path& folder) {
  Losses losses;
  TrainingRun run(config, {.folder = folder, .threads = 2}, losses);
  run.run([] { return false; });
  return losses.values;
}

std::vector<double> train_on_ranks(int size, const Config& config, const std::filesystem::path& folder,
                                   Existing existing = Existing::kRefuse) {
  InProcessNetwork network(size);
  Losses losses;
  std::vector<std::thread> threads;
  for (int rank = 0; rank < size; ++rank) {
    threads.emplace_back([&, rank] {
      kernels::prepare_thread();
      Communicator communicator(network.transport(rank));
      const Ranks ranks{communicator};
      RunObserver nobody;
      try {
        // Other ranks learn everything from rank 0.
        TrainingRun run(rank == 0 ? config : Config(),
                        {.folder = folder, .existing = existing, .threads = 1 + rank % 2, .ranks = &ranks},
                        rank == 0 ? static_cast<RunObserver&>(losses) : nobody);
        run.run([] { return false; });
        communicator.finish();
      } catch (const std::exception& error) {
        ADD_FAILURE() << "rank " << rank << ": " << error.what();
        communicator.fail(error.what());
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  return losses.values;
}

TEST(RankRuns, TrainEveryKindOfModelToTheSameBytes) {
  const TinyCorpus corpus;
  for (const ModelKind& kind : model_kinds()) {
    SCOPED_TRACE(kind.name);
    Config config = corpus.config();
    config.model = kind.name;
    config.common.attention = {.score = "additive", .heads = 2};
    config.transformer.feed_forward = 12;
    config.transformer.longest = 16;
    config.tokenizer.shared = true;
    config.training.max_epochs = 1;
    config.training.max_steps = 5;
    if (kind.data_kind == DataKind::kPairs) {
      config.validation.metrics = {"bleu"};
    } else {
      config.data.train.resize(1);
      config.data.valid.resize(1);
    }
    const std::filesystem::path one = corpus.path(cat(kind.name, "-1")), many = corpus.path(cat(kind.name, "-3"));
    EXPECT_EQ(train_alone(config, one), train_on_ranks(3, config, many));
    EXPECT_EQ(content(one / "model.safetensors"), content(many / "model.safetensors"));
    EXPECT_EQ(tensors_of(one / "training/state.safetensors"), tensors_of(many / "training/state.safetensors"));
  }
}

TEST(RankRuns, ResumeOnOtherRanks) {
  const TinyCorpus corpus;
  Config config = corpus.config();
  config.training.max_epochs = 3;
  train_alone(config, corpus.path("straight"));
  config.training.max_epochs = 1;
  train_on_ranks(2, config, corpus.path("stopped"));
  config.training.max_epochs = 2;
  train_on_ranks(3, config, corpus.path("stopped"), Existing::kResume);
  config.training.max_epochs = 3;
  train_on_ranks(2, config, corpus.path("stopped"), Existing::kResume);
  EXPECT_EQ(content(corpus.path("straight/model.safetensors")), content(corpus.path("stopped/model.safetensors")));
}

TEST(RankTrainingFiles, AreSentToRanksThatDoNotSeeThem) {
  const TinyCorpus corpus;
  Config config = corpus.config();
  train_alone(config, corpus.path("model"));
  const TokenizerPair tokenizers = load_tokenizers(config.tokenizer, corpus.path("model"));
  const TemporaryFolder caches, own;
  std::string large;
  for (int i = 0; i < 30'000'000; ++i) large += static_cast<char>(i * 7 + i / 4096);
  caches.write("train-0.tokens", large);
  caches.write("valid-0.tokens", "");
  InProcessNetwork network(2);
  const std::vector<CorpusInput> train{{.name = "a and b", .weight = 2, .fingerprint = 7, .open = {}, .aligned = true}};
  const std::vector<std::string> translated{"एक", "two"};
  std::thread first([&] {
    Communicator ranks(network.transport(0));
    RunObserver nobody;
    share_training(ranks, {config, tokenizers, train, {}, caches.path(), translated, PreparedTraining::Send::kAll},
                   nobody);
    ranks.finish();
  });
  Communicator ranks(network.transport(1));
  const ReceivedTraining received = receive_training(ranks, own.path(), {});
  ranks.finish();
  first.join();
  EXPECT_EQ(own.read("train-0.tokens") == large, true);
  EXPECT_TRUE(std::filesystem::exists(own.path("valid-0.tokens")));
  EXPECT_EQ(received.caches, own.path());
  EXPECT_EQ(received.translated, translated);
  ASSERT_EQ(received.train.size(), 1U);
  EXPECT_EQ(received.train[0].name, "a and b");
  EXPECT_EQ(received.train[0].fingerprint, 7U);
  EXPECT_EQ(load_tokenizers(received.config.tokenizer, received.tokenizers).source->fingerprint(),
            tokenizers.source->fingerprint());
  EXPECT_THROW(received.train[0].open(), DataError);
}

}  // namespace
}  // namespace dhyan
