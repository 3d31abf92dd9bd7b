#pragma once

#include <array>
#include <span>
#include <vector>

#include "attention/attend.h"
#include "core/choice.h"
#include "kernels/attention/attention_layout.h"
#include "kernels/rows/top_k.h"
#include "text/tokenizer.h"

namespace dhyan {

// The interface of a model for search. It decodes a batch of B sentences step by step; at every step each sentence has
// any number of live hypotheses, A in total, and the hypotheses of a sentence are adjacent.
struct Continuation {
  std::span<const RowId> rows;  // [A] the hypothesis of the last step that each one continues; at first, its sentence
  std::span<const TokenId> tokens;  // [A] the last token of each; at first <s>
  Segments hypotheses;              // B sentences over A rows; a finished sentence has none
  Index best = 0;                   // above 0: the step may return only this many best words of each,
  bool log_sums = false;            // and log Σ exp over all words
  std::span<const std::span<const TokenId>> words = {};  // [B] the only words that each may write, ascending; empty:
                                                         // all. `best` and log Σ exp are then of these
  KeepAttention attention = KeepAttention::kYes;         // what DecoderStep::attention keeps
};

// The sequences between which attention is computed.
enum class AttentionPlace {
  kCross,    // the decoder to the source, </s> included
  kDecoder,  // the decoder to its own inputs so far
  kEncoder,  // the source to itself
};
inline constexpr std::array kAttentionPlaces = {Choice{"cross", AttentionPlace::kCross},
                                                Choice{"decoder", AttentionPlace::kDecoder},
                                                Choice{"encoder", AttentionPlace::kEncoder}};

// The attention of one layer; in a step, a query for each hypothesis.
struct AttentionStep {
  AttentionPlace place = AttentionPlace::kCross;
  Index layer = 0;
  kernels::AttentionLayout layout =
      {};            // queries: hypotheses, grouped by the keys they share; keys: the positions they attend to
  Var energy = {};   // [Σ N T_b S_b]  e_ij
  Var weights = {};  // [Σ N T_b S_b]  α_ij
  Var context = {};  // [A,N*K]        c_i
  const AttentionParts* parts = nullptr;  // the inputs of the above, with KeepAttention::kParts
};

struct DecoderStep {
  Var logits = {};                            // [A,V]; empty if `best` is given
  std::vector<kernels::Ranked> best = {};     // [A,best] in order, if requested and cheaper than logits
  std::vector<double> log_sums = {};          // [A] log Σ_v exp z_v, with `best` if requested
  std::vector<AttentionStep> attention = {};  // by place and layer; empty if the model has or keeps none
};

// The decoding of a batch of sentences. Owns the memory of encoder and steps.
class Decoding {
 public:
  virtual ~Decoding() = default;

  virtual Index sentences() const = 0;                             // B
  virtual DecoderStep step(const Continuation& continuation) = 0;  // valid until the next step

  // Self-attention of the source by layer: its sentences are both queries and keys. Empty if the model has none, or
  // if SourceBatch::attention keeps none.
  virtual std::vector<AttentionStep> source_attention() const { return {}; }

  // The fixed context vector of a model without attention; an empty Var for others.
  virtual Var context_vector() const { return {}; }  // [B,.]
};

}  // namespace dhyan
