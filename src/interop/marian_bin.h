#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "interop/safetensors.h"

namespace dhyan {

// The .bin files of Marian, version 1: float32 and bytes, and matrices of intgemm8 (int8 values and one factor).
// Untrusted: every length is checked before it is used.
struct MarianBinFile {
  std::vector<TensorEntry> tensors;  // point into the file; those of intgemm8 have dtype I8
  struct Factor {
    std::string name;
    float values_per_one = 1;  // int8 values are the weights times this
  };
  std::vector<Factor> factors;  // of the tensors of intgemm8
};

bool is_marian_bin(std::span<const std::byte> bytes);

MarianBinFile parse_marian_bin(std::string_view where, std::span<const std::byte> bytes);

}  // namespace dhyan
