#include "core/dtype.h"

#include "core/error.h"

namespace dhyan {

std::string_view name_of(Dtype dtype) {
  switch (dtype) {
    case Dtype::kBfloat16:
      return "bfloat16";
    case Dtype::kInt8:
      return "int8";
    case Dtype::kReal:
      break;
  }
  return sizeof(Real) == sizeof(double) ? "float64" : "float32";
}

std::size_t bytes_of(Dtype dtype) {
  switch (dtype) {
    case Dtype::kBfloat16:
      return sizeof(Bfloat16);
    case Dtype::kInt8:
      return sizeof(std::int8_t);
    case Dtype::kReal:
      break;
  }
  return sizeof(Real);
}

void refuse_dtype(const char* op, Dtype dtype) {
  throw DtypeError(cat(op, ": cannot read ", name_of(dtype), " values"));
}

}  // namespace dhyan
