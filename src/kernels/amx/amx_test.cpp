#include "kernels/amx/amx.h"

#include <array>
#include <gtest/gtest.h>

namespace dhyan::kernels {
namespace {

TEST(Amx, CanBeHidden) {
  const bool there = has_amx();
  hide_amx_for_test(true);
  EXPECT_FALSE(has_amx());
  hide_amx_for_test(false);
  EXPECT_EQ(has_amx(), there);
}

#if DHYAN_HAS_AMX

// Row r of the left tile is r everywhere, column c of the right one -c.
TEST(Amx, AddsInt8DotProductsToTheSums) {
  if (!has_amx()) return;  // nothing to test
  std::array<std::uint8_t, amx::kBytes> rows{};
  std::array<std::int8_t, amx::kBytes> columns{};
  std::array<std::int32_t, amx::kRows * amx::kRows> sums{}, start{};
  for (std::size_t i = 0; i < rows.size(); ++i) {
    rows[i] = static_cast<std::uint8_t>(i / 64);
    columns[i] = static_cast<std::int8_t>(-static_cast<int>(i % 64 / 4));
  }
  start.fill(7);
  {
    const amx::TileSession session(amx::kRows);
    amx::load<0>(start.data(), amx::kRowBytes);
    amx::load<4>(rows.data(), amx::kRowBytes), amx::load<6>(columns.data(), amx::kRowBytes);
    amx::dot_int8<0, 4, 6>();
    amx::store<0>(sums.data(), amx::kRowBytes);
  }
  for (int r = 0; r < 16; ++r) {
    for (int c = 0; c < 16; ++c) EXPECT_EQ(sums[static_cast<std::size_t>(r * 16 + c)], 7 - 64 * r * c);
  }
}

#endif

}  // namespace
}  // namespace dhyan::kernels
