#pragma once

#include "core/matrix.h"
#include "kernels/attention/attention_layout.h"

namespace dhyan::kernels {

// Energies that depend on the query and a key's position, not on its content. Row t of a matrix belongs to query t.

// Key j of head n gets by_position[t, n*L + j] of by_position [ΣT,N*L]; from position L on it gets -inf.
void position_energies(const AttentionLayout& layout, ConstMatrix by_position, std::span<Real> energies);
void position_energies_backward(const AttentionLayout& layout, std::span<const Real> denergies, Matrix dby_position);

// Key j of S gets -(j - S c_t)² / 2σ² for the query's centre c_t in [0,1], centres [ΣT]; every head the same.
void log_gaussians(const AttentionLayout& layout, std::span<const Real> centres, Real sigma, std::span<Real> energies);

// dc_t += Σ de (j - S c_t) S / σ²
void log_gaussians_backward(const AttentionLayout& layout, std::span<const Real> centres, Real sigma,
                            std::span<const Real> denergies, std::span<Real> dcentres);

}  // namespace dhyan::kernels
