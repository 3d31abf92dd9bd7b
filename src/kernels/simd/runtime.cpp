#include "kernels/simd/runtime.h"

#include <hwy/highway.h>

#if defined(__x86_64__) || defined(__i386__)
#include <immintrin.h>
#endif

#include "kernels/gemm/gemm.h"
#include "kernels/gemm/packed_matrix.h"

namespace dhyan::kernels {

namespace {

void flush_denormals() {
#if defined(__x86_64__) || defined(__i386__)
  constexpr unsigned kFlushToZero = 0x8000, kDenormalsAreZero = 0x0040;
  _mm_setcsr(_mm_getcsr() | kFlushToZero | kDenormalsAreZero);
#elif defined(__aarch64__)
  constexpr unsigned long kFlushToZero = 1UL << 24;
  unsigned long control = 0;
  asm volatile("mrs %0, fpcr" : "=r"(control));
  asm volatile("msr fpcr, %0" : : "r"(control | kFlushToZero));
#endif
}

}  // namespace

void prepare_thread() {
  flush_denormals();
  Real one = 1;  // GEMMs allocate the thread's packing buffers now, also for rows that are pages apart
  gemm({&one, 1, 1, 1}, {&one, 1, 1, 1}, {&one, 1, 1, 1});
  PackedMatrix({&one, 1, 1, 1}).multiply({&one, 1, 1, 1024}, {}, {&one, 1, 1, 1});
}

ThreadPool make_thread_pool(int threads) { return ThreadPool(threads, prepare_thread); }

const char* simd_target() {
  const std::int64_t usable = hwy::SupportedTargets() & HWY_TARGETS;  // the machine may support more than was compiled
  return hwy::TargetName(usable & -usable);                           // the lowest bit is the best
}

}  // namespace dhyan::kernels
