#include "kernels/elementwise/dropout.h"

#include <algorithm>
#include <cmath>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/elementwise/dropout.cpp"
#include <hwy/foreach_target.h>

#include "kernels/simd/simd-inl.h"

HWY_BEFORE_NAMESPACE();
namespace dhyan::kernels::HWY_NAMESPACE {
namespace {

constexpr Index kChunk = 1024;  // words drawn at a time; they stay in the first-level cache

#if HWY_TARGET == HWY_SCALAR  // no vectors: core/rng.cpp computes the stream

void draw(const Rng& noise, Index first_block, Index count, std::uint32_t* words) {
  for (Index block = 0; 4 * block < count; ++block) {
    std::ranges::copy(noise.block(static_cast<std::uint64_t>(first_block + block)), words + 4 * block);
  }
}

#else

using D64 = hn::ScalableTag<std::uint64_t>;
using D32 = hn::Repartition<std::uint32_t, D64>;
using V64 = hn::Vec<D64>;

constexpr std::size_t kRounds = 10;

HWY_INLINE V64 low_product(V64 a, std::uint32_t factor) {  // 32 x 32 bits to 64
  return hn::MulEven(hn::BitCast(D32(), a), hn::Set(D32(), factor));
}

// Philox4x32-10 ([salmon2011], as in core/rng.cpp), one block per 64-bit lane. Each word is the lower half of its lane;
// upper halves never affect lower ones. Writes whole vectors: `words` has kChunk elements.
void draw(const Rng& noise, Index first_block, Index count, std::uint32_t* words) {
  const auto low = [](std::uint64_t x) { return hn::Set(D64(), x & 0xFFFFFFFF); };
  const auto blocks_at_once = static_cast<Index>(hn::Lanes(D64()));
  const V64 counters = hn::Iota(D64(), static_cast<std::uint64_t>(first_block));
  V64 keys0[kRounds], keys1[kRounds];
  for (std::uint64_t round = 0; round < kRounds; ++round) {
    keys0[round] = low(noise.key() + round * 0x9E3779B9);
    keys1[round] = low((noise.key() >> 32) + round * 0xBB67AE85);
  }
  for (Index block = 0; 4 * block < count; block += blocks_at_once) {
    V64 c0 = hn::Add(counters, hn::Set(D64(), static_cast<std::uint64_t>(block)));
    V64 c1 = hn::ShiftRight<32>(c0);
    V64 c2 = low(noise.stream()), c3 = low(noise.stream() >> 32);
#pragma GCC unroll 10
    for (std::size_t round = 0; round < kRounds; ++round) {
      const V64 product0 = low_product(c0, 0xD2511F53), product1 = low_product(c2, 0xCD9E8D57);
      c0 = hn::Xor(hn::Xor(hn::ShiftRight<32>(product1), c1), keys0[round]);
      c1 = product1;
      c2 = hn::Xor(hn::Xor(hn::ShiftRight<32>(product0), c3), keys1[round]);
      c3 = product0;
    }
    const auto pair = [](V64 first, V64 second) {
      return hn::OddEven(hn::BitCast(D32(), hn::ShiftLeft<32>(second)), hn::BitCast(D32(), first));
    };
    const V64 front = hn::BitCast(D64(), pair(c0, c1)), back = hn::BitCast(D64(), pair(c2, c3));
    hn::StoreInterleaved2(front, back, D64(), reinterpret_cast<std::uint64_t*>(words + 4 * block));
  }
}

#endif

// 0 or `scale` per lane, decided by the random words.
HWY_INLINE hn::Vec<hn::ScalableTag<float>> factors(const std::uint32_t* words, std::uint32_t last_dropped,
                                                   float scale) {
  const hn::ScalableTag<float> d;
  const hn::RebindToUnsigned<decltype(d)> du;
  const auto kept = hn::Gt(hn::LoadU(du, words), hn::Set(du, last_dropped));
  return hn::IfThenElseZero(hn::RebindMask(d, kept), hn::Set(d, scale));
}
HWY_INLINE hn::Vec<hn::ScalableTag<double>> factors(const std::uint32_t* words, std::uint32_t last_dropped,
                                                    double scale) {
  const hn::ScalableTag<double> d;
  const hn::RebindToUnsigned<decltype(d)> du;
  const auto wide = hn::PromoteTo(du, hn::LoadU(hn::Rebind<std::uint32_t, decltype(d)>(), words));
  return hn::IfThenElseZero(hn::RebindMask(d, hn::Gt(wide, hn::Set(du, last_dropped))), hn::Set(d, scale));
}

// f(begin, count, m) for each chunk of the n factors.
template <class F>
HWY_INLINE void for_each_chunk(Index n, const Rng& noise, double probability, const F& f) {
  HWY_ALIGN std::uint32_t words[kChunk];
  HWY_ALIGN Real m[kChunk];
  const auto last_dropped = static_cast<std::uint32_t>(std::ceil(probability * 0x1p32) - 1);
  const auto scale = static_cast<Real>(1 / (1 - probability));
  for (Index begin = 0; begin < n; begin += kChunk) {
    const Index count = std::min(kChunk, n - begin);
    draw(noise, begin / 4, count, words);
    for (Index i = 0; i < count; i += lanes()) store(factors(words + i, last_dropped, scale), m + i);
    f(begin, count, m);
  }
}

void random_words(const Rng& noise, Index n, std::uint32_t* words) {
  HWY_ALIGN std::uint32_t chunk[kChunk];
  for (Index begin = 0; begin < n; begin += kChunk) {
    const Index count = std::min(kChunk, n - begin);
    draw(noise, begin / 4, count, chunk);
    std::copy_n(chunk, count, words + begin);
  }
}

void dropout_mask(Index n, const Rng& noise, double probability, Real* to) {
  for_each_chunk(n, noise, probability,
                 [to](Index begin, Index count, const Real* m) { std::copy_n(m, count, to + begin); });
}

void dropout(Index n, const Real* x, const Rng& noise, double probability, Real* y) {
  for_each_chunk(n, noise, probability, [x, y](Index begin, Index count, const Real* m) {
    transform(
        count, y + begin, [](V v, V factor) { return hn::Mul(v, factor); }, x + begin, m);
  });
}

void dropout_added(Index n, const Real* x, const Real* y, const Rng& noise, double probability, Real* sum) {
  for_each_chunk(n, noise, probability, [x, y, sum](Index begin, Index count, const Real* m) {
    transform(
        count, sum + begin, [](V u, V v, V factor) { return hn::Add(u, hn::Mul(v, factor)); }, x + begin, y + begin, m);
  });
}

void dropout_backward(Index n, const Real* dy, const Rng& noise, double probability, Real* dx) {
  for_each_chunk(n, noise, probability, [dy, dx](Index begin, Index count, const Real* m) {
    accumulate(
        count, dx + begin, [](V v, V factor) { return hn::Mul(v, factor); }, dy + begin, m);
  });
}

}  // namespace
}  // namespace dhyan::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace dhyan::kernels {

