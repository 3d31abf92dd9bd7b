#pragma once

#include <cstdint>

namespace dhyan::bench {

// Runs `iterations` rounds of independent fused multiply-adds on the widest registers of the machine, on the calling
// thread, and returns the floating-point operations done. What the machine can do when nothing waits for memory.
std::int64_t run_multiply_adds(std::int64_t iterations);

}  // namespace dhyan::bench
