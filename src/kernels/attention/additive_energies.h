#pragma once

#include "core/matrix.h"
#include "kernels/attention/attention_layout.h"

namespace dhyan::kernels {

// What the additive score reads. Each head has A/N columns of its own, side by side.
struct AdditiveInputs {
  ConstMatrix queries;      // [ΣT,A]
  ConstMatrix keys;         // [ΣS,A]
  std::span<const Real> v;  // [A]
};

// Where gradients are added. One without data is not wanted.
struct AdditiveGradients {
  Matrix queries;  // [ΣT,A]
  Matrix keys;     // [ΣS,A]
  Matrix v;        // one row of A
};

// e = Σ_a v_a tanh(q_a + k_a) for every pair and head.
void additive_energies(const AttentionLayout& layout, const AdditiveInputs& in, std::span<Real> energies);

// tanh is computed again: to keep it would take A times the memory of the energies.
void additive_energies_backward(const AttentionLayout& layout, const AdditiveInputs& in,
                                std::span<const Real> denergies, const AdditiveGradients& into);

}  // namespace dhyan::kernels
