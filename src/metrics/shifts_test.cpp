#include "metrics/shifts.h"

#include <cmath>
#include <gtest/gtest.h>

#include "core/rng.h"
#include "metrics/beam_edit_distance.h"

namespace dhyan {
namespace {

Index edits(std::u32string_view hypothesis, std::u32string_view reference) {
  return edits_with_shifts({hypothesis.begin(), hypothesis.end()}, {reference.begin(), reference.end()});
}

TEST(Shifts, CountAsOneEditForAnyNumberOfWords) {
  EXPECT_EQ(edits(U"defabc", U"abcdef"), 1);
  EXPECT_EQ(edits(U"bcdefa", U"abcdef"), 1);
  EXPECT_EQ(edits(U"abcdef", U"abcdef"), 0);
}

// The example of [snover2006]: "this week the saudis denied information published in the new york times" against
// "saudi arabia denied this week information published in the american new york times" has 4 edits, one a shift.
TEST(Shifts, EqualTheExampleOfThePaper) { EXPECT_EQ(edits(U"twHsdipeHnyk", U"radtwipeHAnyk"), 4); }

TEST(Shifts, HandleEmptyTexts) {
  EXPECT_EQ(edits(U"", U""), 0);
  EXPECT_EQ(edits(U"abc", U""), 3);
  EXPECT_EQ(edits(U"", U"abc"), 3);
}

TEST(Shifts, NeverAddEdits) {
  Rng rng(3);
  for (int trial = 0; trial < 200; ++trial) {
    Symbols hypothesis, reference;
    for (std::uint64_t i = rng.below(15); i > 0; --i) hypothesis.push_back(static_cast<char32_t>(rng.below(5)));
    for (std::uint64_t i = 1 + rng.below(15); i > 0; --i) reference.push_back(static_cast<char32_t>(rng.below(5)));
    BeamEditDistance distance(reference);
    const Index edits = edits_with_shifts(hypothesis, reference);
    EXPECT_LE(edits, distance(hypothesis));
    EXPECT_GE(edits, std::abs(std::ssize(hypothesis) - std::ssize(reference))) << "a shift changes no length";
  }
}

}  // namespace
}  // namespace dhyan
