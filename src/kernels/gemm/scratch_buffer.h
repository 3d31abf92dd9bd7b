#pragma once

#include "core/tensor.h"

namespace dhyan::kernels {

// A thread-local buffer for packed operands; grows to the largest size requested.
class ScratchBuffer {
 public:
  Real* reserve(Index size) {
    if (memory_.size() < size) memory_ = Tensor::uninitialized({size});
    return memory_.data();
  }

 private:
  Tensor memory_;
};

}  // namespace dhyan::kernels
