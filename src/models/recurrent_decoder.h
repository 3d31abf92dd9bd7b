#pragma once

#include <memory>
#include <optional>

#include "attention/attention.h"
#include "models/bridge.h"
#include "models/readout.h"
#include "nn/embedding.h"
#include "ops/output_loss.h"

namespace dhyan {

// The n rows that a step works on are sentences in training and hypotheses in search.

// The state that a step passes to the next one.
struct DecoderState {
  std::span<const State> layers;  // [n,H] each
  Var fed = {};                   // [n,O]  the readout h~, with input feeding
};

// Inputs that are the same at every step.
struct Surroundings {
  Segments rows;                    // the sentence of each of the n rows
  Memory memory = {};               // the source, for a decoder with attention
  Var context_vector = {};          // [n,D H]  c, for a decoder with a fixed context
  Var from_context_vector = {};     // [n,G H]  its product with the first layer's weight
  std::span<const Var> masks = {};  // [n,H]    dropout below each layer except the first; empty without
};

// The same for the first n sentences; each has one row.
DecoderState first_rows_of(const DecoderState& state, Index n);
Surroundings first_rows_of(const Surroundings& around, Index n);

struct DecoderBeginning {
  DecoderState state;   // of B rows
  Surroundings around;  // of B sentences with a row each
};

struct DecoderInput {
  Var y;            // [n,E]    the words before, y_{i-1}
  Var from_y;       // [n,G H]  their product with the first layer's weight
  Index place = 0;  // i
  WeightEdits edits = {};
  KeepAttention attention = KeepAttention::kYes;
};

struct DecoderOutput {
  DecoderState state;
  Var s;              // [n,H]  s_i, of the top layer
  Var c;              // [n,C]  c_i; empty without a context
  Attended attended;  // for a decoder with attention
};

// A recurrent network that writes a sentence word by word. Layer l has a cell decoder.l; besides y_{i-1} the first one
// reads the context (decoder.context) and, with input feeding, h~ (decoder.feed), each with its own weight, so that the
// products with all words can be computed before the first step.
//
// With layer norm or residual connections, s_i is the output of the top layer (nn/residual_norm.h), but the query of
// Timing::kBefore is the state of its cell, the only one before the first step. Residuals begin at layer 1, since the
// first layer has several inputs.
//
// With Timing::kBetween the first layer has two cells, decoder.0 and decoder.0.second: the state that decoder.0 makes
// of s_{i-1} and y_{i-1} is the query, and the second cell makes s_i of it and c_i.
class RecurrentDecoder {
 public:
  RecurrentDecoder(ParameterSet& parameters, const RecurrentConfig& config, const Encoder& encoder,
                   std::shared_ptr<const Embedding> words, const Rng& rng);

  // The embedding of words, for the first layer and the readout; and its product with the first layer's weight.
  Var embed(Scope& scope, std::span<const TokenId> words, const Segments& sentences) const;  // [.,E]
  Var project(const Var& y) const;                                                           // [.,E] -> [.,G H]

  DecoderBeginning begin(const EncodedSource& source) const;
  Var context_vector(const EncodedSource& source) const { return bridge_.crossing(source); }  // [B,.]
  DecoderOutput step(const DecoderInput& input, const DecoderState& before, const Surroundings& around) const;

  Var readout(const Var& s, const Var& c, const Var& y) const { return readout_(s, c, y); }  // [.,O]
  OutputLayer output(Scope& scope) const;                                                    // [V,O], [V]

  bool feeds() const { return from_fed_.has_value(); }                  // input feeding
  Index heads() const { return attention_ ? attention_->heads() : 0; }  // 0: no attention
  const Dropout& dropout() const { return dropout_; }

 private:
  bool attends(Timing timing) const { return attention_ && timing_ == timing; }
  Attended attend_from(const Var& query, const Surroundings& around, const DecoderInput& input) const;
  State run_first_layer(const DecoderInput& input, const DecoderState& before, const Surroundings& around,
                        DecoderOutput& now) const;
  Var run_higher_layers(const DecoderState& before, std::span<const Var> masks, std::span<State> after) const;
  std::span<const Var> make_masks(Scope& scope, Index B) const;

  Timing timing_;
  std::shared_ptr<const Embedding> words_;
  Dropout dropout_;
  Bridge bridge_;
  std::vector<CellStack> cells_;
  std::optional<CellStack> second_;  // of the first layer
  std::vector<ResidualNorm> ends_;
  std::optional<Attention> attention_;
  std::optional<Linear> from_context_;
  std::optional<Linear> from_fed_;
  Readout readout_;
  const Parameter* output_weight_;
  const Parameter* output_bias_;
};

}  // namespace dhyan
