#pragma once

#include <cstdint>
#include <span>

namespace dhyan::bench {

// Runs `iterations` rounds of independent fused multiply-adds on the widest registers of the machine, on the calling
// thread, and returns the floating-point operations done. What the machine can do when nothing waits for memory.
std::int64_t run_multiply_adds(std::int64_t iterations);

// The same of products of tiles of bfloat16 (kernels/amx/amx.h), of numbers that are not all alike: what a machine can
// do depends on how many bits change. 0 where there are none.
std::int64_t run_tile_products(std::int64_t iterations);

// Reads all numbers, once, and does as little with them as there can be.
float read_numbers(std::span<const float> numbers);

}  // namespace dhyan::bench
