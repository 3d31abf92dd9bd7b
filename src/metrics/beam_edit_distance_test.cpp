#include "metrics/beam_edit_distance.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <utility>

#include "core/rng.h"

namespace dhyan {
namespace {

Symbols symbols(std::u32string_view text) { return {text.begin(), text.end()}; }

// The whole table, without a beam.
Index plain_distance(const Symbols& a, const Symbols& b) {
  std::vector<Index> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = static_cast<Index>(j);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    Index diagonal = std::exchange(row[0], static_cast<Index>(i));
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const Index best = std::min({diagonal + (a[i - 1] == b[j - 1] ? 0 : 1), row[j] + 1, row[j - 1] + 1});
      diagonal = std::exchange(row[j], best);
    }
  }
  return row.back();
}

TEST(BeamEditDistance, CountsInsertionsDeletionsAndReplacements) {
  const Symbols reference = symbols(U"kitten");
  BeamEditDistance distance(reference);
  EXPECT_EQ(distance(symbols(U"sitting")), 3);
  EXPECT_EQ(distance(symbols(U"kitten")), 0);
  EXPECT_EQ(distance(symbols(U"")), 6);
  EXPECT_EQ(distance(symbols(U"kiten")), 1);
}

TEST(BeamEditDistance, MarksTheWrongWords) {
  const Symbols reference = symbols(U"abcd");
  BeamEditDistance distance(reference);
  EXPECT_EQ(distance(symbols(U"bxde")), 3);  // a missing, x for c, e too many
  const WordMatching matching = distance.matching();
  EXPECT_EQ(matching.partner, (std::vector<Index>{-1, 0, 1, 2}));
  EXPECT_EQ(matching.reference_wrong, (std::vector<bool>{true, false, true, false}));
  EXPECT_EQ(matching.hypothesis_wrong, (std::vector<bool>{false, true, false, true}));
}

TEST(BeamEditDistance, EqualsTheFullTableIfTheBeamIsWideEnough) {
  Rng rng(7);
  const auto drawn = [&](std::uint64_t length) {
    Symbols text;
    for (std::uint64_t i = 0; i < length; ++i) text.push_back(static_cast<char32_t>(rng.below(4)));
    return text;
  };
  for (int trial = 0; trial < 200; ++trial) {
    const Symbols reference = drawn(1 + rng.below(20));
    BeamEditDistance distance(reference);
    Symbols words = drawn(rng.below(20));
    for (int change = 0; change < 3; ++change) {  // same length: rows are shared
      EXPECT_EQ(distance(words), plain_distance(words, reference));
      if (!words.empty()) words[rng.below(words.size())] = static_cast<char32_t>(rng.below(4));
    }
  }
}

TEST(BeamEditDistance, ReachesTheEndForVeryDifferentLengths) {
  for (const std::size_t words : {1, 2, 3, 40}) {
    for (const std::size_t length : {1, 49, 50, 51, 200, 301, 1999}) {
      const Symbols reference(length, U'r'), hypothesis(words, U'h');
      BeamEditDistance distance(reference);
      EXPECT_EQ(distance(hypothesis), static_cast<Index>(std::max(length, words)));
      EXPECT_EQ(distance.matching().partner.size(), length);
    }
  }
}

}  // namespace
}  // namespace dhyan
