#include "attention/attend.h"

namespace dhyan {

// [bahdanau2015] eqs. 5-6; [vaswani2017] eq. 1
Attended attend(const Score& score, const Ragged& query, const Memory& memory, const AttendOptions& options) {
  const Pairing pairing{query.segments, memory.segments, options.heads};
  const Var energy = score(query.rows, memory, pairing);                  // [Σ N T_b S_b]  e_ij
  const Var weights = segment_softmax(energy, pairing, options.visible);  // [Σ N T_b S_b]  α_ij
  const Var context = contexts(weights, memory.values, pairing);          // [ΣT,N*K]       c_i
  return {context, weights, energy};
}

}  // namespace dhyan
