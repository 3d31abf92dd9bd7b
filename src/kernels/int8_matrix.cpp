#include "kernels/int8_matrix.h"

#include <algorithm>
#include <cmath>
#include <new>

#include "core/error.h"
#include "core/huge_pages.h"
#include "kernels/in_shares.h"
#include "kernels/int8_operands.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/int8_matrix.cpp"
#include <hwy/foreach_target.h>

#include "kernels/tile-inl.h"

HWY_BEFORE_NAMESPACE();
namespace dhyan::kernels::HWY_NAMESPACE {
namespace {

using DI = hn::ScalableTag<std::int32_t>;
using VI = hn::Vec<DI>;

constexpr Index kQuad = 4;  // numbers that are multiplied and summed at once
constexpr Index kShift = 128;

Index int8_width() { return 2 * static_cast<Index>(hn::Lanes(DI())); }

// sum_j += a_0 b_j0 + ... + a_3 b_j3, where each lane of b holds four numbers and a those of the row, from 0 to 255.
struct AnyDot {
  static HWY_INLINE VI factor(const std::uint8_t* a) {
    std::int32_t four;
    std::memcpy(&four, a, sizeof(four));
    return hn::Set(DI(), four);
  }
#if HWY_TARGET <= HWY_SSE4 && HWY_ARCH_X86  // numbers of 16 bits in pairs
  static HWY_INLINE VI add(VI sum, VI a, VI b) {
    const hn::Repartition<std::int16_t, DI> d16;
    const hn::Repartition<std::uint16_t, DI> du16;
    const auto a16 = hn::BitCast(du16, a);
    const auto b16 = hn::BitCast(d16, b);
    const auto even_a = hn::BitCast(d16, hn::And(a16, hn::Set(du16, 255))),
               odd_a = hn::BitCast(d16, hn::ShiftRight<8>(a16));
    const auto even_b = hn::ShiftRight<8>(hn::ShiftLeft<8>(b16)), odd_b = hn::ShiftRight<8>(b16);
    VI unused = hn::Zero(DI());
    sum = hn::ReorderWidenMulAccumulate(DI(), even_a, even_b, sum, unused);
    return hn::ReorderWidenMulAccumulate(DI(), odd_a, odd_b, sum, unused);
  }
#else
  static HWY_INLINE VI add(VI sum, VI a, VI b) {
    const VI low = hn::Set(DI(), 255);
    sum = hn::Add(sum, hn::Mul(hn::And(a, low), hn::ShiftRight<24>(hn::ShiftLeft<24>(b))));
    sum = hn::Add(sum, hn::Mul(hn::And(hn::ShiftRight<8>(a), low), hn::ShiftRight<24>(hn::ShiftLeft<16>(b))));
    sum = hn::Add(sum, hn::Mul(hn::And(hn::ShiftRight<16>(a), low), hn::ShiftRight<24>(hn::ShiftLeft<8>(b))));
    return hn::Add(sum, hn::Mul(hn::And(hn::ShiftRight<24>(a), low), hn::ShiftRight<24>(b)));
  }
#endif
};

#if HWY_TARGET == HWY_AVX3
struct VnniDot : AnyDot {
  static HWY_INLINE VI add(VI sum, VI a, VI b) {
    asm("vpdpbusd %2, %1, %0" : "+v"(sum.raw) : "v"(a.raw), "v"(b.raw));
    return sum;
  }
};
bool has_vnni() { return __builtin_cpu_supports("avx512vnni") != 0; }
#endif

// The sums of some rows and one panel; see tile-inl.h.
template <class Dot, int R>
HWY_NOINLINE void int8_tile(const Int8Operands& of, Index row, const std::int32_t* panel, std::int32_t* sums) {
  VI first[R], second[R];
#pragma GCC unroll 16
  for (int r = 0; r < R; ++r) first[r] = second[r] = hn::Zero(DI());
  const Index stride = of.quads * kQuad, half = int8_width() / 2;
  const std::uint8_t* at = of.x + row * stride;
  for (Index q = 0; q < of.quads; ++q, at += kQuad, panel += int8_width()) {
    const VI b0 = hn::LoadU(DI(), panel), b1 = hn::LoadU(DI(), panel + half);
#pragma GCC unroll 16
    for (int r = 0; r < R; ++r) {
      const VI a = Dot::factor(at + r * stride);
      first[r] = Dot::add(first[r], a, b0);
      second[r] = Dot::add(second[r], a, b1);
    }
  }
#pragma GCC unroll 16
  for (int r = 0; r < R; ++r) {
    hn::StoreU(first[r], DI(), sums + r * int8_width());
    hn::StoreU(second[r], DI(), sums + r * int8_width() + half);
  }
}

template <class Dot, int R = kTileRows>
HWY_INLINE void int8_tile_of(Index rows, const Int8Operands& of, Index row, const std::int32_t* panel,
                             std::int32_t* sums) {
  if constexpr (R > 1) {
    if (rows < R) return int8_tile_of<Dot, R - 1>(rows, of, row, panel, sums);
  }
  int8_tile<Dot, R>(of, row, panel, sums);
}

using DF = hn::RebindToFloat<DI>;
using VF = hn::Vec<DF>;

// What some columns have in common in all rows.
struct ColumnEnds {
  VI shift;
  VF scale;

