#pragma once

#include <limits>
#include <memory>

#include "autograd/tape.h"
#include "data/batch.h"
#include "models/decoder.h"
#include "models/source_batch.h"

namespace dhyan {

struct LossOptions {
  double label_smoothing = 0;
  // In training only:
  double sampled = 0;      // scheduled sampling ([bengio2015]): probability of feeding the model's own word
  double r_drop = 0;       // R-Drop ([liang2021]): α, the weight of the KL divergence of two passes; 0: one pass
  double guided = 0.1;     // weight of guided alignment ([chen2016]), where a batch has links
  Index guided_layer = 0;  // layer of a Transformer's decoder, from 1; 0: the last
};

// The loss of a batch, summed over the predicted tokens.
struct BatchLoss {
  Var loss;        // []  smoothed cross-entropy, in nats
  double nll = 0;  // -log p(target)
};

// The interface of a model for training. Immutable except for its weights: any number of threads may use one.
class Model {
 public:
  virtual ~Model() = default;
  Model(const Model&) = delete;
  Model& operator=(const Model&) = delete;

  ParameterSet& parameters() { return parameters_; }
  const ParameterSet& parameters() const { return parameters_; }

  // The loss of a batch. The batch need not outlive the call.
  virtual BatchLoss loss(Scope& scope, const Batch& batch, const LossOptions& options = {}) const = 0;

  // The number of tokens that the loss of a batch sums over.
  virtual Index predictions(const Batch& batch) const { return std::ssize(batch.target); }

 protected:
  Model() = default;
  ParameterSet parameters_;
};

// Turns a source, a sentence or a picture, into a target; trained by teacher forcing (data/batch.h: targets end with
// </s>).
class TranslationModel : public Model {
 public:
  // The model must outlive the decoding; the source need not.
  virtual std::unique_ptr<Decoding> decode(const SourceBatch& source) const = 0;

  // Attention to the source with all targets known: [T_b,S_b] for each sentence, </s> included on both sides. Only
  // models for word alignment have it (models/aligner.h); for others the result is empty.
  virtual bool knows_targets() const { return false; }
  virtual std::vector<Tensor> align(const SourceBatch& /*source*/,
                                    std::span<const std::vector<TokenId>> /*targets*/) const {
    return {};
  }

  virtual bool attends() const = 0;  // false: one fixed vector

  // Whether the decoder attends to the source. Otherwise the source is part of the decoder's sequence, or one
  // vector.
  virtual bool has_cross_attention() const { return attends(); }

  virtual PictureInput pictures() const { return {}; }

  // The maximum length of source and target, each in tokens with </s>.
  virtual Index longest() const { return std::numeric_limits<Index>::max(); }
};

// Continues a text; trained on chunks of plain text.
class LanguageModel : public Model {
 public:
  // Continues the texts `read`, which may be empty, with the tokens of the first step. Texts have any length: the model
  // forgets the oldest tokens beyond its context. The model must outlive the decoding.
  virtual std::unique_ptr<Decoding> decode(const SourceBatch& read) const = 0;
};

// Predicts masked tokens of a sentence from both sides; trained on lines of plain text, as targets.
class MaskedModel : public Model {
 public:
  struct Encoding {
    Var states;                            // [ΣS,H]  of the last layer
    std::vector<AttentionStep> attention;  // by layer
  };
  virtual Encoding encode(Scope& scope, const SourceBatch& sentences) const = 0;
  virtual Index longest() const = 0;  // maximum tokens of a sentence, </s> included

  virtual bool has_head() const { return true; }    // or it only encodes
  virtual Var logits(const Var& states) const = 0;  // [.,H] -> [.,V]; ConfigError without a head
};

}  // namespace dhyan
