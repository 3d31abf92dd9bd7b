#pragma once

#include "autograd/parameter.h"
#include "core/thread_pool.h"

namespace dhyan {

// Operations on all gradients of a model. Results do not depend on the number of threads; nothing is allocated.

// The norm of all gradients as one vector, summed in double.
double global_norm(const GradientSet& gradients, ThreadPool* pool = nullptr);

// [pascanu2013], section 3.2: scales gradients with a norm above max_norm down to it. Returns the norm before scaling.
// If it is NaN or infinite, the gradients are unchanged and the caller should skip the step.
double clip_by_global_norm(GradientSet& gradients, double max_norm, ThreadPool* pool = nullptr);

}  // namespace dhyan