  HWY_INLINE ColumnEnds(const Int8Operands& of, Index column)
      : shift(hn::LoadU(DI(), of.shifts + column)), scale(hn::LoadU(DF(), of.scales + column)) {}

  // (sum - shift) s_x s_w
  HWY_INLINE VF of(const std::int32_t* sums, VF x_scale) const {
    return hn::Mul(hn::ConvertTo(DF(), hn::Sub(hn::LoadU(DI(), sums), shift)), hn::Mul(x_scale, scale));
  }
};

// y = (sum - shift) s_x s_w + b, of n columns.
HWY_INLINE void finish_some(const std::int32_t* sums, const Int8Operands& of, Index row, Index column, Index n,
                            Real* to) {
  float numbers[HWY_MAX_BYTES / sizeof(float)];
  hn::StoreU(ColumnEnds(of, column).of(sums, hn::Set(DF(), of.x_scales[row])), DF(), numbers);
  for (Index j = 0; j < n; ++j) to[j] = numbers[j] + (of.bias == nullptr ? 0 : of.bias[column + j]);
}

// The rows of a tile; those of a whole panel at once.
HWY_INLINE void finish_rows(const std::int32_t* sums, const Int8Operands& of, Index row, Index rows, Index column,
                            const Matrix& y) {
  const Index half = int8_width() / 2, n = y.cols - column;
#ifndef DHYAN_REAL_DOUBLE
  if (n >= int8_width()) {
    const ColumnEnds first(of, column), second(of, column + half);
    const V none = hn::Zero(D()), bias0 = of.bias == nullptr ? none : load(of.bias + column),
            bias1 = of.bias == nullptr ? none : load(of.bias + column + half);
    for (Index r = 0; r < rows; ++r, sums += int8_width()) {
      const V x_scale = hn::Set(D(), of.x_scales[row + r]);
      store(hn::Add(first.of(sums, x_scale), bias0), y.row(row + r) + column);
      store(hn::Add(second.of(sums + half, x_scale), bias1), y.row(row + r) + column + half);
    }
    return;
  }
#endif
  for (Index r = row; r < row + rows; ++r, sums += int8_width()) {
    finish_some(sums, of, r, column, std::min(n, half), y.row(r) + column);
    if (n > half) finish_some(sums + half, of, r, column + half, std::min(n - half, half), y.row(r) + column + half);
  }
}

template <class Dot>
void int8_product_by(const Int8Operands& of, Matrix y) {
  HWY_ALIGN std::int32_t sums[kTileRows * 2 * HWY_MAX_BYTES / sizeof(std::int32_t)];
  const Index chunk = std::max<Index>(kTileRows, 16384 / (of.quads * kQuad));  // stays in the first-level cache
  for (Index begin = 0; begin < of.rows; begin += chunk) {
    const Index rows = std::min(chunk, of.rows - begin), tiles = (rows + kTileRows - 1) / kTileRows;
    const std::int32_t* panel = of.panels;
    for (Index column = 0; column < y.cols; column += int8_width(), panel += of.quads * int8_width()) {
      for (Index t = 0; t < tiles; ++t) {
        const Index from = rows * t / tiles, to = rows * (t + 1) / tiles;
        for (Index r = begin + from; r < begin + to; ++r) {
          hwy::Prefetch(y.row(r) + column);
          hwy::Prefetch(y.row(r) + column + int8_width() / 2);
        }
        int8_tile_of<Dot>(to - from, of, begin + from, panel, sums);
        finish_rows(sums, of, begin + from, to - from, column, y);
      }
    }
  }
}

void int8_product(const Int8Operands& of, Matrix y) {
#if HWY_TARGET == HWY_AVX3
  if (has_vnni()) return int8_product_by<VnniDot>(of, y);
#endif
  int8_product_by<AnyDot>(of, y);
}

// Numbers k to k + 3 of the columns of a panel, as far as there are such.
void pack_quads(const Int8Weight& w, Index begin, Index k, std::int32_t* to) {
  const Index step = w.transposed ? 1 : w.cols, column = w.transposed ? w.cols : 1;
  const Index filled = std::min(kQuad, w.inner() - k);
  for (Index j = begin; j < begin + int8_width(); ++j, ++to) {
    const std::int8_t* from = w.numbers + k * step + j * column;
    std::int8_t four[kQuad] = {};
    for (Index i = 0; j < w.outputs() && i < filled; ++i) four[i] = from[i * step];
    std::memcpy(to, four, sizeof(four));
  }
}

// The same where all are there.
void pack_whole_quads(const Int8Weight& w, Index begin, Index k, std::int32_t* to) {
  if (w.transposed) {
    const std::int8_t* from = w.numbers + begin * w.cols + k;
    for (Index j = 0; j < int8_width(); ++j, from += w.cols) std::memcpy(to + j, from, kQuad);
    return;
  }
  const hn::Rebind<std::int8_t, DI> d8;  // as many bytes as there are columns in half a panel
  for (Index half = 0; half < int8_width(); half += int8_width() / 2) {
    const std::int8_t* from = w.numbers + k * w.cols + begin + half;
    hn::StoreInterleaved4(hn::LoadU(d8, from), hn::LoadU(d8, from + w.cols), hn::LoadU(d8, from + 2 * w.cols),
                          hn::LoadU(d8, from + 3 * w.cols), d8, reinterpret_cast<std::int8_t*>(to + half));
  }
}

// Four numbers of a column side by side, the columns of a panel after each other; and of each column 128 times its sum.
void pack_int8(const Int8Weight& w, std::int32_t* to, std::int32_t* shifts) {
  const Index width = int8_width(), half = width / 2;
  for (Index begin = 0; begin < w.outputs(); begin += width, shifts += width) {
    VI first = hn::Zero(DI()), second = first;
    const VI shift = hn::Set(DI(), static_cast<std::int32_t>(0x80808080));  // four times 128
    for (Index k = 0; k < w.inner(); k += kQuad, to += width) {
      const bool whole = k + kQuad <= w.inner() && begin + width <= w.outputs();
      whole ? pack_whole_quads(w, begin, k, to) : pack_quads(w, begin, k, to);
      first = AnyDot::add(first, shift, hn::LoadU(DI(), to));
      second = AnyDot::add(second, shift, hn::LoadU(DI(), to + half));
    }
    hn::StoreU(first, DI(), shifts);
    hn::StoreU(second, DI(), shifts + half);
  }
}

// Rounded to the nearest whole number, shifted to be positive.
HWY_INLINE void round_row(const Real* from, Real inverse, Index n, std::uint8_t* to) {
  Index k = 0;
#ifndef DHYAN_REAL_DOUBLE
  const hn::Rebind<std::uint8_t, D> d8;
  const auto shift = hn::Set(DI(), static_cast<std::int32_t>(kShift));
  for (; k + lanes() <= n; k += lanes()) {
    const VI whole = hn::NearestInt(hn::Mul(load(from + k), all(inverse)));
    hn::StoreU(hn::DemoteTo(d8, hn::Add(whole, shift)), d8, to + k);
  }
#endif
  for (; k < n; ++k) to[k] = static_cast<std::uint8_t>(static_cast<Index>(std::nearbyint(from[k] * inverse)) + kShift);
}

// Each row in steps of its largest number / 127.
void quantize_rows(ConstMatrix x, Index quads, std::uint8_t* to, float* scales) {
  for (Index r = 0; r < x.rows; ++r, to += quads * kQuad) {
    const Real* row = x.row(r);
    V largest_of = hn::Zero(D());
    Index k = 0;
    for (; k + lanes() <= x.cols; k += lanes()) largest_of = hn::Max(largest_of, hn::Abs(load(row + k)));
    if (k < x.cols) largest_of = hn::Max(largest_of, hn::Abs(load_some(row + k, x.cols - k)));
    const Real largest = hn::GetLane(hn::MaxOfLanes(D(), largest_of));
    scales[r] = static_cast<float>(largest) / 127;
    round_row(row, largest > 0 ? 127 / largest : Real{0}, x.cols, to);
    std::fill(to + x.cols, to + quads * kQuad, static_cast<std::uint8_t>(kShift));
  }
}

}  // namespace
}  // namespace dhyan::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace dhyan::kernels {

