#include "kernels/amx/amx.h"

#include <atomic>

#if DHYAN_HAS_AMX && defined(__linux__)
#include <cpuid.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

namespace dhyan::kernels {

namespace {

std::atomic<bool> hidden_for_test = false;

#if DHYAN_HAS_AMX && defined(__linux__)
// CPUID directly: __builtin_cpu_supports of clang before 16 does not know these features.
bool cpu_has_amx() {
  constexpr unsigned kFeatures = 7, kBfloat16 = 1u << 22, kTiles = 1u << 24, kInt8 = 1u << 25;  // bits of edx
  constexpr unsigned kAll = kBfloat16 | kTiles | kInt8;
  unsigned eax = 0, ebx = 0, ecx = 0, edx = 0;
  return __get_cpuid_count(kFeatures, 0, &eax, &ebx, &ecx, &edx) != 0 && (edx & kAll) == kAll;
}
#endif

// A process must request AMX permission from the kernel, since saving its threads' state then takes 8 kB more.
bool amx_permitted() {
#if DHYAN_HAS_AMX && defined(__linux__)
  constexpr long kRequestPermission = 0x1023, kTileData = 18;  // ARCH_REQ_XCOMP_PERM, XFEATURE_XTILEDATA
  return cpu_has_amx() && __builtin_cpu_supports("avx512bf16") &&
         syscall(SYS_arch_prctl, kRequestPermission, kTileData) == 0;
#else
  return false;
#endif
}

}  // namespace

bool has_amx() {
  static const bool allowed = amx_permitted();
  return allowed && !hidden_for_test.load(std::memory_order_relaxed);
}

void hide_amx_for_test(bool hidden) { hidden_for_test = hidden; }

}  // namespace dhyan::kernels
