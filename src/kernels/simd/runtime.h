#pragma once

#include "core/thread_pool.h"

namespace dhyan::kernels {

// Prepares the calling thread for kernels: flushes denormals to zero (they are 3 times slower and irrelevant here) and
// allocates the GEMM's packing buffers. Call it first on any thread that runs kernels.
void prepare_thread();

// A pool whose threads have called prepare_thread().
ThreadPool make_thread_pool(int threads);

// The vector instructions in use on this machine: "AVX3", "AVX2", ...
const char* simd_target();

}  // namespace dhyan::kernels
