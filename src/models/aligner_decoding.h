#pragma once

#include <vector>

#include "models/aligner_network.h"
#include "models/decoding_workspace.h"

namespace dhyan {

// Translates with an aligner, one word after the other: p(y_i | y_<i) = Σ_j p(a_i = j | y_<i) p(y_i | x_j), the forward
// pass of the chain. The weights of a step are those before its word is known. Its sentences are bags of words in the
// order of the source; forced decoding gives exact probabilities.
class AlignerDecoding final : public Decoding {
 public:
  AlignerDecoding(const AlignerNetwork& network, const SourceBatch& source);

  Index sentences() const override { return source_segments_.count(); }
  DecoderStep step(const Continuation& continuation) override;

 private:
  // The state of a hypothesis after its last word.
  struct State {
    std::vector<double> next;    // [S] where the next word comes from
    std::vector<double> places;  // [S-1]
  };

  std::vector<double> first_places(std::vector<double> next) const;
  State continued(const State* before, TokenId token, Index sentence) const;
  std::span<const RowId> keys(Index sentence) const;

  const AlignerNetwork& network_;
  Segments source_segments_;
  WeightEdits edits_;
  DecodingWorkspace source_, now_;
  BatchWords words_;
  Var probabilities_;  // [K,V]
  Var annotations_;    // [ΣS,H]
  std::vector<State> states_;
  Index place_ = 0;
};

}  // namespace dhyan
