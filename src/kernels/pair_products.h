#pragma once

#include <span>

#include "core/matrix.h"
#include "kernels/bfloat16_rows.h"
#include "kernels/pairing.h"

namespace dhyan::kernels {

// e_ij = scale * q_i k_j and c_i = Σ_j w_ij v_j, per sentence and head. What a query gets does not depend on other
// sentences. Shapes are the caller's to check.
void pair_energies(const Pairing& pairing, ConstMatrix queries, ConstMatrix keys, Real scale,  // [ΣT,N*K], [ΣS,N*K]
                   std::span<Real> energies);                                                  // [Σ N T_b S_b]
void pair_contexts(const Pairing& pairing, std::span<const Real> weights,
                   ConstMatrix values,  // [Σ N T_b S_b], [ΣS,N*K]
                   Matrix contexts);    // [ΣT,N*K]

// The same of keys and values of 16 bits.
void pair_energies(const Pairing& pairing, ConstMatrix queries, const Bfloat16Matrix& keys, Real scale,
                   std::span<Real> energies);
void pair_contexts(const Pairing& pairing, std::span<const Real> weights, const Bfloat16Matrix& values,
                   Matrix contexts);

}  // namespace dhyan::kernels
