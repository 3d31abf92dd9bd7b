#include "peak.h"

#include <array>

#include "core/rng.h"
#include "kernels/amx/amx.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "peak.cpp"
#include <hwy/foreach_target.h>

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace dhyan::bench::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

std::int64_t run_fmas(std::int64_t iterations) {
  const hn::ScalableTag<float> d;
  const auto a = hn::Set(d, 0.999F), b = hn::Set(d, 0.001F);
  const auto start = [&](int chain) { return hn::Set(d, 0.1F * static_cast<float>(chain)); };
  // Twelve independent chains exceed latency times throughput of any FMA unit so far. Their start values differ, since
  // the compiler would merge equal chains.
  auto x0 = start(0), x1 = start(1), x2 = start(2), x3 = start(3), x4 = start(4), x5 = start(5);
  auto x6 = start(6), x7 = start(7), x8 = start(8), x9 = start(9), x10 = start(10), x11 = start(11);
  for (std::int64_t i = 0; i < iterations; ++i) {
    x0 = hn::MulAdd(x0, a, b), x1 = hn::MulAdd(x1, a, b), x2 = hn::MulAdd(x2, a, b), x3 = hn::MulAdd(x3, a, b);
    x4 = hn::MulAdd(x4, a, b), x5 = hn::MulAdd(x5, a, b), x6 = hn::MulAdd(x6, a, b), x7 = hn::MulAdd(x7, a, b);
    x8 = hn::MulAdd(x8, a, b), x9 = hn::MulAdd(x9, a, b), x10 = hn::MulAdd(x10, a, b), x11 = hn::MulAdd(x11, a, b);
  }
  const auto sum =
      hn::Add(hn::Add(hn::Add(x0, x1), hn::Add(x2, x3)),
              hn::Add(hn::Add(hn::Add(x4, x5), hn::Add(x6, x7)), hn::Add(hn::Add(x8, x9), hn::Add(x10, x11))));
  volatile float kept = hn::GetLane(sum);  // keeps the compiler from removing the loop
  static_cast<void>(kept);
  return iterations * 12 * 2 * static_cast<std::int64_t>(hn::Lanes(d));
}

float read_all(const float* values, std::size_t count) {
  const hn::ScalableTag<float> d;
  const std::size_t N = hn::Lanes(d);
  auto x0 = hn::Zero(d), x1 = x0, x2 = x0, x3 = x0;
  for (std::size_t i = 0; i + 4 * N <= count; i += 4 * N) {
    x0 = hn::Max(x0, hn::LoadU(d, values + i)), x1 = hn::Max(x1, hn::LoadU(d, values + i + N));
    x2 = hn::Max(x2, hn::LoadU(d, values + i + 2 * N)), x3 = hn::Max(x3, hn::LoadU(d, values + i + 3 * N));
  }
  return hn::GetLane(hn::MaxOfLanes(d, hn::Max(hn::Max(x0, x1), hn::Max(x2, x3))));
}

}  // namespace
}  // namespace dhyan::bench::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace dhyan::bench {

HWY_EXPORT(run_fmas);
HWY_EXPORT(read_all);

std::int64_t run_multiply_adds(std::int64_t iterations) { return HWY_DYNAMIC_DISPATCH(run_fmas)(iterations); }

std::int64_t run_amx_tiles([[maybe_unused]] std::int64_t iterations) {
#if DHYAN_HAS_AMX
  namespace amx = kernels::amx;
  if (!kernels::has_amx()) return 0;
  Rng rng(1);
  std::array<std::array<std::uint16_t, amx::kBytes / 2>, 4> tiles;
  for (auto& tile : tiles) {
    for (std::uint16_t& x : tile) x = static_cast<std::uint16_t>(0x3f00 + (rng.below(2) << 15) + rng.below(256));
  }
  const amx::TileSession session(amx::kRows);
  amx::zero<0>(), amx::zero<1>(), amx::zero<2>(), amx::zero<3>();
  amx::load<4>(tiles[0].data(), amx::kRowBytes), amx::load<5>(tiles[1].data(), amx::kRowBytes);
  amx::load<6>(tiles[2].data(), amx::kRowBytes), amx::load<7>(tiles[3].data(), amx::kRowBytes);
  for (std::int64_t i = 0; i < iterations; ++i) {
    amx::dot_bfloat16<0, 4, 6>(), amx::dot_bfloat16<1, 4, 7>();
    amx::dot_bfloat16<2, 5, 6>(), amx::dot_bfloat16<3, 5, 7>();
  }
  return iterations * 4 * 2 * amx::kRows * amx::kRows * amx::kRowBytes / 2;
#else
  return 0;
#endif
}

float read_values(std::span<const float> values) {
  return HWY_DYNAMIC_DISPATCH(read_all)(values.data(), values.size());
}

}  // namespace dhyan::bench
#endif  // HWY_ONCE
