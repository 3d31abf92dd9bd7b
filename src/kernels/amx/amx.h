#pragma once

#include <cstdint>

#include "core/real.h"

#if defined(__x86_64__) && !defined(DHYAN_REAL_DOUBLE)
#define DHYAN_HAS_AMX 1
#else
#define DHYAN_HAS_AMX 0
#endif

// The AVX-512 target also serves machines with AMX. For files that are compiled once per target.
#define DHYAN_TARGET_HAS_AMX (HWY_TARGET == HWY_AVX3 && DHYAN_HAS_AMX)

namespace dhyan::kernels {

// Whether this machine has Intel AMX for int8 and bfloat16. Requests AMX permission from the kernel once.
bool has_amx();

// For tests: makes has_amx() return false.
void hide_amx_for_test(bool hidden);

#if DHYAN_HAS_AMX

// Eight tile registers of up to 16 rows of 64 bytes: 0 to 3 are sums, two row tiles by two column tiles, 4 and 5 hold
// the left operand's rows, 6 and 7 the right operand's columns. Inline assembly, so that the file need not be compiled
// for AMX.
namespace amx {

inline constexpr Index kRows = 16, kRowBytes = 64, kBytes = kRows * kRowBytes;

struct alignas(64) TileConfig {
  std::uint8_t palette = 1, start = 0, reserved[14] = {};
  std::uint16_t row_bytes[16] = {};
  std::uint8_t rows[16] = {};
};

// Configures the tiles while it lives: sums and left operand have `rows` rows. Tile contents start undefined.
class TileSession {
 public:
  explicit TileSession(Index rows) {
    TileConfig config;
    for (int i = 0; i < 8; ++i) {
      config.row_bytes[i] = kRowBytes;
      config.rows[i] = static_cast<std::uint8_t>(i < 6 ? rows : kRows);
    }
    asm volatile("ldtilecfg %0" : : "m"(config));
  }
  ~TileSession() { asm volatile("tilerelease"); }  // otherwise every context switch saves the tiles
  TileSession(const TileSession&) = delete;
  TileSession& operator=(const TileSession&) = delete;
};

template <int Tile>
inline void zero() {
  asm volatile("tilezero %%tmm%c0" : : "i"(Tile));
}

// Rows are `stride` bytes apart; 0 reads the same row 16 times.
template <int Tile>
inline void load(const void* from, Index stride) {
  asm volatile("tileloadd (%0,%1,1), %%tmm%c2" : : "r"(from), "r"(stride), "i"(Tile) : "memory");
}

template <int Tile>
inline void store(void* to, Index stride) {
  asm volatile("tilestored %%tmm%c2, (%0,%1,1)" : : "r"(to), "r"(stride), "i"(Tile) : "memory");
}

// Sums += rows times columns, unsigned times signed bytes, four per 32-bit sum, exactly.
template <int Sums, int Rows, int Columns>
inline void dot_int8() {
  asm volatile("tdpbusd %%tmm%c2, %%tmm%c1, %%tmm%c0" : : "i"(Sums), "i"(Rows), "i"(Columns));
}

// The same for pairs of bfloat16: fused multiply-adds from zero sum up the first values of all pairs in the order of k,
// and the second ones likewise; both sums are added, then added to the tile. Denormals count as zero.
template <int Sums, int Rows, int Columns>
inline void dot_bfloat16() {
  asm volatile("tdpbf16ps %%tmm%c2, %%tmm%c1, %%tmm%c0" : : "i"(Sums), "i"(Rows), "i"(Columns));
}

}  // namespace amx

#endif  // DHYAN_HAS_AMX

}  // namespace dhyan::kernels
