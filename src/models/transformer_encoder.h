#pragma once

#include <optional>

#include "models/encoder.h"
#include "models/grid_input.h"
#include "models/transformer_stack.h"

namespace dhyan {

// Encodes words, or cells of pictures, with positions as annotations, by blocks of self-attention.
class TransformerEncoder final : public Encoder {
 public:
  // Reads pictures or, by a table that may be shared, words, as set by the config.
  TransformerEncoder(ParameterSet& parameters, const TransformerConfig& config, std::shared_ptr<const Embedding> words,
                     const Rng& rng);

  EncodedSource operator()(Scope& scope, const SourceBatch& source) const override;
  Index width() const override { return hidden_; }
  PictureInput pictures() const override { return cells_ ? cells_->pictures() : PictureInput{}; }

 private:
  Ragged input(Scope& scope, const SourceBatch& source) const;  // [ΣS,H]

  Index hidden_;
  double dropout_;
  std::optional<TransformerInput> words_;  // either words
  std::optional<GridInput> cells_;         // or cells
  TransformerStack layers_;
};

}  // namespace dhyan