HWY_EXPORT(int8_width);
HWY_EXPORT(int8_product);
HWY_EXPORT(pack_int8);
HWY_EXPORT(quantize_rows);

namespace {

constexpr std::align_val_t kAligned{64};
constexpr int kMost = 127;

Index quads_of(Index inner) { return (inner + 3) / 4; }

}  // namespace

void quantize(ConstMatrix w, std::span<std::int8_t> numbers, std::span<float> scales) {
  std::vector<Real> steps(scales.size());  // largest number, then steps to 1
  const auto each = [&](const auto& f) {
    for (Index r = 0, at = 0; r < w.rows; ++r) {
      for (Index c = 0; c < w.cols; ++c, ++at) {
        f(w.row(r)[c], static_cast<std::size_t>(at), static_cast<std::size_t>(w.transposed ? r : c));
      }
    }
  };
  each([&](Real x, std::size_t, std::size_t output) { steps[output] = std::max(steps[output], std::abs(x)); });
  for (std::size_t j = 0; j < scales.size(); ++j) {
    scales[j] = static_cast<float>(steps[j]) / kMost;
    steps[j] = steps[j] > 0 ? kMost / steps[j] : 0;
  }
  each([&](Real x, std::size_t at, std::size_t output) {
    numbers[at] = static_cast<std::int8_t>(std::nearbyint(x * steps[output]));
  });
}

