#pragma once

#include <memory>

#include "autograd/tape.h"
#include "data/batch.h"
#include "models/decoder.h"

namespace dhyan {

struct LossOptions {
  double label_smoothing = 0;
  double sampled = 0;  // scheduled sampling ([bengio2015]): how often the decoder is fed its own word; training only
};

// Of a batch: sums over its target tokens.
struct BatchLoss {
  Var loss;        // []  smoothed cross-entropy, in nats
  double nll = 0;  // -log p(target)
};

// Sentences to translate, each ending in </s>.
struct SourceBatch {
  std::span<const TokenId> tokens;  // [ΣS]
  Segments segments;                // B sentences
};

// A model that turns a source into a target. Weights apart, immutable: any number of threads may use one.
class TranslationModel {
 public:
  virtual ~TranslationModel() = default;
  TranslationModel(const TranslationModel&) = delete;
  TranslationModel& operator=(const TranslationModel&) = delete;

  ParameterSet& parameters() { return parameters_; }
  const ParameterSet& parameters() const { return parameters_; }

  // Teacher forcing over a batch (data/batch.h: targets end with </s>). The batch may go once it returns.
  virtual BatchLoss loss(Scope& scope, const Batch& batch, const LossOptions& options = {}) const = 0;

  // The model must outlive it; the source may go.
  virtual std::unique_ptr<Decoding> decode(const SourceBatch& source) const = 0;

  virtual bool attends() const = 0;  // false: one fixed vector

 protected:
  TranslationModel() = default;
  ParameterSet parameters_;
};

}  // namespace dhyan