HWY_EXPORT(random_words);
HWY_EXPORT(dropout_mask);
HWY_EXPORT(dropout);
HWY_EXPORT(dropout_added);
HWY_EXPORT(dropout_backward);

void random_words(const Rng& noise, std::span<std::uint32_t> words) {
  HWY_DYNAMIC_DISPATCH(random_words)(noise, std::ssize(words), words.data());
}

void dropout_mask(const Rng& noise, double probability, std::span<Real> m) {
  HWY_DYNAMIC_DISPATCH(dropout_mask)(std::ssize(m), noise, probability, m.data());
}

void dropout(std::span<const Real> x, const Rng& noise, double probability, std::span<Real> y) {
  HWY_DYNAMIC_DISPATCH(dropout)(std::ssize(y), x.data(), noise, probability, y.data());
}

void dropout_added(std::span<const Real> x, std::span<const Real> y, const Rng& noise, double probability,
                   std::span<Real> sum) {
  HWY_DYNAMIC_DISPATCH(dropout_added)(std::ssize(sum), x.data(), y.data(), noise, probability, sum.data());
}

void dropout_backward(std::span<const Real> dy, const Rng& noise, double probability, std::span<Real> dx) {
  HWY_DYNAMIC_DISPATCH(dropout_backward)(std::ssize(dx), dy.data(), noise, probability, dx.data());
}

}  // namespace dhyan::kernels
#endif  // HWY_ONCE
