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
  Index best = 0;                                 // if above 0, only so many of the best words of each are asked for,
  bool log_sums = false;                          // and the sum over all words
  KeepAttention attention = KeepAttention::kYes;  // whether DecoderStep::attention will be looked at
};

// Who looks at whom.
enum class AttentionPlace {
  kCross,    // the decoder at the source, </s> included
  kDecoder,  // the decoder at what it was given before and is given now
  kEncoder,  // the source at itself
};
inline constexpr std::array kAttentionPlaces = {Choice{"cross", AttentionPlace::kCross},
                                                Choice{"decoder", AttentionPlace::kDecoder},
                                                Choice{"encoder", AttentionPlace::kEncoder}};

// The attention of one layer: of a step, what each hypothesis looked at.
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
  Var logits = {};                         // [A,V], or none where there is `best`
  std::vector<kernels::Ranked> best = {};  // [A,best] in order, where only these are asked for and known without logits
  std::vector<double> log_sums = {};       // [A] log Σ_v exp z_v, with `best` if they are asked for
  std::vector<AttentionStep> attention = {};  // by place and layer; none where the model has or keeps none
};

// A batch of sentences on its way to be translated. Owns the memory of encoder and steps.
class Decoding {
 public:
  virtual ~Decoding() = default;

  virtual Index sentences() const = 0;                             // B
  virtual DecoderStep step(const Continuation& continuation) = 0;  // valid until the next step

  // How the source looked at itself, by layer: sentences are both queries and keys. None where it does not, or where
  // SourceBatch said that nobody will ask.
  virtual std::vector<AttentionStep> source_attention() const { return {}; }

  // The one fixed vector of a model without attention, all it sees of the source; an empty Var for others.
  // [B,.]
  virtual Var context_vector() const { return {}; }
};

}  // namespace dhyan
