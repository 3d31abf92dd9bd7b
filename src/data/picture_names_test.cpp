#include "data/picture_names.h"

#include <gtest/gtest.h>

#include "core/error.h"

namespace dhyan {
namespace {

TEST(PictureNames, GiveEveryNameItsNumber) {
  const PictureNames names({"b.jpg", "a b.png"}, 7);
  EXPECT_EQ(names.size(), 2);
  EXPECT_EQ(names.encode("a b.png").ids, std::vector<TokenId>{1});
  EXPECT_TRUE(names.encode("c.jpg").ids.empty());
  EXPECT_EQ(names.piece(0), "b.jpg");
  EXPECT_EQ(names.decode(std::vector<TokenId>{1, 0}), "a b.png b.jpg");
  EXPECT_THROW(names.piece(2), UsageError);
  EXPECT_THROW(PictureNames({"a", "a"}, 7), UsageError);
}

TEST(PictureNames, DifferIfNamesOrPicturesDo) {
  const std::uint64_t one = PictureNames({"a", "b"}, 7).fingerprint();
  EXPECT_EQ(PictureNames({"a", "b"}, 7).fingerprint(), one);
  EXPECT_NE(PictureNames({"b", "a"}, 7).fingerprint(), one);
  EXPECT_NE(PictureNames({"a", "b"}, 8).fingerprint(), one);
}

}  // namespace
}  // namespace dhyan
