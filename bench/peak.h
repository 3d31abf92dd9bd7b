#pragma once

#include <cstdint>
#include <span>

namespace dhyan::bench {

// Runs `iterations` rounds of independent fused multiply-adds on the machine's widest registers, on the calling thread,
// and returns the number of floating-point operations: the peak without memory accesses.
std::int64_t run_multiply_adds(std::int64_t iterations);

// The same for AMX tiles of bfloat16 (kernels/amx/amx.h). The values are random, since power and clock depend on how
// many bits change. 0 without AMX.
std::int64_t run_amx_tiles(std::int64_t iterations);

// Reads all values once, with as little computation as possible.
float read_values(std::span<const float> values);

}  // namespace dhyan::bench
