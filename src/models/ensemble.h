#pragma once

#include "models/model.h"

namespace dhyan {

// Several models of the same vocabularies as one, of any kinds: the probability of a word is the mean of theirs, by
// weight. What it looks at is what the first one looks at. It cannot be trained.
class EnsembleModel final : public TranslationModel {
 public:
  // Weights, one for each model, are made to add up to 1; none: all equal. UsageError for no models, another number of
  // weights, or weights that are negative or all 0.
  explicit EnsembleModel(std::vector<std::unique_ptr<TranslationModel>> models, std::vector<double> weights = {});

  BatchLoss loss(Scope& scope, const Batch& batch, const LossOptions& options = {}) const override;  // UsageError
  std::unique_ptr<Decoding> decode(const SourceBatch& source) const override;
  bool attends() const override { return models_.front()->attends(); }
  bool has_cross_attention() const override { return models_.front()->has_cross_attention(); }
  Index longest() const override;  // of the one that takes least

 private:
  std::vector<std::unique_ptr<TranslationModel>> models_;
  std::vector<double> weights_;
};

}  // namespace dhyan
