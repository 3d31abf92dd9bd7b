#include "kernels/int8/int8_matrix.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <new>
#include <utility>

#include "core/error.h"
#include "core/huge_pages.h"
#include "kernels/gemm/column_partition.h"
#include "kernels/int8/int8_operands.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/int8/int8_matrix.cpp"
#include <hwy/foreach_target.h>

#include "kernels/amx/amx_int8-inl.h"
#include "kernels/int8/int8_microkernel-inl.h"
#include "kernels/int8/int8_quantize-inl.h"

HWY_BEFORE_NAMESPACE();
namespace dhyan::kernels::HWY_NAMESPACE {
namespace {

#if DHYAN_TARGET_HAS_AMX
bool uses_amx_int8(Index rows) { return rows > 1 && has_amx(); }  // AMX is not faster for one row
#endif

template <class Epilogue>
void int8_gemm_to(const Int8Operands& of, const Epilogue& epilogue) {
#if DHYAN_TARGET_HAS_AMX
  if (uses_amx_int8(of.rows)) return int8_gemm_amx(of, epilogue);
#endif
#if HWY_TARGET == HWY_AVX3
  if (has_vnni()) return int8_gemm_with<VnniDot>(of, epilogue);
#endif
  int8_gemm_with<PortableDot>(of, epilogue);
}

void int8_gemm(const Int8Operands& of, Matrix y) { int8_gemm_to(of, StoreEpilogue{y}); }

void int8_gemm_top_k(const Int8Operands& of, const ColumnRange& outputs, Index k, Ranked* top) {
  int8_gemm_to(of, TopKEpilogue{outputs.size, k, static_cast<RowId>(outputs.begin), top});
}

// Values k to k + 3 of a panel's columns, padded with zeros.
void pack_quads(const Int8Weight& w, Index begin, Index k, std::int32_t* to) {
  const Index step = w.transposed ? 1 : w.cols, column = w.transposed ? w.cols : 1;
  const Index filled = std::min(kQuad, w.inner() - k);
  for (Index j = begin; j < begin + int8_width(); ++j, ++to) {
    std::int8_t four[kQuad] = {};
    for (Index i = 0; j < w.outputs() && i < filled; ++i) four[i] = w.values[(k + i) * step + j * column];
    std::memcpy(to, four, sizeof(four));
  }
}

// The same without padding.
void pack_whole_quads(const Int8Weight& w, Index begin, Index k, std::int32_t* to) {
  if (w.transposed) {
    const std::int8_t* from = w.values + begin * w.cols + k;
    for (Index j = 0; j < int8_width(); ++j, from += w.cols) std::memcpy(to + j, from, kQuad);
    return;
  }
  const hn::Rebind<std::int8_t, DI> d8;  // one byte per column of half a panel
  for (Index half = 0; half < int8_width(); half += int8_width() / 2) {
    const std::int8_t* from = w.values + k * w.cols + begin + half;
    hn::StoreInterleaved4(hn::LoadU(d8, from), hn::LoadU(d8, from + w.cols), hn::LoadU(d8, from + 2 * w.cols),
                          hn::LoadU(d8, from + 3 * w.cols), d8, reinterpret_cast<std::int8_t*>(to + half));
  }
}

// Packs into VNNI layout: four values of a column are contiguous, then the next column of the panel. Also computes each
// column's compensation, -128 times its sum.
void pack_int8(const Int8Weight& w, std::int32_t* to, std::int32_t* compensation) {
  const Index width = int8_width(), half = width / 2;
  for (Index begin = 0; begin < w.outputs(); begin += width, compensation += width) {
    VI first = hn::Zero(DI()), second = first;
    const VI shift = hn::Set(DI(), static_cast<std::int32_t>(0x80808080));  // four times 128
    for (Index k = 0; k < quads_of(w.inner()) * kQuad; k += kQuad, to += width) {
      const bool whole = k + kQuad <= w.inner() && begin + width <= w.outputs();
      whole ? pack_whole_quads(w, begin, k, to) : pack_quads(w, begin, k, to);
      first = PortableDot::add(first, shift, hn::LoadU(DI(), to));
      second = PortableDot::add(second, shift, hn::LoadU(DI(), to + half));
    }
    hn::StoreU(hn::Neg(first), DI(), compensation);
    hn::StoreU(hn::Neg(second), DI(), compensation + half);
  }
}

void quantize_outputs(ConstMatrix w, std::int8_t* values, float* scales) {
  for (Index j = 0; j < w.rows; ++j, values += w.cols) {
    const Real largest = max_abs_of(w.cols, w.row(j));
    quantize_values(w.row(j), largest > 0 ? 127 / largest : Real{0}, w.cols, 0, values);
    scales[j] = static_cast<float>(largest) / 127;
  }
}

// Quantizes rows [begin, end), a block padded to `height` rows.
void quantize_row_block(ConstMatrix x, Index begin, Index end, Index height, float activation, std::uint8_t* to,
                        float* scales) {
  to += begin * quads_of(x.cols) * kQuad;
  for (Index r = begin; r < end; ++r, to += kLineBytes) {
    scales[r] = activation > 0 ? quantize_row_statically(x.row(r), x.cols, activation, to, height * kLineBytes)
                               : quantize_row(x.row(r), x.cols, to, height * kLineBytes);
  }
}

void quantize_rows(ConstMatrix x, float activation, std::uint8_t* to, float* scales) {
#if DHYAN_TARGET_HAS_AMX
  if (uses_amx_int8(x.rows)) {
    for (Index r = 0; r < x.rows; r += kAmxTileRows) {
      quantize_row_block(x, r, std::min(r + kAmxTileRows, x.rows), kAmxTileRows, activation, to, scales);
    }
    return;
  }
#endif
  const MicrokernelRows blocks(x.rows);
  for (Index t = 0; t < blocks.calls; ++t) {
    quantize_row_block(x, blocks.row(t), blocks.row(t + 1), blocks.row(t + 1) - blocks.row(t), activation, to, scales);
  }
}

}  // namespace
}  // namespace dhyan::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace dhyan::kernels {