Int8Matrix::Int8Matrix(const Int8Weight& w) : inner_(w.inner()), outputs_(w.outputs()) {
  if (inner_ > kMostInt8Inputs)
    throw ShapeError(cat("Int8Matrix: ", inner_, " inputs, expected at most ", kMostInt8Inputs));
  const Index width = HWY_DYNAMIC_DISPATCH(int8_width)(), columns = (outputs_ + width - 1) / width * width;
  const auto quads = static_cast<std::size_t>(quads_of(inner_) * columns);
  panels_ = {static_cast<std::int32_t*>(::operator new[](quads * sizeof(std::int32_t), kAligned)),
             [](std::int32_t* dying) { ::operator delete[](dying, kAligned); }};
  use_huge_pages(panels_.get(), quads * sizeof(std::int32_t));
  scales_.assign(w.scales.begin(), w.scales.end());
  scales_.resize(static_cast<std::size_t>(columns));
  shifts_.resize(static_cast<std::size_t>(columns));
  HWY_DYNAMIC_DISPATCH(pack_int8)(w, panels_.get(), shifts_.data());
}

void Int8Matrix::multiply_share(ConstMatrix x, std::span<const Real> bias, Matrix y, const Share& share) const {
  expect_product(x, inner_, outputs_, bias, y);
  const ColumnRange some = columns_of(share, outputs_, HWY_DYNAMIC_DISPATCH(int8_width)());
  thread_local std::vector<std::uint8_t> rows;
  thread_local std::vector<float> row_scales;
  const Index quads = quads_of(inner_);
  rows.resize(static_cast<std::size_t>(x.rows * quads * 4));
  row_scales.resize(static_cast<std::size_t>(x.rows));
  HWY_DYNAMIC_DISPATCH(quantize_rows)(x, quads, rows.data(), row_scales.data());
  HWY_DYNAMIC_DISPATCH(int8_product)
  ({rows.data(), row_scales.data(), panels_.get() + some.begin * quads, scales_.data() + some.begin,
    shifts_.data() + some.begin, bias.empty() ? nullptr : bias.data() + some.begin, x.rows, quads},
   y.columns(some.begin, some.size));
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

}  // namespace dhyan::kernels
#endif  // HWY_ONCE
