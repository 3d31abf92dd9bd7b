#pragma once

#include <functional>
#include <optional>
#include <span>

#include "runs/corpora.h"
#include "runs/training_pictures.h"
#include "training/held_out.h"
#include "translator/evaluation.h"

namespace dhyan {

// The held-out data of a validation.
struct ValidationData {
  std::span<const Batch> batches;  // for the loss; must outlive the validator
  TestSet set;                     // to translate; empty for models that do not translate
};

// The held-out sentences that validations translate, up to the number in the config, with gold alignments if there are
// any; for captions, the held-out pictures with all their captions. DataError for alignments that do not fit. `poll` is
// called while reading.
TestSet validation_set(const Config& config, std::span<const CorpusInput> corpora, const TrainingPictures& pictures,
                       const std::function<void()>& poll = {});

// Whether the only translations that a validation scores are texts, which ranks share out; rank 0 measures all else.
bool shares_translations(const Config& config);

// Measures a model on held-out data during training.
class Validator {
 public:
  // The model must outlive it. ConfigError for a metric that model or data do not allow.
  // With `ranks` measuring is collective, and all get the metrics; ranks other than 0 need no references.
  Validator(const Config& config, const Model& model, const TokenizerPair& tokenizers, ValidationData data,
            Communicator* ranks = nullptr);

  // Measures with the current weights. The result does not depend on the number of threads. If weights are NaN, so are
  // the metrics, and there are no samples. `poll` is called often, from several threads at once, and may throw to stop.
  Validation operator()(ThreadPool& pool, const std::function<void()>& poll = {});

 private:
  bool wants(std::string_view metric) const;
  void check_metrics(const Config& config) const;
  Validation on_ranks(ThreadPool& pool, const std::function<void()>& poll);
  std::optional<std::vector<std::string>> shared_translations(const Workers& workers) const;
  void load_weights();
  void add_text(Validation& found, const Workers& workers, const std::vector<std::string>* translations);
  Validation without_text(Validation found) const;
  void add_scores(Validation& found, const Workers& workers, const std::vector<std::string>* translations) const;
  void add_samples(Validation& found, const Workers& workers) const;

  ValidationConfig config_;
  const Model& model_;
  ValidationData data_;
  Communicator* ranks_;
  bool shares_text_ = false;
  std::unique_ptr<Translator> translator_;  // null if validation does not translate
  Model* copy_ = nullptr;                   // the translator's model, which receives the weights
  std::vector<std::size_t> sampled_;        // numbers of sentences in the set
};

}  // namespace dhyan
