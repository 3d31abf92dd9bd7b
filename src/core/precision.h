#pragma once

#include <array>

#include "core/choice.h"

namespace dhyan {

// Precision of a GEMM's operands. Sums and results are Reals in each.
enum class Precision {
  kFull,          // Reals
  kBfloat16,      // operands rounded to bfloat16: 8 significant bits instead of 24, at twice the speed or more
  kSplitBfloat16  // bf16x3: each operand is split into three bfloat16 that add up to it, and six GEMMs of the parts
                  // give float32 accuracy but for the last bits. Used on machines with AMX; elsewhere the same as kFull
};

inline constexpr std::array kPrecisions{Choice{"float32", Precision::kSplitBfloat16},
                                        Choice{"bfloat16", Precision::kBfloat16}};

}  // namespace dhyan
