#pragma once

#include "models/model.h"

namespace dhyan {

// Several models of any kinds with the same vocabularies as one: the probability of a word is the weighted mean of
// theirs, the attention is that of the first model, and so are its edits. It cannot be trained.
class EnsembleModel final : public TranslationModel {
 public:
  // Weights, one for each model, are scaled to sum to 1; empty: equal weights. UsageError without models, for a wrong
  // number of weights, or for weights that are negative or all 0.
  explicit EnsembleModel(std::vector<std::unique_ptr<TranslationModel>> models, std::vector<double> weights = {});

  BatchLoss loss(Scope& scope, const Batch& batch, const LossOptions& options = {}) const override;  // UsageError
  std::unique_ptr<Decoding> decode(const SourceBatch& source) const override;
  bool attends() const override { return models_.front()->attends(); }
  bool has_cross_attention() const override { return models_.front()->has_cross_attention(); }
  PictureInput pictures() const override { return models_.front()->pictures(); }
  Index longest() const override;  // the minimum over all models

 private:
  std::vector<std::unique_ptr<TranslationModel>> models_;
  std::vector<double> weights_;
};

}  // namespace dhyan
