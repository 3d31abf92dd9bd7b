#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "data/batch_stream.h"
#include "runs/learn_tokenizers.h"
#include "runs/run_observer.h"

namespace dhyan {

struct CorpusFacts {
  std::string name;
  double weight = 1;
  CacheCounts counts;
};

struct TrainingSources {
  std::span<const CorpusInput> train, valid;
  std::filesystem::path tokenizers;  // folder to load them from; empty: learn them
  std::filesystem::path caches;      // folder for token caches
  SizeOf size = SizeOf::kUser;       // who chose the vocabulary size
  std::function<void()> poll = {};   // called often, from several threads at once; may throw to stop
};

// Prepared corpora: learns or loads the tokenizers, tokenises, and makes batches.
class TrainingData {
 public:
  // DataError for a corpus with nothing to train on.
  TrainingData(const Config& config, const TrainingSources& sources, int threads, RunObserver& observer);

  const TokenizerPair& tokenizers() const { return tokenizers_; }
  BatchStream& batches() { return *batches_; }                       // endless, for training
  std::span<const Batch> validation() const { return validation_; }  // all held-out data, once
  const std::vector<CorpusFacts>& train() const { return train_; }
  const std::vector<CorpusFacts>& valid() const { return valid_; }
  Index epoch_tokens() const;  // target tokens, approximately

 private:
  enum class Purpose { kTrain, kValidate };
  struct Reading;

  std::vector<TrainingCorpus> tokenise(std::span<const CorpusInput> corpora, Purpose purpose, const Reading& reading);
  TrainingCorpus tokenise(const CorpusInput& corpus, Purpose purpose, const std::filesystem::path& cache,
                          const Reading& reading);
  BatchStream stream(std::vector<TrainingCorpus> corpora, const Config& config) const;

  DataKind data_kind_;
  TokenizerPair tokenizers_;
  std::vector<CorpusFacts> train_, valid_;
  std::unique_ptr<BatchStream> batches_;
  std::vector<Batch> validation_;
};

}  // namespace dhyan
