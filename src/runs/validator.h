#pragma once

#include <functional>
#include <span>

#include "runs/corpora.h"
#include "training/held_out.h"
#include "translator/evaluation.h"

namespace dhyan {

// What a validation is made of.
struct ValidationData {
  std::span<const Batch> batches;  // for the loss; must outlive the validator
  TestSet set;                     // to translate; empty for models that do not
};

// The sentences that validations translate: those held out, at most as many as the config says, with their gold
// alignments if there are such. DataError for alignments that do not fit. `poll` is called while they are read.
TestSet validation_set(const Config& config, std::span<const CorpusInput> corpora,
                       const std::function<void()>& poll = {});

// Measures how well a model that is being trained does on what is held out.
class Validator {
 public:
  // The model must outlive it. ConfigError for a metric that it, or the data, does not allow.
  Validator(const Config& config, const Model& model, const TokenizerPair& tokenizers, ValidationData data);

  // With the model's weights as they are. The same for any number of threads. Where these are no numbers any more, nor
  // are the metrics, and there are no samples. `poll` is called often, from several threads at once; it may throw, to
  // stop.
  Validation operator()(ThreadPool& pool, const std::function<void()>& poll = {});

 private:
  bool wants(std::string_view metric) const;
  void check_metrics(const Config& config) const;
  Validation without_text(Validation found) const;
  void add_scores(Validation& found, const Workers& workers) const;
  void add_samples(Validation& found, const Workers& workers) const;

  ValidationConfig config_;
  const Model& model_;
  ValidationData data_;
  std::unique_ptr<Translator> translator_;  // null if nothing is to be translated
  Model* copy_ = nullptr;                   // the translator's own, which is given the weights
  std::vector<std::string> sampled_, sampled_references_;
};

}  // namespace dhyan
