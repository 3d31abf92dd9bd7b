#pragma once

#include <gtest/gtest.h>
#include <hwy/highway.h>

#include "kernels/amx/amx.h"

namespace dhyan::kernels {

// For tests: calls f once for every compiled instruction set that this machine has, and for the best one also without
// AMX.
template <class F>
void on_every_target(const F& f) {
  const std::int64_t targets = hwy::SupportedTargets() & HWY_TARGETS;
  for (std::int64_t rest = targets; rest != 0; rest &= rest - 1) {
    const std::int64_t target = rest & -rest;
    hwy::SetSupportedTargetsForTest(target);
    hwy::GetChosenTarget().Update(target);
    SCOPED_TRACE(hwy::TargetName(target));
    f();
    if (target != (targets & -targets) || !has_amx()) continue;
    SCOPED_TRACE("without AMX");
    hide_amx_for_test(true);
    f();
    hide_amx_for_test(false);
  }
  hwy::SetSupportedTargetsForTest(0);
  hwy::GetChosenTarget().Update(hwy::SupportedTargets());
}

// Whether the current target uses AMX.
inline bool uses_amx() { return has_amx() && (hwy::SupportedTargets() & HWY_AVX3) != 0; }

}  // namespace dhyan::kernels
