#pragma once

#include "core/matrix.h"
#include "kernels/attention/attention_layout.h"

namespace dhyan::kernels {

// Inputs of the additive score. Each head has A/N adjacent columns.
struct AdditiveInputs {
  ConstMatrix queries;      // [ΣT,A]
  ConstMatrix keys;         // [ΣS,A]
  std::span<const Real> v;  // [A]
};

// Where gradients are added; one without data is skipped.
struct AdditiveGradients {
  Matrix queries;  // [ΣT,A]
  Matrix keys;     // [ΣS,A]
  Matrix v;        // one row of A
};

// e = Σ_a v_a tanh(q_a + k_a) for every pair and head.
void additive_energies(const AttentionLayout& layout, const AdditiveInputs& in, std::span<Real> energies);

// Recomputes tanh: storing it would take A times the memory of the energies.
void additive_energies_backward(const AttentionLayout& layout, const AdditiveInputs& in,
                                std::span<const Real> denergies, const AdditiveGradients& into);

}  // namespace dhyan::kernels
