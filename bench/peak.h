#pragma once

#include <cstdint>
#include <span>

namespace dhyan::bench {

// Runs `iterations` rounds of independent fused multiply-adds on the widest registers of the machine, on the calling
// thread, and returns the floating-point operations done. What the machine can do when nothing waits for memory.
std::int64_t run_multiply_adds(std::int64_t iterations);

// Reads all numbers, once, and does as little with them as there can be.
float read_numbers(std::span<const float> numbers);

}  // namespace dhyan::bench
