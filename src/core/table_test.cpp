#include "core/table.h"

#include <gtest/gtest.h>

#include "core/testing/thrown.h"

namespace dhyan {
namespace {

struct Entry {
  std::string_view name;
  int value;
};
constexpr Entry kEntries[] = {{"one", 1}, {"two", 2}};
constexpr std::span<const Entry> kTable = kEntries;

TEST(Table, FindsAnEntryByItsName) { EXPECT_EQ(entry_named("number", kTable, "two").value, 2); }

TEST(Table, ListsTheNamesIfNoneMatches) {
  EXPECT_EQ(thrown<ConfigError>([&] { entry_named("number", kTable, "three"); }),
            "number: 'three' is none of one, two");
}

}  // namespace
}  // namespace dhyan
