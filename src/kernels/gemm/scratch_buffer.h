#pragma once

#include "core/tensor.h"

namespace dhyan::kernels {

// Of a thread, for what kernels copy; grows to the most that was asked for.
class ScratchBuffer {
 public:
  Real* room(Index size) {
    if (memory_.size() < size) memory_ = Tensor::zeros({size});
    return memory_.data();
  }

 private:
  Tensor memory_;
};

}  // namespace dhyan::kernels
