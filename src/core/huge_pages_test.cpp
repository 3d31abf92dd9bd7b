#include "core/huge_pages.h"

#include <algorithm>
#include <cstdlib>
#include <gtest/gtest.h>
#include <memory>
#include <vector>

namespace dhyan {
namespace {

TEST(HugePages, DoNotChangeTheContent) {
  for (const std::size_t bytes : {std::size_t{1}, kHugePage - 1, kHugePage, 2 * kHugePage + 100, 9 * kHugePage}) {
    const std::unique_ptr<unsigned char, decltype(&std::free)> memory(
        static_cast<unsigned char*>(std::calloc(bytes, 1)), &std::free);
    ASSERT_NE(memory, nullptr);
    use_huge_pages(memory.get(), bytes);
    EXPECT_EQ(std::count(memory.get(), memory.get() + bytes, 0), static_cast<std::ptrdiff_t>(bytes));
    memory.get()[0] = memory.get()[bytes - 1] = 7;
    use_huge_pages(memory.get(), bytes);  // memory that was touched already
    EXPECT_EQ(memory.get()[0], 7);
    EXPECT_EQ(memory.get()[bytes - 1], 7);
  }
}

}  // namespace
}  // namespace dhyan
