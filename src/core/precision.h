#pragma once

#include <array>

#include "core/choice.h"

namespace dhyan {

// Of the operands of a product. Sums are of Reals either way, and so is what is made of them.
enum class Precision {
  kFull,          // Reals as they are
  kBfloat16,      // rounded to the upper half of a float: 8 bits of a number instead of 24, and twice the rate or more
  kSplitBfloat16  // as kFull to the last bits; where the machine is faster so, products of parts of 8 bits make one of
                  // 24
};

inline constexpr std::array kPrecisions{Choice{"float32", Precision::kSplitBfloat16},
                                        Choice{"bfloat16", Precision::kBfloat16}};

}  // namespace dhyan
