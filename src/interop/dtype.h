#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "core/real.h"

namespace dhyan {

// What the elements of a tensor on disk are. Little-endian.
struct Dtype {
  std::string_view name;                                             // "F32"
  Index bytes;                                                       // of one element
  void (*to_real)(const std::byte* from, Real* to, Index elements);  // null for integers: listed, never loaded
};

// Null if there is none of this name.
const Dtype* find_dtype(std::string_view name);

// "F64, F32, ..."; for messages.
std::string dtype_names();

// The type in which Reals are written.
const Dtype& dtype_of_real();

}  // namespace dhyan
