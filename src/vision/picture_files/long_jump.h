#pragma once

#include <csetjmp>

namespace dhyan {

// libjpeg and libpng report an error by longjmp, which runs no destructors. Runs `work`, which calls the library, and
// returns whether it finished; neither `work` nor its callees may own anything. The owners are in the caller's frame.
template <class Work>
[[gnu::noinline]] bool comes_to_its_end(std::jmp_buf& jump, const Work& work) {
  if (setjmp(jump) != 0) return false;
  work();
  return true;
}

}  // namespace dhyan
