#include "interop/marian_shortlist.h"

#include <cstring>
#include <gtest/gtest.h>

#include "core/error.h"
#include "core/testing/thrown.h"

namespace dhyan {
namespace {

// Source word 0 has none, 1 has 7 and 3, 2 has 9.
const MarianShortlist kSmallShortlist{.first = 2, .best = 5, .begins = {0, 0, 2, 3}, .words = {7, 3, 9}};

MarianShortlist parsed_shortlist(const std::string& bytes) {
  return parse_marian_shortlist("lex.bin", std::as_bytes(std::span(bytes)));
}

std::string shortlist_refusal(const std::string& bytes) {
  return thrown<ModelFileError>([&] { parsed_shortlist(bytes); });
}

TEST(MarianShortlist, IsReadAsItWasWritten) {
  const std::string bytes = to_bytes(kSmallShortlist);
  EXPECT_TRUE(is_marian_shortlist(std::as_bytes(std::span(bytes))));
  const MarianShortlist read = parsed_shortlist(bytes);
  EXPECT_EQ(read.first, 2);
  EXPECT_EQ(read.best, 5);
  EXPECT_EQ(read.begins, kSmallShortlist.begins);
  EXPECT_EQ(read.words, kSmallShortlist.words);
}

// The first words of a file of Firefox, whose checksum Marian computed.
TEST(MarianShortlist, HasTheChecksumOfMarian) {
  const std::string bytes = to_bytes({.first = 50, .best = 50, .begins = {0, 0}, .words = {}});
  std::uint64_t sum;
  std::memcpy(&sum, bytes.data() + 8, sizeof(sum));
  std::uint64_t expected = 0;
  for (const std::uint64_t number : {50, 50, 2, 0, 0, 0}) {
    expected ^= number + 0x9e3779b9 + (expected << 6) + (expected >> 2);
  }
  EXPECT_EQ(sum, expected);
}

TEST(MarianShortlist, RefusesFilesThatAreDamaged) {
  const std::string bytes = to_bytes(kSmallShortlist);
  EXPECT_EQ(shortlist_refusal("lexicon"), "lex.bin: is no binary shortlist of Marian");
  for (std::size_t length = 8; length < bytes.size(); ++length) {
    EXPECT_NE(shortlist_refusal(bytes.substr(0, length)), "") << length << " bytes";
  }
  for (std::size_t at = 0; at + 4 < bytes.size(); ++at) {
    std::string changed = bytes;
    changed[at] = static_cast<char>(changed[at] ^ 1);
    EXPECT_NE(shortlist_refusal(changed), "") << "byte " << at;
  }
  EXPECT_NE(shortlist_refusal(bytes + "more"), "");
  EXPECT_NE(shortlist_refusal(to_bytes({.first = 1, .best = 1, .begins = {0, 3, 2, 3}, .words = {7, 3, 9}})), "");
  EXPECT_NE(shortlist_refusal(to_bytes({.first = 1, .best = 1, .begins = {0, 2}, .words = {7, 3, 9}})), "");
  EXPECT_NE(shortlist_refusal(to_bytes({.first = 1, .best = 1, .begins = {0, 1}, .words = {-7}})), "");
}

}  // namespace
}  // namespace dhyan
