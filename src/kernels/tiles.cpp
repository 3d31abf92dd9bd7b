#include "kernels/tiles.h"

#include <atomic>

#if DHYAN_HAS_TILES && defined(__linux__)
#include <sys/syscall.h>
#include <unistd.h>
#endif

namespace dhyan::kernels {

namespace {

std::atomic<bool> hidden_for_test = false;

// A process has to ask before its first use, since its threads' state then takes 8 kB more to keep.
bool asked_for_tiles() {
#if DHYAN_HAS_TILES && defined(__linux__)
  constexpr long kAskForState = 0x1023, kTileData = 18;  // ARCH_REQ_XCOMP_PERM, XFEATURE_XTILEDATA
  return __builtin_cpu_supports("amx-int8") && __builtin_cpu_supports("amx-bf16") &&
         __builtin_cpu_supports("avx512bf16") && syscall(SYS_arch_prctl, kAskForState, kTileData) == 0;
#else
  return false;
#endif
}

}  // namespace

bool has_tiles() {
  static const bool allowed = asked_for_tiles();
  return allowed && !hidden_for_test.load(std::memory_order_relaxed);
}

void hide_tiles_for_test(bool hidden) { hidden_for_test = hidden; }

}  // namespace dhyan::kernels
