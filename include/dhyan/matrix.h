#pragma once

#include <cstddef>
#include <cstdint>
#include <dhyan/export.h>
#include <vector>

namespace dhyan::v1 {

// A number of a tensor. Builds that check gradients have double; what is installed has float.
#ifdef DHYAN_REAL_DOUBLE
using Real = double;
#else
using Real = float;
#endif

// Row-major, without gaps; empty: 0 x 0.
template <class T>
struct MatrixOf {
  std::int64_t rows = 0;
  std::int64_t cols = 0;
  std::vector<T> values = {};  // rows * cols

  T operator()(std::int64_t row, std::int64_t col) const { return values[static_cast<std::size_t>(row * cols + col)]; }
  bool empty() const { return values.empty(); }
};
using Matrix = MatrixOf<double>;
using RealMatrix = MatrixOf<Real>;

}  // namespace dhyan::v1
