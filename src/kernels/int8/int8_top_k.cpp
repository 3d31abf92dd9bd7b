#include "kernels/int8/int8_top_k.h"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <mutex>

#include "kernels/gemm/column_partition.h"

namespace dhyan::kernels {

namespace {

bool comes_before(const Ranked& a, const Ranked& b) {
  return a.value > b.value || (a.value == b.value && a.column < b.column);
}

// Merges the top k of another partition into `top`; the order of merges does not matter.
void merge(std::span<const Ranked> found, std::size_t k, std::span<Ranked> top) {
  std::vector<Ranked> both(2 * k);
  for (std::size_t at = 0; at < top.size(); at += k) {
    std::ranges::merge(found.subspan(at, k), top.subspan(at, k), both.begin(), comes_before);
    std::ranges::copy_n(both.begin(), static_cast<std::ptrdiff_t>(k), top.subspan(at).begin());
  }
}

void top_k_of_partitions(const Int8Matrix& w, const QuantizedRows& x, std::span<const Real> bias, std::span<Ranked> top,
                         IntraOpThreads* intra_op) {
  std::mutex mutex;
  std::ranges::fill(top, Ranked{-1, -std::numeric_limits<Real>::infinity()});
  partition_columns({.weights = x.inner * w.outputs(), .rows = x.rows}, intra_op,
                    [&](const ColumnPartition& partition) {
                      if (partition.count == 1) return w.top_k_partition(x, bias, top, partition);
                      std::vector<Ranked> found(top.size());
                      w.top_k_partition(x, bias, found, partition);
                      const std::lock_guard lock(mutex);
                      merge(found, top.size() / static_cast<std::size_t>(x.rows), top);
                    });
}

// Computes the whole GEMM, which handles NaN.
void top_k_by_gemm(const Int8Matrix& w, const ConstMatrix& x, std::span<const Real> bias, std::span<Ranked> top) {
  std::vector<Real> y(static_cast<std::size_t>(w.outputs()));
  const Matrix row{y.data(), 1, w.outputs(), w.outputs()};
  w.multiply(x, bias, row);
  top_k_rows(row, std::ssize(top), top);
}

}  // namespace

void int8_top_k(const Int8Matrix& w, ConstMatrix x, std::span<const Real> bias, std::span<Ranked> top,
                IntraOpThreads* intra_op) {
  if (top.empty()) return;
  thread_local std::vector<std::uint8_t> memory;
  memory.resize(static_cast<std::size_t>(quantized_bytes(x)));
  top_k_of_partitions(w, quantize_rows(x, memory.data(), w.activation()), bias, top, intra_op);
  const std::size_t k = top.size() / static_cast<std::size_t>(x.rows);
  for (Index r = 0; r < x.rows; ++r) {
    const std::span<Ranked> of_row = top.subspan(static_cast<std::size_t>(r) * k, k);
    const bool incomplete = of_row.back().column < 0;
    if (incomplete) top_k_by_gemm(w, {x.row(r), 1, x.cols, x.stride}, bias, of_row);
  }
}

}  // namespace dhyan::kernels
