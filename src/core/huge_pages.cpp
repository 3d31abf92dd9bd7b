#include "core/huge_pages.h"

#include <memory>
#include <sys/mman.h>

namespace dhyan {

void use_huge_pages(void* memory, std::size_t bytes) noexcept {
#ifdef MADV_HUGEPAGE
  void* begin = memory;
  if (std::align(kHugePage, kHugePage, begin, bytes) == nullptr) return;
  static_cast<void>(madvise(begin, bytes / kHugePage * kHugePage, MADV_HUGEPAGE));
#else
  static_cast<void>(memory), static_cast<void>(bytes);
#endif
}

}  // namespace dhyan
