#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "core/real.h"

namespace dhyan {

// The type of a tensor's elements.
enum class Dtype : std::uint8_t {
  kReal,      // every op reads it
  kBfloat16,  // rows of a KV cache; the order within a row is that of the kernels
  kInt8,      // quantized weights, in the panels of the kernels
};

// The upper 16 bits of a float32.
struct Bfloat16 {
  std::uint16_t bits;
};

std::string_view name_of(Dtype dtype);  // "float32", "bfloat16", "int8"
std::size_t bytes_of(Dtype dtype);      // of one element

[[noreturn]] void refuse_dtype(const char* op, Dtype dtype);

// Throw DtypeError("tanh: cannot read bfloat16 values") unless the two agree.
inline void expect_dtype(const char* op, Dtype actual, Dtype expected) {
  if (actual != expected) refuse_dtype(op, actual);
}

}  // namespace dhyan
