#pragma once

#include "autograd/var.h"
#include "core/segments.h"

namespace dhyan {

// Token rows and which sentence each belongs to: the form in which a batch travels. No padding.
struct Ragged {
  Var rows;  // [segments.rows(), H]
  Segments segments;
};

}  // namespace dhyan
