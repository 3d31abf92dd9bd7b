#include "attention/attend.h"

#include "ops/arena_copy.h"
#include "ops/arithmetic.h"
#include "ops/dropout.h"

namespace dhyan {

namespace {

// With the bias of the window, if it has one.
Var biased(const Var& energy, const Var& bias) {
  return bias ? add(energy, bias) : energy;  // [Σ N T_b S_b]
}

void keep_all(std::initializer_list<Var> values) {
  for (const Var& x : values) keep_until_reset(x);
}

const AttentionParts* parts_of(const Score& score, const Var& query, const Memory& memory, Index heads) {
  const AttentionParts parts{.query = query,
                             .values = memory.values,
                             .first_key = memory.segments.begin(0),
                             .terms = score.terms(query, memory, heads)};
  keep_all({parts.query, parts.values, parts.terms.query, parts.terms.keys, parts.terms.v});
  return copy_to_arena(query.scope().arena(), std::span(&parts, 1)).data();
}

}  // namespace

// [bahdanau2015] eqs. 5-6; [vaswani2017] eq. 1
Attended attend(const Score& score, const Ragged& query, const Memory& memory, const AttendOptions& options) {
  Frame frame(query.rows.scope());
  const bool training = query.rows.scope().recording();
  const AttentionLayout layout{query.segments, memory.segments, options.heads,
                               training ? AttentionKernel::kByQueryCount : options.kernel};
  const Window* window = options.window;
  const MaskAndBias view = window != nullptr ? window->view(query, layout, options.positions) : MaskAndBias{};

  const Var energy = score(query.rows, memory, layout);                                    // [Σ N T_b S_b]  e_ij
  const Var soft = segment_softmax(biased(energy, view.bias), layout, view.visible);       // [Σ N T_b S_b]
  const Var chosen = window != nullptr ? window->choose(soft, layout) : soft;              // [Σ N T_b S_b]
  const Var weights = edited(chosen, layout, options.positions, options.edits);            // [Σ N T_b S_b]  α_ij
  const Var context = contexts(dropout(weights, options.dropout), memory.values, layout);  // [ΣT,N*K]  c_i

  if (options.keep == KeepAttention::kNo) return {frame.keep(context)};
  keep_all({context, weights, energy});
  const bool with_parts = options.keep == KeepAttention::kParts;
  return {context, weights, energy, with_parts ? parts_of(score, query.rows, memory, options.heads) : nullptr};
}

}  // namespace dhyan
