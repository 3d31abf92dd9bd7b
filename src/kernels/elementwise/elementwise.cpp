#include "kernels/elementwise/elementwise.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/elementwise/elementwise.cpp"
#include <hwy/foreach_target.h>

#include "kernels/simd/simd-inl.h"

HWY_BEFORE_NAMESPACE();
namespace dhyan::kernels::HWY_NAMESPACE {
namespace {

void add(Index n, const Real* a, const Real* b, Real* y) {
  transform(
      n, y, [](V va, V vb) { return hn::Add(va, vb); }, a, b);
}

void add_to(Index n, const Real* x, Real* y) {
  accumulate(
      n, y, [](V v) { return v; }, x);
}

void add_constant(Index n, Real c, Real* y) {
  const V constant = all(c);
  transform(
      n, y, [constant](V v) { return hn::Add(v, constant); }, y);
}

void multiply(Index n, const Real* a, const Real* b, Real* y) {
  transform(
      n, y, [](V va, V vb) { return hn::Mul(va, vb); }, a, b);
}

void multiply_add(Index n, const Real* a, const Real* b, Real* y) {
  accumulate(
      n, y, [](V va, V vb) { return hn::Mul(va, vb); }, a, b);
}

void scale(Index n, const Real* x, Real factor, Real* y) {
  const V factors = all(factor);
  transform(
      n, y, [factors](V v) { return hn::Mul(v, factors); }, x);
}

void scale_add(Index n, const Real* x, Real factor, Real* y) {
  const V factors = all(factor);
  accumulate(
      n, y, [factors](V v) { return hn::Mul(v, factors); }, x);
}

void add_bias(ConstMatrix x, const Real* bias, Matrix y) {
  for (Index i = 0; i < x.rows; ++i) add(x.cols, x.row(i), bias, y.row(i));
}

// Sums of as many columns as registers hold, down all rows; then the next columns.
void column_sums_add(ConstMatrix x, Real* sums) {
  constexpr int kVectors = 8;
  Index j = 0;
  for (; j + kVectors * lanes() <= x.cols; j += kVectors * lanes()) {
    V sum[kVectors];
#pragma GCC unroll 8
    for (int v = 0; v < kVectors; ++v) sum[v] = load(sums + j + v * lanes());
    for (Index i = 0; i < x.rows; ++i) {
      const Real* row = x.row(i) + j;
#pragma GCC unroll 8
      for (int v = 0; v < kVectors; ++v) sum[v] = hn::Add(sum[v], load(row + v * lanes()));
    }
#pragma GCC unroll 8
    for (int v = 0; v < kVectors; ++v) store(sum[v], sums + j + v * lanes());
  }
  for (Index i = 0; i < x.rows && j < x.cols; ++i) add_to(x.cols - j, x.row(i) + j, sums + j);
}

void row_sums(ConstMatrix x, Real* sums) {
  for (Index i = 0; i < x.rows; ++i) {
    sums[i] = sum_of(
        x.cols, [](V v) { return v; }, x.row(i));
  }
}

void add_to_row_elements(const Real* per_row, Matrix y) {
  for (Index i = 0; i < y.rows; ++i) add_constant(y.cols, per_row[i], y.row(i));
}

}  // namespace
}  // namespace dhyan::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace dhyan::kernels {

HWY_EXPORT(add);
HWY_EXPORT(add_to);
HWY_EXPORT(add_constant);
HWY_EXPORT(multiply);
HWY_EXPORT(multiply_add);
HWY_EXPORT(scale);
HWY_EXPORT(scale_add);
HWY_EXPORT(add_bias);
HWY_EXPORT(column_sums_add);
HWY_EXPORT(row_sums);
HWY_EXPORT(add_to_row_elements);

void add(std::span<const Real> a, std::span<const Real> b, std::span<Real> y) {
  HWY_DYNAMIC_DISPATCH(add)(std::ssize(y), a.data(), b.data(), y.data());
}

void add_to(std::span<const Real> x, std::span<Real> y) {
  HWY_DYNAMIC_DISPATCH(add_to)(std::ssize(y), x.data(), y.data());
}

void add_constant(Real c, std::span<Real> y) { HWY_DYNAMIC_DISPATCH(add_constant)(std::ssize(y), c, y.data()); }

void multiply(std::span<const Real> a, std::span<const Real> b, std::span<Real> y) {
  HWY_DYNAMIC_DISPATCH(multiply)(std::ssize(y), a.data(), b.data(), y.data());
}

void multiply_add(std::span<const Real> a, std::span<const Real> b, std::span<Real> y) {
  HWY_DYNAMIC_DISPATCH(multiply_add)(std::ssize(y), a.data(), b.data(), y.data());
}

void scale(std::span<const Real> x, Real factor, std::span<Real> y) {
  HWY_DYNAMIC_DISPATCH(scale)(std::ssize(y), x.data(), factor, y.data());
}

void scale_add(std::span<const Real> x, Real factor, std::span<Real> y) {
  HWY_DYNAMIC_DISPATCH(scale_add)(std::ssize(y), x.data(), factor, y.data());
}

void add_bias(ConstMatrix x, std::span<const Real> bias, Matrix y) {
  HWY_DYNAMIC_DISPATCH(add_bias)(x, bias.data(), y);
}

void column_sums_add(ConstMatrix x, std::span<Real> sums) { HWY_DYNAMIC_DISPATCH(column_sums_add)(x, sums.data()); }

void row_sums(ConstMatrix x, std::span<Real> sums) { HWY_DYNAMIC_DISPATCH(row_sums)(x, sums.data()); }

void add_to_row_elements(std::span<const Real> per_row, Matrix y) {
  HWY_DYNAMIC_DISPATCH(add_to_row_elements)(per_row.data(), y);
}

}  // namespace dhyan::kernels
#endif  // HWY_ONCE
