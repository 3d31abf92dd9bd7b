#include "interop/file_dtype.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>

namespace dhyan {

namespace {

static_assert(std::endian::native == std::endian::little, "numbers on disk are read as they lie");

// One element from bytes that need not be aligned.
template <class T>
T load_as(const std::byte* from) {
  T value;
  std::memcpy(&value, from, sizeof(T));
  return value;
}

double from_f64(const std::byte* from) { return load_as<double>(from); }
double from_f32(const std::byte* from) { return load_as<float>(from); }

// The upper half of an F32.
double from_bf16(const std::byte* from) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(load_as<std::uint16_t>(from)) << 16);
}

// 1 bit sign, 5 exponent, 10 mantissa.
double from_f16(const std::byte* from) {
  const std::uint32_t bits = load_as<std::uint16_t>(from);
  const int exponent = static_cast<int>(bits >> 10 & 0x1f);
  const double mantissa = bits & 0x3ff;
  double size = 0;
  if (exponent == 0) {
    size = std::ldexp(mantissa, -24);
  } else if (exponent < 31) {
    size = std::ldexp(1024 + mantissa, exponent - 25);
  } else {
    size = mantissa == 0 ? HUGE_VAL : std::nan("");
  }
  return std::copysign(size, (bits & 0x8000) != 0 ? -1.0 : 1.0);
}

template <double (*element)(const std::byte*), Index bytes>
void convert(const std::byte* from, Real* to, Index elements) {
  for (Index i = 0; i < elements; ++i) to[i] = static_cast<Real>(element(from + i * bytes));
}

constexpr auto kDtypes = std::to_array<FileDtype>({
    {"F64", 8, convert<from_f64, 8>},
    {"F32", 4, convert<from_f32, 4>},
    {"F16", 2, convert<from_f16, 2>},
    {"BF16", 2, convert<from_bf16, 2>},
    {"I64", 8, nullptr},
    {"U64", 8, nullptr},
    {"I32", 4, nullptr},
    {"U32", 4, nullptr},
    {"I16", 2, nullptr},
    {"U16", 2, nullptr},
    {"I8", 1, nullptr},
    {"U8", 1, nullptr},
    {"BOOL", 1, nullptr},
});

}  // namespace

const FileDtype* find_file_dtype(std::string_view name) {
  const auto found = std::ranges::find(kDtypes, name, &FileDtype::name);
  return found == kDtypes.end() ? nullptr : &*found;
}

std::string file_dtype_names() {
  std::string names;
  for (const FileDtype& dtype : kDtypes) names.append(names.empty() ? "" : ", ").append(dtype.name);
  return names;
}

const FileDtype& file_dtype(Dtype dtype) {
  switch (dtype) {
    case Dtype::kBfloat16:
      return *find_file_dtype("BF16");
    case Dtype::kInt8:
      return *find_file_dtype("I8");
    case Dtype::kReal:
      break;
  }
  return *find_file_dtype(sizeof(Real) == sizeof(double) ? "F64" : "F32");
}

}  // namespace dhyan