HWY_EXPORT(int8_width);
HWY_EXPORT(int8_gemm);
HWY_EXPORT(int8_gemm_top_k);
HWY_EXPORT(pack_int8);
HWY_EXPORT(quantize_rows);
HWY_EXPORT(quantize_outputs);

namespace {

constexpr int kMaxInt8 = 127;

}  // namespace

void quantize(ConstMatrix w, std::span<std::int8_t> values, std::span<float> scales) {
  if (w.transposed) return HWY_DYNAMIC_DISPATCH(quantize_outputs)(w, values.data(), scales.data());
  std::vector<Real> inverse(scales.size());  // largest absolute value, then inverse scale
  const auto each = [&](const auto& f) {
    for (Index r = 0, at = 0; r < w.rows; ++r) {
      for (Index c = 0; c < w.cols; ++c, ++at) {
        f(w.row(r)[c], static_cast<std::size_t>(at), static_cast<std::size_t>(c));
      }
    }
  };
  each([&](Real x, std::size_t, std::size_t output) { inverse[output] = std::max(inverse[output], std::abs(x)); });
  for (std::size_t j = 0; j < scales.size(); ++j) {
    scales[j] = static_cast<float>(inverse[j]) / kMaxInt8;
    inverse[j] = inverse[j] > 0 ? kMaxInt8 / inverse[j] : 0;
  }
  each([&](Real x, std::size_t at, std::size_t output) {
    values[at] = static_cast<std::int8_t>(std::nearbyint(x * inverse[output]));
  });
}

std::shared_ptr<std::int32_t[]> panel_memory(Index quads) {
  const auto bytes = static_cast<std::size_t>(quads) * sizeof(std::int32_t);
  const auto aligned = static_cast<std::align_val_t>(bytes < kHugePage ? kLineBytes : kHugePage);
  const std::shared_ptr<std::int32_t[]> memory(static_cast<std::int32_t*>(::operator new[](bytes, aligned)),
                                               [aligned](std::int32_t* dying) { ::operator delete[](dying, aligned); });
  use_huge_pages(memory.get(), bytes);
  return memory;
}

Index Int8Matrix::panel_quads(const Int8Weight& w) {
  const Index width = HWY_DYNAMIC_DISPATCH(int8_width)();
  return quads_of(w.inner()) * ((w.outputs() + width - 1) / width * width);
}

Int8Matrix::Int8Matrix(const Int8Weight& w) : Int8Matrix(w, panel_memory(panel_quads(w))) {}

Int8Matrix::Int8Matrix(const Int8Weight& w, std::shared_ptr<std::int32_t[]> panels)
    : inner_(w.inner()), outputs_(w.outputs()), activation_(w.activation), panels_(std::move(panels)) {
  if (inner_ > kMaxInt8Inputs)
    throw ShapeError(cat("Int8Matrix: ", inner_, " inputs, expected at most ", kMaxInt8Inputs));
  const Index width = HWY_DYNAMIC_DISPATCH(int8_width)(), columns = (outputs_ + width - 1) / width * width;
  scales_.assign(w.scales.begin(), w.scales.end());
  scales_.resize(static_cast<std::size_t>(columns));
  compensation_.resize(static_cast<std::size_t>(columns));
  HWY_DYNAMIC_DISPATCH(pack_int8)(w, panels_.get(), compensation_.data());
}

