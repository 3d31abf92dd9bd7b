#include "kernels/int8/int8_rows.h"

#include <algorithm>

#include "core/error.h"
#include "core/shape.h"
#include "kernels/int8/int8_operands.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/int8/int8_rows.cpp"
#include <hwy/foreach_target.h>

#include "kernels/int8/int8_microkernel-inl.h"

HWY_BEFORE_NAMESPACE();
namespace dhyan::kernels::HWY_NAMESPACE {
namespace {

// Σ_k x_k w_k of a row of the weight.
template <class Dot>
HWY_INLINE std::int32_t dot(const std::uint8_t* x, const std::int32_t* w, Index quads) {
  const auto lanes = static_cast<Index>(hn::Lanes(DI()));
  VI even = hn::Zero(DI()), odd = even;
  Index k = 0;
  const auto at = [&](Index quad) HWY_ATTR { return hn::LoadU(DI(), reinterpret_cast<const std::int32_t*>(x) + quad); };
  for (; k + 2 * lanes <= quads; k += 2 * lanes) {
    even = Dot::add(even, at(k), hn::LoadU(DI(), w + k));
    odd = Dot::add(odd, at(k + lanes), hn::LoadU(DI(), w + k + lanes));
  }
  if (k < quads) even = Dot::add(even, at(k), hn::LoadU(DI(), w + k));
  return hn::GetLane(hn::SumOfLanes(DI(), hn::Add(even, odd)));
}

template <class Dot>
void sums_with(const std::uint8_t* x, const std::int32_t* rows, Index quads, std::span<const RowId> outputs,
               std::int32_t* sums) {
  constexpr std::size_t kAhead = 8;  // rows are not adjacent, so the hardware does not predict them
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const auto row = [&](std::size_t which) { return rows + Index{outputs[which]} * quads; };
    if (i + kAhead < outputs.size()) {
      const auto* ahead = reinterpret_cast<const char*>(row(i + kAhead));
      for (Index byte = 0; byte < quads * kQuad; byte += kLineBytes) hwy::Prefetch(ahead + byte);
    }
    sums[i] = dot<Dot>(x, row(i), quads);
  }
}

void int8_row_sums(const std::uint8_t* x, const std::int32_t* rows, Index quads, std::span<const RowId> outputs,
                   std::int32_t* sums) {
#if HWY_TARGET == HWY_AVX3
  if (has_vnni()) return sums_with<VnniDot>(x, rows, quads, outputs, sums);
#endif
  sums_with<PortableDot>(x, rows, quads, outputs, sums);
}

}  // namespace
}  // namespace dhyan::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace dhyan::kernels {

HWY_EXPORT(int8_row_sums);

Int8Rows::Int8Rows(const Int8Matrix& w)
    : inner_(w.inner()),
      outputs_(w.outputs()),
      activation_(w.activation()),
      rows_(panel_memory(w.outputs() * quads_of(w.inner()))),
      scales_(w.scales()),
      offsets_(w.compensation()) {
  w.unpack(rows_.get());
}

void Int8Rows::multiply(ConstMatrix x, std::span<const Real> bias, std::span<const RowId> outputs, Matrix y) const {
  const bool bias_fits = bias.empty() || std::ssize(bias) == outputs_;
  if (x.transposed || x.cols != inner_ || y.rows != x.rows || y.cols != std::ssize(outputs) || !bias_fits) {
    throw ShapeError(cat("Int8Rows: x is ", Shape{x.m(), x.n()}, ", the weight is ", Shape{inner_, outputs_}, ", ",
                         outputs.size(), " outputs are ", Shape{y.rows, y.cols}, ", the bias has ", bias.size()));
  }
  thread_local std::vector<std::uint8_t> memory;
  thread_local std::vector<std::int32_t> sums;
  sums.resize(outputs.size());
  for (Index r = 0; r < x.rows; ++r) {
    const ConstMatrix one{x.row(r), 1, x.cols, x.stride};
    memory.resize(static_cast<std::size_t>(quantized_bytes(one)));
    const QuantizedRows row = quantize_rows(one, memory.data(), activation_);
    HWY_DYNAMIC_DISPATCH(int8_row_sums)(row.values, rows_.get(), quads_of(inner_), outputs, sums.data());
    Real* to = y.row(r);
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      const auto j = static_cast<std::size_t>(outputs[i]);
      // as scaled() and its epilogue compute it
      const float z = static_cast<float>(sums[i] + offsets_[j]) * (row.scales[0] * scales_[j]);
      to[i] = z + (bias.empty() ? Real{0} : bias[j]);
    }
  }
}

}  // namespace dhyan::kernels
#endif  // HWY_ONCE
