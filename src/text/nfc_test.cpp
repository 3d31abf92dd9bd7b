#include "text/nfc.h"

#include <chrono>
#include <cstdlib>
#include <gtest/gtest.h>
#include <memory>
#include <utf8proc.h>

#include "core/rng.h"
#include "text/unicode.h"

namespace dhyan {
namespace {

TEST(Nfc, ComposesLatinAndDecomposesNukta) {
  EXPECT_EQ(nfc("e\u0301"), "é");
  EXPECT_EQ(nfc("\u095C"), "\u0921\u093C");         // ड़: excluded from composition
  EXPECT_EQ(nfc("\u0928\u093C"), "\u0929");         // ऩ
  EXPECT_EQ(nfc("\u1112\u1161\u11AB"), "\uD55C");   // 한
  EXPECT_EQ(nfc("\u212B"), "Å");                    // Ångström sign
  EXPECT_EQ(nfc("a\u0301\u0323"), "\u1EA1\u0301");  // marks in order
}

TEST(Nfc, DoesNotApplyNfkc) {
  for (const char* text : {"", "plain", "½ ﬁ ①", "no\u00A0break", "क्\u200Dष", "मैं खाना खा रहा हूँ।", "ế"}) {
    EXPECT_EQ(nfc(text), text);
    EXPECT_TRUE(is_nfc(text)) << text;
  }
  EXPECT_FALSE(is_nfc("e\u0301"));
}

TEST(Nfc, MapsPositionsToTheOriginalLine) {
  const std::string original = "ae\u0301b\u095Cc";  // 1 + 3 + 1 + 3 + 1 bytes
  const NfcLine line(original);
  EXPECT_EQ(line.text(), "aéb\u0921\u093Cc");  // 1 + 2 + 1 + 6 + 1 bytes
  EXPECT_EQ(line.original({0, 1}), (ByteRange{0, 1}));
  EXPECT_EQ(line.original({1, 3}), (ByteRange{1, 4}));
  EXPECT_EQ(line.original({3, 4}), (ByteRange{4, 5}));
  EXPECT_EQ(line.original({4, 10}), (ByteRange{5, 8}));
  EXPECT_EQ(line.original({4, 7}), (ByteRange{5, 5}));  // the letter without its nukta: the range belongs to the nukta
  EXPECT_EQ(line.original({7, 10}), (ByteRange{5, 8}));
  EXPECT_EQ(line.original({10, 11}), (ByteRange{8, 9}));
}

// Compares with utf8proc on whole lines of difficult text.
TEST(Nfc, ByClustersEqualsNfcOfTheWholeLine) {
  const std::u32string alphabet =
      U"aeo \u0301\u0323\u0302\u0308नरडक\u093C\u094D\u093F\u0902\u095C\u0958\u0929"
      U"\u1100\u1161\u11A8\uAC00\u09C7\u09BE\u09D7\u0B47\u0B56\u1025\u102E\u212B\u200D\u1EBF";
  Rng rng(5);
  for (int trial = 0; trial < 3000; ++trial) {
    std::string text;
    for (std::uint64_t i = rng.below(9); i-- > 0;) append_utf8(text, alphabet[rng.below(alphabet.size())]);
    const std::unique_ptr<utf8proc_uint8_t, decltype(&std::free)> whole(
        utf8proc_NFC(reinterpret_cast<const utf8proc_uint8_t*>(text.c_str())), &std::free);
    const NfcLine line(text);
    ASSERT_EQ(line.text(), reinterpret_cast<const char*>(whole.get())) << text;
    // Every position maps to the boundary of a character, in ascending order.
    Index last = 0;
    for (Index at = 0; at <= static_cast<Index>(line.text().size()); ++at) {
      const Index back = line.original(at);
      ASSERT_GE(back, last);
      last = back;
    }
    ASSERT_EQ(last, static_cast<Index>(text.size()));
  }
}

TEST(Nfc, HandlesAMegabyteOfMarksInLinearTime) {
  std::string marks = "a";
  while (marks.size() < 1'000'000) marks += "\u0301\u0323";
  const auto start = std::chrono::steady_clock::now();
  EXPECT_EQ(nfc(marks).size(), marks.size());
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(5));
}

}  // namespace
}  // namespace dhyan
