#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "core/dtype.h"

namespace dhyan {

// The element type of a tensor in a safetensors file, little-endian.
struct FileDtype {
  std::string_view name;                                             // "F32"
  Index bytes;                                                       // of one element
  void (*to_real)(const std::byte* from, Real* to, Index elements);  // null for integers: listed, never loaded
};

// Null if there is none of this name.
const FileDtype* find_file_dtype(std::string_view name);

// The type in which files hold the elements of such a tensor.
const FileDtype& file_dtype(Dtype dtype);

// "F64, F32, ..."; for messages.
std::string file_dtype_names();

}  // namespace dhyan
