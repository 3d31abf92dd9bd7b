#pragma once

#include <span>
#include <vector>

#include "autograd/var.h"
#include "kernels/pairing.h"
#include "text/tokenizer.h"

namespace dhyan {

// All that search knows of a model. A batch of B sentences is decoded step by step; at every step each sentence has any
// number of live hypotheses, A in all, and those of one sentence lie side by side.
struct Continuation {
  std::span<const RowId> rows;  // [A] which hypothesis of the step before each one continues; at first, its sentence
  std::span<const TokenId> tokens;  // [A] the last token of each; at first <s>
  Segments hypotheses;              // B sentences over A rows; a sentence that is over has none
};

// The attention of one layer at one step: what each hypothesis looked at in its source.
struct AttentionStep {
  kernels::Pairing pairing;  // queries: hypotheses by sentence; keys: the source positions, </s> included
  Var energy;                // [Σ N T_b S_b]  e_ij
  Var weights;               // [Σ N T_b S_b]  α_ij
  Var context;               // [A,N*K]        c_i
};

struct DecoderStep {
  Var logits;                            // [A,V]
  std::vector<AttentionStep> attention;  // by layer; none where the model does not attend
};

// A batch of sentences on its way to be translated. Owns the memory of encoder and steps.
class Decoding {
 public:
  virtual ~Decoding() = default;

  virtual Index sentences() const = 0;                             // B
  virtual DecoderStep step(const Continuation& continuation) = 0;  // valid until the next step

  // The one fixed vector of a model without attention, all it sees of the source; an empty Var for others.
  // [B,.]
  virtual Var thought() const { return {}; }
};

}  // namespace dhyan
