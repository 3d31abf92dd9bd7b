#pragma once

#include <cstdint>

#include "core/real.h"

#if defined(__x86_64__) && !defined(DHYAN_REAL_DOUBLE)
#define DHYAN_HAS_AMX 1
#else
#define DHYAN_HAS_AMX 0
#endif

// What is compiled for AVX-512 serves machines with tiles too; asked in files that are compiled once per target.
#define DHYAN_TARGET_HAS_AMX (HWY_TARGET == HWY_AVX3 && DHYAN_HAS_AMX)

namespace dhyan::kernels {

// Whether this machine multiplies whole tiles of 8-bit values and of bfloat16 (Intel's AMX), and the operating system
// lets this process do so, which is asked once.
bool has_amx();

// For tests: as if it did not.
void hide_amx_for_test(bool hidden);

#if DHYAN_HAS_AMX

// Eight registers of up to 16 rows of 64 bytes: 0 to 3 are sums, two tiles of rows by two of columns, 4 and 5 the
// rows' factors and 6 and 7 the columns'. By inline assembly, for which the rest of a file need not be compiled for
// such machines.
namespace amx {

inline constexpr Index kRows = 16, kRowBytes = 64, kBytes = kRows * kRowBytes;

struct alignas(64) Shapes {
  std::uint8_t palette = 1, start = 0, reserved[14] = {};
  std::uint16_t row_bytes[16] = {};
  std::uint8_t rows[16] = {};
};

// While it lives the tiles of sums and rows' factors have so many rows. Their values are of no use at the start.
class Session {
 public:
  explicit Session(Index rows) {
    Shapes shapes;
    for (int i = 0; i < 8; ++i) {
      shapes.row_bytes[i] = kRowBytes;
      shapes.rows[i] = static_cast<std::uint8_t>(i < 6 ? rows : kRows);
    }
    asm volatile("ldtilecfg %0" : : "m"(shapes));
  }
  ~Session() { asm volatile("tilerelease"); }  // or every change of threads would keep them
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;
};

template <int Tile>
inline void zero() {
  asm volatile("tilezero %%tmm%c0" : : "i"(Tile));
}

// Rows lie `stride` bytes apart; 0: all are the same.
template <int Tile>
inline void load(const void* from, Index stride) {
  asm volatile("tileloadd (%0,%1,1), %%tmm%c2" : : "r"(from), "r"(stride), "i"(Tile) : "memory");
}

template <int Tile>
inline void store(void* to, Index stride) {
  asm volatile("tilestored %%tmm%c2, (%0,%1,1)" : : "r"(to), "r"(stride), "i"(Tile) : "memory");
}

// Sums += rows times columns: of unsigned and signed bytes four by four, exactly.
template <int Sums, int Rows, int Columns>
inline void add_bytes() {
  asm volatile("tdpbusd %%tmm%c2, %%tmm%c1, %%tmm%c0" : : "i"(Sums), "i"(Rows), "i"(Columns));
}

// Of bfloat16 two by two: what is first of each two is summed up in the order of k, and so is what is second, by fused
// multiply-adds from zero on; then both sums are added, and that to what was there. Denormal values count as zero.
template <int Sums, int Rows, int Columns>
inline void add_bfloat16() {
  asm volatile("tdpbf16ps %%tmm%c2, %%tmm%c1, %%tmm%c0" : : "i"(Sums), "i"(Rows), "i"(Columns));
}

}  // namespace amx

#endif  // DHYAN_HAS_AMX

}  // namespace dhyan::kernels
