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

// All that search knows of a model. A batch of B sentences is decoded step by step; at every step each sentence has any
// number of live hypotheses, A in all, and those of one sentence lie side by side.
struct Continuation {
  std::span<const RowId> rows;  // [A] which hypothesis of the step before each one continues; at first, its sentence
  std::span<const TokenId> tokens;                // [A] the last token of each; at first <s>
  Segments hypotheses;                            // B sentences over A rows; a sentence that is over has none
  Index best = 0;                                 // above 0: the step need only give so many best words of each,
  bool log_sums = false;                          // and log Σ exp over all words
  KeepAttention attention = KeepAttention::kYes;  // what DecoderStep::attention keeps
};

// Which sequence attends to which.
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
      {};            // queries: the hypotheses that share keys are together; keys: what they look at
  Var energy = {};   // [Σ N T_b S_b]  e_ij
  Var weights = {};  // [Σ N T_b S_b]  α_ij
  Var context = {};  // [A,N*K]        c_i
  const AttentionParts* parts = nullptr;  // what these were made of, with KeepAttention::kParts
};

struct DecoderStep {
  Var logits = {};                            // [A,V], or none where there is `best`
  std::vector<kernels::Ranked> best = {};     // [A,best] in order, where these suffice and need no logits
  std::vector<double> log_sums = {};          // [A] log Σ_v exp z_v, with `best` if requested
  std::vector<AttentionStep> attention = {};  // by place and layer; none where the model has or keeps none
};

// A batch of sentences that is being translated. Owns the memory of encoder and steps.
class Decoding {
 public:
  virtual ~Decoding() = default;

  virtual Index sentences() const = 0;                             // B
  virtual DecoderStep step(const Continuation& continuation) = 0;  // valid until the next step

  // Self-attention of the source by layer: its sentences are both queries and keys. None where the model has none, or
  // where SourceBatch::attention keeps none.
  virtual std::vector<AttentionStep> source_attention() const { return {}; }

  // All that a model without attention sees of the source, one fixed vector; an empty Var for others.
  virtual Var context_vector() const { return {}; }  // [B,.]
};

}  // namespace dhyan
