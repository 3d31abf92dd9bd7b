#include "text/graphemes.h"

#include <gtest/gtest.h>

#include "text/unicode.h"

namespace dhyan {
namespace {

std::vector<std::string> clusters_of(std::string_view text) {
  std::vector<std::string> found;
  for (const ByteRange& range : clusters(text)) {
    found.emplace_back(part(text, range));
  }
  return found;
}

using Strings = std::vector<std::string>;

TEST(Clusters, KeepConjunctsAndVowelSignsOfDevanagariWhole) {
  for (const char* one : {"क्षि", "र्क", "ड़ा", "हूँ", "स्त्री", "क्‍ष", "श्र", "त्त्व", "ज़्यादा"}) {
    SCOPED_TRACE(one);
    if (std::string_view(one) == "ज़्यादा") {
      EXPECT_EQ(clusters_of(one), (Strings{"ज़्या", "दा"}));
    } else {
      EXPECT_EQ(clusters_of(one), Strings{one});
    }
  }
  EXPECT_EQ(clusters_of("मैं हिन्दी"), (Strings{"मैं", " ", "हि", "न्दी"}));
}

TEST(Clusters, KeepConjunctsOfOtherIndicScriptsWhole) {
  EXPECT_EQ(clusters_of("ক্ষ"), Strings{"ক্ষ"});
  EXPECT_EQ(clusters_of("ક્ષ"), Strings{"ક્ષ"});
}

TEST(Clusters, EndAtANonJoinerAndAtAWordsLastVirama) {
  EXPECT_EQ(clusters_of("क्\u200Cष"), (Strings{"क्\u200C", "ष"}));
  EXPECT_EQ(clusters_of("क् ष"), (Strings{"क्", " ", "ष"}));
  EXPECT_EQ(clusters_of("क्a"), (Strings{"क्", "a"}));
}

TEST(Clusters, FollowUnicodeForLatinEmojiAndHangul) {
  EXPECT_EQ(clusters_of("e\u0301a"), (Strings{"e\u0301", "a"}));
  EXPECT_EQ(clusters_of("👩\u200D🚀x"), (Strings{"👩\u200D🚀", "x"}));
  EXPECT_EQ(clusters_of("\u1112\u1161\u11AB"), Strings{"\u1112\u1161\u11AB"});
}

TEST(Clusters, CoverTheText) {
  EXPECT_TRUE(clusters("").empty());
  EXPECT_EQ(clusters_of("\u094D\u0937"), Strings{"\u094D\u0937"});  // begins with a mark
  const std::string text = "विश्वविद्यालय, café e\u0301 日本 👩\u200D🚀";
  std::string joined;
  for (const std::string& cluster : clusters_of(text)) joined += cluster;
  EXPECT_EQ(joined, text);
}

}  // namespace
}  // namespace dhyan
