#pragma once

#include <cstdint>

#include "core/real.h"

namespace dhyan::kernels {

inline constexpr Index kQuad = 4;          // values that are multiplied and summed at once
inline constexpr Index kQuadsOfLine = 16;  // rows are filled up to whole lines of a cache, which are rows of a tile too
inline constexpr Index kLine = kQuad * kQuadsOfLine;
inline Index quads_of(Index inner) { return (inner + kLine - 1) / kLine * kQuadsOfLine; }

// Tiles of the machine (amx.h) have so many rows, and the last is filled up.
inline constexpr Index kRowsOfTile = 16;
inline Index whole_tiles(Index rows) { return (rows + kRowsOfTile - 1) / kRowsOfTile * kRowsOfTile; }

// What a product of 8-bit values reads. Four of them that are multiplied together lie in one 32-bit number.
struct Int8Operands {
  const std::uint8_t* x;       // tile by tile, [lines,rows of the tile] of 64 bytes
  const float* x_scales;       // [M]
  const std::int32_t* panels;  // [panels,quads,width]
  const float* scales;         // [O], and zeros up to whole panels, like starts
  const std::int32_t* starts;  // [O] -128 Σ_k w_kj, since the rows of x are shifted by 128
  const Real* bias;            // [O], or null
  Index rows, quads;
};

}  // namespace dhyan::kernels
