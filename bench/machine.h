#pragma once

#include "core/thread_pool.h"

namespace dhyan::bench {

// What the machine can do at most on the threads of a pool, all at once, as replicas run.
double peak_gflops(ThreadPool& pool, int rounds);         // fp32, nothing waits for memory
double tile_gflops(ThreadPool& pool, int rounds);         // likewise of tiles of bfloat16; 0: there are none
double read_gb_per_second(ThreadPool& pool, int rounds);  // from memory that fits into no cache

}  // namespace dhyan::bench
