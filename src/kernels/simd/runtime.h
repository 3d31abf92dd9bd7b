#pragma once

#include "core/thread_pool.h"

namespace dhyan::kernels {

// Prepares the calling thread for kernels: denormal values count as zero (they cost 3x and mean nothing here), and
// the memory that products need is there. Call it first on any thread that runs kernels.
void prepare_thread();

// A pool whose threads are prepared.
ThreadPool make_thread_pool(int threads);

// The vector instructions in use on this machine: "AVX3", "AVX2", ...
const char* simd_target();

}  // namespace dhyan::kernels
