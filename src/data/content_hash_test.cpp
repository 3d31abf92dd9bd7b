#include "data/content_hash.h"

#include <fstream>
#include <gtest/gtest.h>
#include <string>

#include "core/error.h"

namespace dhyan {
namespace {

TEST(ContentHash, IsTheSameIncrementallyAndAtOnce) {
  const std::string text(1000, 'x');
  const auto bytes = std::as_bytes(std::span(text));
  ContentHash parts;
  parts.add(bytes.first(1)).add(bytes.subspan(1, 700)).add(bytes.subspan(701));
  EXPECT_EQ(parts.value(), content_hash(bytes));
  EXPECT_NE(content_hash(bytes), content_hash(bytes, 1));
}

TEST(ContentHash, EqualsXxh3) {  // as `xxhsum -H3` prints it
  EXPECT_EQ(content_hash({}), 0x2d06800538d394c2);
}

TEST(ContentHash, IsTheSameForAFileAndItsBytes) {
  const auto path = std::filesystem::path(testing::TempDir()) / "content_hash_test";
  const std::string text(300'000, 'y');
  std::ofstream(path, std::ios::binary) << text;
  EXPECT_EQ(content_hash_of_file(path), content_hash(std::as_bytes(std::span(text))));
  std::filesystem::remove(path);
  EXPECT_THROW(content_hash_of_file(path), IoError);
}

}  // namespace
}  // namespace dhyan
