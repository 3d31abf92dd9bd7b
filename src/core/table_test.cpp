#include "core/table.h"

#include <gtest/gtest.h>

namespace dhyan {
namespace {

struct Entry {
  std::string_view name;
  int value;
};
constexpr Entry kEntries[] = {{"one", 1}, {"two", 2}};
constexpr std::span<const Entry> kTable = kEntries;

TEST(Table, FindsAnEntryByItsName) { EXPECT_EQ(entry_named("number", kTable, "two").value, 2); }

TEST(Table, ListsTheNamesWhenThereIsNoneSuch) {
  try {
    entry_named("number", kTable, "three");
    FAIL() << "expected ConfigError";
  } catch (const ConfigError& error) {
    EXPECT_STREQ(error.what(), "number: 'three' is none of one, two");
  }
}

}  // namespace
}  // namespace dhyan
