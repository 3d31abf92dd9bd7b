#pragma once

#include <array>

#include "autograd/parameter.h"
#include "core/thread_pool.h"
#include "training/chunks.h"

namespace dhyan {

// Operations on all gradients of a model. Results do not depend on the number of threads; nothing is allocated.

// The norm of all gradients as one vector, summed in double.
double global_norm(const GradientSet& gradients, ThreadPool* pool = nullptr);

// [pascanu2013], section 3.2: scales gradients with a norm above max_norm down to it. Returns the norm before scaling.
// If it is NaN or infinite, the gradients are unchanged and the caller should skip the step.
double clip_by_global_norm(GradientSet& gradients, double max_norm, ThreadPool* pool = nullptr);

// The two in parts, for ranks that share out the elements (training/rank_shares.h). A share begins and ends between
// groups of chunks.
inline constexpr std::size_t kMostNormGroups = 256;    // fit on the stack
using NormSums = std::array<double, kMostNormGroups>;  // squares of each group's gradients; 0 outside of the share
Index norm_groups(Index elements);
NormSums norm_sums(const GradientSet& gradients, const ElementRange& share, ThreadPool* pool = nullptr);
double norm_of(const NormSums& sums);
void clip_to_norm(GradientSet& gradients, double norm, double max_norm, const ElementRange& share,
                  ThreadPool* pool = nullptr);

}  // namespace dhyan
