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
#include "runs/training_pictures.h"

namespace dhyan {

struct CorpusFacts {
  std::string name;
  double weight = 1;
  CacheCounts counts;
};

const char* unit_of(DataKind data_kind);  // "pair", "caption" or "line"

struct TrainingSources {
  std::span<const CorpusInput> train, valid;
  std::filesystem::path tokenizers;    // folder to load them from; empty: learn them
  std::filesystem::path caches;        // folder for token caches
  SizeOf size = SizeOf::kUser;         // who chose the vocabulary size
  std::filesystem::path resumed = {};  // folder of the training to resume; empty: a new training
  ThreadPool* pool = nullptr;          // for decoding pictures
  std::function<void()> poll = {};     // called often, from several threads at once; may throw to stop
};

// Prepared corpora: learns or loads the tokenizers, tokenises, and makes batches.
class TrainingData {
 public:
  // DataError for a corpus with nothing to train on.
  TrainingData(const Config& config, const TrainingSources& sources, int threads, RunObserver& observer);

  const TokenizerPair& tokenizers() const { return tokenizers_; }
  BatchStream& batches() { return *batches_; }                                      // endless, for training
  std::span<const Batch> validation() const { return validation_; }                 // all held-out data, once
  const TrainingPictures& held_out_pictures() const { return held_out_pictures_; }  // of captions
  const std::vector<CorpusFacts>& train() const { return train_; }
  const std::vector<CorpusFacts>& valid() const { return valid_; }
  Index epoch_tokens() const;  // target tokens, approximately

 private:
  enum class Purpose { kTrain, kValidate };
  struct Reading;

  TrainingPictures pictures(std::span<const CorpusInput> corpora, const Reading& reading) const;
  BatchStream open(std::span<const CorpusInput> corpora, const TrainingPictures& shown, Purpose purpose,
                   const Reading& reading);
  TrainingCorpus drawn(const CorpusInput& corpus, GridShape grid, Purpose purpose, const Reading& reading);
  TrainingCorpus tokenise(const CorpusInput& corpus, Purpose purpose, const std::filesystem::path& cache,
                          std::shared_ptr<const Tokenizer> names, const Reading& reading);
  BatchStream stream(std::vector<TrainingCorpus> corpora, std::shared_ptr<const PictureSource> pictures,
                     const Config& config) const;

  DataKind data_kind_;
  TokenizerPair tokenizers_;
  std::vector<CorpusFacts> train_, valid_;
  std::unique_ptr<BatchStream> batches_;
  std::vector<Batch> validation_;
  TrainingPictures held_out_pictures_;
};

}  // namespace dhyan
