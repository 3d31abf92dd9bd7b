#pragma once

#include "core/thread_pool.h"

namespace dhyan::bench {

// The machine's peaks with all threads of a pool running at once.
double peak_gflops(ThreadPool& pool, int rounds);         // fp32, without memory accesses
double tile_gflops(ThreadPool& pool, int rounds);         // bfloat16 by AMX; 0 without AMX
double read_gb_per_second(ThreadPool& pool, int rounds);  // of an array larger than the caches

}  // namespace dhyan::bench