// Values, then scales.
Index quantized_bytes(ConstMatrix x) {
  return round_up_to_tiles(x.rows) * quads_of(x.cols) * kQuad + x.rows * static_cast<Index>(sizeof(float));
}

QuantizedRows quantize_rows(ConstMatrix x, std::uint8_t* memory, float activation) {
  float* scales = reinterpret_cast<float*>(memory + round_up_to_tiles(x.rows) * quads_of(x.cols) * kQuad);
  HWY_DYNAMIC_DISPATCH(quantize_rows)(x, activation, memory, scales);
  const std::uint8_t* values = memory;
  return {values, scales, x.rows, x.cols, activation};
}

void Int8Matrix::multiply_partition(ConstMatrix x, std::span<const Real> bias, Matrix y,
                                    const ColumnPartition& partition) const {
  check_packed_gemm_shapes(x, inner_, outputs_, bias, y);
  thread_local std::vector<std::uint8_t> memory;
  memory.resize(static_cast<std::size_t>(quantized_bytes(x)));
  multiply_partition(quantize_rows(x, memory.data(), activation_), bias, y, partition);
}

void Int8Matrix::multiply_partition(const QuantizedRows& x, std::span<const Real> bias, Matrix y,
                                    const ColumnPartition& partition) const {
  const ColumnRange range = columns_of_partition(partition);
  multiply_columns(x, bias, range, y.columns(range.begin, range.size));
}

void multiply_partitioned(const Int8Matrix& w, const QuantizedRows& x, std::span<const Real> bias, Matrix y,
                          IntraOpThreads* intra_op) {
  partition_columns({.weights = x.inner * y.cols, .rows = x.rows}, intra_op,
                    [&](const ColumnPartition& partition) { w.multiply_partition(x, bias, y, partition); });
}

ColumnRange Int8Matrix::columns_of_partition(const ColumnPartition& partition) const {
  return columns_of(partition, outputs_, HWY_DYNAMIC_DISPATCH(int8_width)());
}

void Int8Matrix::multiply_columns(const QuantizedRows& x, std::span<const Real> bias, const ColumnRange& range,
                                  Matrix y) const {
  HWY_DYNAMIC_DISPATCH(int8_gemm)(operands(x, bias, range.begin), y);
}

Int8Operands Int8Matrix::operands(const QuantizedRows& x, std::span<const Real> bias, Index first_column) const {
  const Index quads = quads_of(inner_);
  return {.x = x.values,
          .x_scales = x.scales,
          .panels = panels_.get() + first_column * quads,
          .scales = scales_.data() + first_column,
          .compensation = compensation_.data() + first_column,
          .bias = bias.empty() ? nullptr : bias.data() + first_column,
          .rows = x.rows,
          .quads = quads};
}

void Int8Matrix::top_k_partition(const QuantizedRows& x, std::span<const Real> bias, std::span<Ranked> top,
                                 const ColumnPartition& partition) const {
  if (top.empty()) return;
  std::ranges::fill(top, Ranked{-1, -std::numeric_limits<Real>::infinity()});
  const ColumnRange range = columns_of_partition(partition);
  HWY_DYNAMIC_DISPATCH(int8_gemm_top_k)(operands(x, bias, range.begin), range, std::ssize(top) / x.rows, top.data());
}

void Int8Matrix::columns(std::span<const RowId> ids, Matrix y) const {
  const Index width = HWY_DYNAMIC_DISPATCH(int8_width)(), quads = quads_of(inner_);
  for (std::size_t i = 0; i < ids.size(); ++i) {
    const Index panel = ids[i] / width;
    const std::int32_t* from = panels_.get() + panel * quads * width + ids[i] % width;
    const float scale = scales_[static_cast<std::size_t>(ids[i])];
    Real* to = y.row(static_cast<Index>(i));
    for (Index k = 0; k < inner_; k += 4, from += width) {
      std::int8_t four[4];
      std::memcpy(four, from, sizeof(four));
      for (Index at = k; at < std::min(k + 4, inner_); ++at) to[at] = static_cast<Real>(four[at - k]) * scale;
    }
  }
}

void Int8Matrix::unpack(std::int32_t* to) const {
  const Index width = HWY_DYNAMIC_DISPATCH(int8_width)(), quads = quads_of(inner_);
  const std::int32_t* from = panels_.get();
  for (Index begin = 0; begin < outputs_; begin += width) {
    const Index columns = std::min(width, outputs_ - begin);
    for (Index k = 0; k < quads; ++k, from += width) {
      for (Index j = 0; j < columns; ++j) to[(begin + j) * quads + k] = from[j];
    }
  }
}

}  // namespace dhyan::kernels
#endif  // HWY_ONCE
