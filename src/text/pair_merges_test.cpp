#include "text/pair_merges.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "core/testing/thrown.h"

namespace dhyan {
namespace {

using Symbols = std::vector<std::string>;

Symbols applied(const PairMerges& merges, const Symbols& symbols) {
  Symbols result;
  for (const PairMerges::Merged& merged : merges.apply(symbols)) {
    std::string& text = result.emplace_back();
    for (std::size_t i = merged.begin; i < merged.end; ++i) text += symbols[i];
  }
  return result;
}

TEST(PairMerges, AreAppliedInTheirOrderFromLeftToRight) {
  const PairMerges merges = PairMerges::parse("m", "#version: 0.2\na b\nb c\nab c\n");
  EXPECT_EQ(applied(merges, {"a", "b", "c"}), (Symbols{"abc"}));
  EXPECT_EQ(applied(merges, {"b", "c", "b", "a"}), (Symbols{"bc", "b", "a"}));
  EXPECT_EQ(applied(PairMerges::parse("m", "a a\n"), {"a", "a", "a"}), (Symbols{"aa", "a"}));
  EXPECT_EQ(applied(merges, {}), Symbols{});
  EXPECT_EQ(applied(merges, {"x", "a", "b"}), (Symbols{"x", "ab"}));
}

TEST(PairMerges, TakeLongWordsInLittleTime) {
  const PairMerges merges = PairMerges::parse("m", "a a\naa aa\n");
  const Symbols long_word(200'000, "a");
  EXPECT_EQ(merges.apply(long_word).size(), 50'000u);
}

TEST(PairMerges, CountTheFirstOfEqualPairs) {
  const PairMerges merges = PairMerges::parse("m", "a b\nb c\na b\r\n");
  EXPECT_EQ(applied(merges, {"a", "b", "c"}), (Symbols{"ab", "c"}));
  EXPECT_EQ(merges.fingerprint(), PairMerges::parse("m", "a b\nb c\n").fingerprint());
}

TEST(PairMerges, AreRefusedByLine) {
  for (const char* bad : {"a\n", " a b\n", "a b c\n"}) {
    EXPECT_EQ(thrown<ModelFileError>([&] { PairMerges::parse("m", std::string("x y\n") + bad); }),
              "m:2: expected two symbols and a blank between them")
        << bad;
  }
}

}  // namespace
}  // namespace dhyan
