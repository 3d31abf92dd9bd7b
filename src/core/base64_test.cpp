#include "core/base64.h"

#include <gtest/gtest.h>

#include "core/rng.h"

namespace dhyan {
namespace {

TEST(Base64, WritesTheVectorsOfRfc4648) {
  EXPECT_EQ(base64(""), "");
  EXPECT_EQ(base64("f"), "Zg==");
  EXPECT_EQ(base64("fo"), "Zm8=");
  EXPECT_EQ(base64("foo"), "Zm9v");
  EXPECT_EQ(base64("foobar"), "Zm9vYmFy");
  EXPECT_EQ(base64("\xFB\xFF\xBF"), "+/+/");
}

TEST(Base64, ReadsWhatItWrites) {
  Rng rng(1);
  for (std::size_t size = 0; size < 100; ++size) {
    std::string bytes;
    for (std::size_t i = 0; i < size; ++i) bytes += static_cast<char>(rng.below(256));
    EXPECT_EQ(from_base64(base64(bytes)), bytes);
  }
}

TEST(Base64, ReadsTextOfOtherWriters) {
  EXPECT_EQ(from_base64("Zm9v\r\nYmE"), "fooba");
  EXPECT_EQ(from_base64("-_-_"), "\xFB\xFF\xBF");
}

TEST(Base64, RefusesOtherText) {
  for (const char* text : {"Zg=", "Z", "Zg===", "Zg==Zg==", "Zm9v!", "=", "Zm9=v"}) {
    EXPECT_EQ(from_base64(text), std::nullopt) << text;
  }
}

}  // namespace
}  // namespace dhyan
