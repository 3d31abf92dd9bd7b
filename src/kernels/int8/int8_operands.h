#pragma once

#include <cstdint>

#include "core/real.h"

namespace dhyan::kernels {

inline constexpr Index kQuad = 4;           // int8 values that VNNI and AMX multiply and add up in one 32-bit lane
inline constexpr Index kQuadsPerLine = 16;  // rows are padded to whole cache lines, which are also rows of an AMX tile
inline constexpr Index kLineBytes = kQuad * kQuadsPerLine;
inline Index quads_of(Index inner) { return (inner + kLineBytes - 1) / kLineBytes * kQuadsPerLine; }

// Rows of an AMX tile (amx.h); the last tile is padded.
inline constexpr Index kAmxTileRows = 16;
inline Index round_up_to_tiles(Index rows) { return (rows + kAmxTileRows - 1) / kAmxTileRows * kAmxTileRows; }

// Operands of an int8 GEMM in VNNI layout: four values along k (a quad) are one 32-bit integer.
struct Int8Operands {
  const std::uint8_t* x;             // in row blocks, each [lines,rows of the block] of 64 bytes; values plus 128
  const float* x_scales;             // [M]
  const std::int32_t* panels;        // [panels,quads,width]
  const float* scales;               // [O], padded with zeros to whole panels, as is compensation
  const std::int32_t* compensation;  // [O] -128 Σ_k w_kj, which undoes the offset of x
  const Real* bias;                  // [O], or null
  Index rows, quads;
};

}  // namespace dhyan::kernels
