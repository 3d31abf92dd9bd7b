#pragma once

#include "autograd/parameter.h"
#include "core/thread_pool.h"

namespace dhyan {

// Work on all gradients of a model. Results do not depend on the number of threads; nothing is allocated.

// Length of all gradients as one vector, added up in double.
double global_norm(const GradientSet& gradients, ThreadPool* pool = nullptr);

// [pascanu2013], section 3.2: gradients longer than max_norm are scaled to it. Returns the norm before. Where that is
// not finite the gradients stay as they are: the caller had better skip the step.
double clip_by_global_norm(GradientSet& gradients, double max_norm, ThreadPool* pool = nullptr);

}  // namespace dhyan
