// Element types of packed GEMM operands: Reals, or pairs of bfloat16 (the VNNI layout). A cell is what a lane reads at
// a time: kValuesPerCell values along k, the first in the lower bits. Compiled once per instruction set; see
// simd-inl.h.
#if defined(DHYAN_KERNELS_GEMM_OPERANDS_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef DHYAN_KERNELS_GEMM_OPERANDS_INL_H
#undef DHYAN_KERNELS_GEMM_OPERANDS_INL_H
#else
#define DHYAN_KERNELS_GEMM_OPERANDS_INL_H
#endif

#include <limits>

#include "core/precision.h"
#include "kernels/bfloat16/bfloat16.h"
#include "kernels/simd/simd-inl.h"

HWY_BEFORE_NAMESPACE();
namespace dhyan::kernels::HWY_NAMESPACE {

struct RealOperands {
  using Cell = Real;
  static constexpr Index kValuesPerCell = 1;
  static constexpr bool kReadsUnpacked = true;  // an unpacked matrix has the same layout

  static HWY_INLINE V add(V sum, V a, V b) { return hn::MulAdd(a, b, sum); }

  // Packing: one cell from up to `left` contiguous values; a vector of cells from values contiguous along k; a vector
  // of cells from two rows of k.
  static HWY_INLINE Cell cell(const Real* from, Index) { return *from; }
  template <class DC>
  static HWY_INLINE hn::Vec<DC> pack_along_k(DC d, const Real* from) {
    return hn::LoadU(d, from);
  }
  static HWY_INLINE V pack_rows(V values, V) { return values; }
};

#ifdef DHYAN_REAL_DOUBLE

// For tests: the same rounded values, one per cell.
struct Bfloat16Operands : RealOperands {
  static constexpr bool kReadsUnpacked = false;

  static HWY_INLINE Cell cell(const Real* from, Index) { return rounded_to_bfloat16(*from); }
  template <class DC>
  static HWY_INLINE hn::Vec<DC> pack_along_k(DC d, const Real* from) {
    HWY_ALIGN Real rounded[HWY_MAX_BYTES / sizeof(Real)];
    for (std::size_t i = 0; i < hn::Lanes(d); ++i) rounded[i] = rounded_to_bfloat16(from[i]);
    return hn::Load(d, rounded);
  }
  static HWY_INLINE V pack_rows(V values, V) {
    HWY_ALIGN Real plain[HWY_MAX_BYTES / sizeof(Real)];
    store(values, plain);
    return pack_along_k(D(), plain);
  }
};

#else

// Two per cell, by portable instructions. Adds the two in the order of Bfloat16DotOperands.
struct Bfloat16Operands {
  using Cell = std::uint32_t;
  using VC = hn::Vec<hn::ScalableTag<Cell>>;
  static constexpr Index kValuesPerCell = 2;
  static constexpr bool kReadsUnpacked = false;
  static constexpr Cell kUpper = 0xffff0000;

  static HWY_INLINE V add(V sum, VC a, VC b) {
    sum = hn::MulAdd(upper(a), upper(b), sum);
    return hn::MulAdd(lower(a), lower(b), sum);
  }

  static HWY_INLINE Cell cell(const Real* from, Index left) {
    return bfloat16_bits(from[0]) | (left > 1 ? bfloat16_bits(from[1]) << 16 : 0);
  }
  template <class DC>
  static HWY_INLINE hn::Vec<DC> pack_along_k(DC d, const Real* from) {
    const hn::RebindToFloat<DC> df;
    const auto first = rounded(df, hn::LoadU(df, from)), second = rounded(df, hn::LoadU(df, from + hn::Lanes(d)));
#if HWY_TARGET == HWY_SCALAR
    return interleave(d, first, second);
#else
    return interleave(d, hn::ConcatEven(d, second, first), hn::ConcatOdd(d, second, first));
#endif
  }
  static HWY_INLINE VC pack_rows(V values, V next) {
    return interleave(hn::ScalableTag<Cell>(), rounded(D(), values), rounded(D(), next));
  }

