#include "core/segments.h"

#include <gtest/gtest.h>
#include <limits>

#include "core/error.h"
#include "core/testing/thrown.h"

namespace dhyan {
namespace {

TEST(Segments, GiveEachSentenceItsRows) {
  const Segments segments = Segments::from_lengths({3, 1, 2});
  EXPECT_EQ(segments.count(), 3);
  EXPECT_EQ(segments.rows(), 6);
  EXPECT_EQ(segments.begin(2), 4);
  EXPECT_EQ(segments.end(2), 6);
  EXPECT_EQ(segments.length(1), 1);
  EXPECT_EQ(segments.longest(), 3);
}

TEST(Segments, MayHoldEmptySentences) {
  const Segments segments = Segments::from_lengths({0, 2, 0});
  EXPECT_EQ(segments.count(), 3);
  EXPECT_EQ(segments.rows(), 2);
  EXPECT_EQ(segments.length(0), 0);
  EXPECT_EQ(segments.begin(2), 2);
  EXPECT_EQ(segments.end(2), 2);
}

TEST(Segments, WithoutSentencesHaveNoRows) {
  for (const Segments& none : {Segments(), Segments::from_lengths({}), Segments::singles(0)}) {
    EXPECT_EQ(none.count(), 0);
    EXPECT_EQ(none.rows(), 0);
    EXPECT_EQ(none.longest(), 0);
    EXPECT_EQ(none, Segments());
  }
}

TEST(Segments, HaveShortcutsForOneSentenceAndForOneRowEach) {
  EXPECT_EQ(Segments::one(4), Segments::from_lengths({4}));
  EXPECT_EQ(Segments::singles(3), Segments::from_lengths({1, 1, 1}));
}

TEST(Segments, GiveTheirFirstSentences) {
  const Segments segments = Segments::from_lengths({3, 0, 2});
  EXPECT_EQ(segments.first(2), Segments::from_lengths({3, 0}));
  EXPECT_EQ(segments.first(2).rows(), 3);
  EXPECT_EQ(segments.first(2).longest(), 3);
  EXPECT_EQ(segments.first(0), Segments());
  EXPECT_EQ(segments.first(0).rows(), 0);
  EXPECT_EQ(segments.first(3), segments);
  EXPECT_FALSE(segments.first(2) == segments);
  EXPECT_EQ(Segments().first(0), Segments());
  EXPECT_EQ(thrown<ShapeError>([&] { segments.first(4); }), "Segments: the first 4 of 3 sentences");
  EXPECT_EQ(thrown<ShapeError>([&] { segments.first(-1); }), "Segments: the first -1 of 3 sentences");
}

TEST(Segments, AreEqualWhenTheirLengthsAre) {
  const Segments segments = Segments::from_lengths({1, 2});
  const Segments copy = segments;
  EXPECT_EQ(copy, segments);
  EXPECT_EQ(Segments::from_lengths({1, 2}), segments);
  EXPECT_FALSE(Segments::from_lengths({2, 1}) == segments);
  EXPECT_FALSE(Segments::from_lengths({1, 2, 0}) == segments);
  EXPECT_FALSE(Segments() == segments);
}

TEST(Segments, RefuseNegativeAndOverflowingLengths) {
  EXPECT_EQ(thrown<ShapeError>([&] { Segments::from_lengths({2, -3}); }), "Segments: length -3 is negative");
  EXPECT_THROW(Segments::one(-1), ShapeError);
  EXPECT_THROW(Segments::singles(-1), ShapeError);
  EXPECT_THROW(Segments::from_lengths({std::numeric_limits<Index>::max(), 1}), ShapeError);
}

TEST(Segments, MayLieInSlots) {
  const std::vector<Index> slots{3, 0, 1}, lengths{2, 0, 3};
  const Segments in_slots = Segments::in_slots(3, slots, lengths);
  EXPECT_EQ(in_slots.count(), 3);
  EXPECT_EQ(in_slots.rows(), 12);
  EXPECT_EQ(in_slots.begin(0), 9);
  EXPECT_EQ(in_slots.end(0), 11);
  EXPECT_EQ(in_slots.length(1), 0);
  EXPECT_EQ(in_slots.begin(2), 3);
  EXPECT_EQ(in_slots.end(2), 6);
  EXPECT_EQ(in_slots.longest(), 3);
  EXPECT_EQ(in_slots.first(2).rows(), 12);
  EXPECT_FALSE(in_slots == Segments::from_lengths({3, 3, 3}));
  const std::vector<Index> in_order{0, 1, 2}, full{3, 3, 3};
  EXPECT_TRUE(Segments::in_slots(3, in_order, full) == Segments::from_lengths({3, 3, 3}));
  EXPECT_THROW(Segments::in_slots(2, slots, lengths), ShapeError);
  EXPECT_THROW(Segments::in_slots(3, std::vector<Index>{0, 1}, lengths), ShapeError);
  EXPECT_THROW(Segments::in_slots(3, std::vector<Index>{0, 1, -1}, lengths), ShapeError);
}

}  // namespace
}  // namespace dhyan