 private:
  static HWY_INLINE V upper(VC a) { return hn::BitCast(D(), hn::And(a, hn::Set(hn::ScalableTag<Cell>(), kUpper))); }
  static HWY_INLINE V lower(VC a) { return hn::BitCast(D(), hn::ShiftLeft<16>(a)); }

  template <class DC>
  static HWY_INLINE hn::Vec<DC> interleave(DC d, hn::Vec<DC> even, hn::Vec<DC> odd) {
    return hn::Or(hn::ShiftRight<16>(even), hn::And(odd, hn::Set(d, kUpper)));
  }

  // bfloat16_bits() in the upper halves; the lower halves are undefined.
  template <class DF>
  static HWY_INLINE hn::Vec<hn::RebindToUnsigned<DF>> rounded(DF df, hn::Vec<DF> x) {
    const hn::RebindToUnsigned<DF> d;
    const auto bits = hn::BitCast(d, x);
    const auto odd = hn::And(hn::ShiftRight<16>(bits), hn::Set(d, Cell{1}));
    const auto nearest = hn::Add(bits, hn::Add(odd, hn::Set(d, Cell{0x7fff})));
    const auto denormal = hn::Lt(hn::Abs(x), hn::Set(df, std::numeric_limits<float>::min()));
    const auto rounded_bits =
        hn::IfThenElse(hn::RebindMask(d, denormal), hn::And(bits, hn::Set(d, Cell{1} << 31)), nearest);
    return hn::IfThenElse(hn::RebindMask(d, hn::IsNaN(x)), hn::Or(bits, hn::Set(d, Cell{1} << 22)), rounded_bits);
  }
};

#if HWY_TARGET == HWY_AVX3

// The same bytes by AVX512-BF16: one instruction multiplies both values of a cell and adds the upper product first.
struct Bfloat16DotOperands : Bfloat16Operands {
  static HWY_INLINE V add(V sum, VC a, VC b) {
    asm("vdpbf16ps %2, %1, %0" : "+v"(sum.raw) : "v"(a.raw), "v"(b.raw));
    return sum;
  }
  template <class DC>
  static HWY_INLINE hn::Vec<DC> pack_along_k(DC d, const Real* from) {
    const hn::RebindToFloat<DC> df;
    return convert_two(hn::LoadU(df, from), hn::LoadU(df, from + hn::Lanes(d)), hn::Zero(d));
  }
  static HWY_INLINE VC pack_rows(V values, V next) {
    const hn::ScalableTag<Cell> d;
    const VC lane = hn::Iota(d, 0), halves = hn::Or(lane, hn::ShiftLeft<16>(hn::Add(lane, hn::Set(d, Cell{16}))));
    return VC{_mm512_permutexvar_epi16(halves.raw, convert_two(values, next, hn::Zero(d)).raw)};
  }

 private:
  template <class VF, class Cells>
  static HWY_INLINE Cells convert_two(VF first, VF second, Cells cells) {
    asm("vcvtne2ps2bf16 %1, %2, %0" : "=v"(cells.raw) : "v"(first.raw), "v"(second.raw));
    return cells;
  }
};

inline bool has_bfloat16() { return __builtin_cpu_supports("avx512bf16") != 0; }

#endif  // HWY_AVX3
#endif  // DHYAN_REAL_DOUBLE

// Calls f with the operand type of a precision, the fastest of this machine without AMX (amx_gemm-inl.h).
template <class F>
HWY_INLINE void dispatch_operands(Precision precision, const F& f) {
  if (precision != Precision::kBfloat16) return f(RealOperands());
#if HWY_TARGET == HWY_AVX3 && !defined(DHYAN_REAL_DOUBLE)
  if (has_bfloat16()) return f(Bfloat16DotOperands());
#endif
  f(Bfloat16Operands());
}

}  // namespace dhyan::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
