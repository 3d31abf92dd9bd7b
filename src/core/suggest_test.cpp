#include "core/suggest.h"

#include <gtest/gtest.h>
#include <vector>

namespace dhyan {
namespace {

TEST(Suggest, CountsEdits) {
  EXPECT_EQ(edit_distance("", ""), 0);
  EXPECT_EQ(edit_distance("", "abc"), 3);
  EXPECT_EQ(edit_distance("explain", "explain"), 0);
  EXPECT_EQ(edit_distance("explan", "explain"), 1);
  EXPECT_EQ(edit_distance("expalin", "explain"), 1) << "a swap is one slip of the fingers";
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3);
}

TEST(Suggest, NamesTheNearestAndOnlyIfItIsNear) {
  const std::vector<std::string> commands{"explain", "inspect", "translate"};
  EXPECT_EQ(suggestion("inspekt", commands), "; did you mean 'inspect'?");
  EXPECT_EQ(suggestion("trans", commands), "; did you mean 'translate'?") << "a beginning is near";
  EXPECT_EQ(suggestion("xyz", commands), "");
  EXPECT_EQ(suggestion("", commands), "");
  EXPECT_EQ(suggestion("explain", {}), "");
}

TEST(Suggest, NamesWhatBeginsWithAMisspeltWord) {
  const std::vector<std::string> options{"--seed", "--beam-size", "--max-length-factor", "--max-length"};
  EXPECT_EQ(suggestion("--beem", options), "; did you mean '--beam-size'?");
  EXPECT_EQ(suggestion("--sead", options), "; did you mean '--seed'?");
  EXPECT_EQ(suggestion("--max-lenght", options), "; did you mean '--max-length'?") << "the whole name goes before";
}

TEST(Suggestion, ListsWhatIsKnown) {
  const std::vector<std::string> presets{"luong", "rnnsearch"};
  EXPECT_EQ(unknown_name("preset", "luon", presets),
            "there is no preset 'luon'; did you mean 'luong'? Known are luong, rnnsearch");
  EXPECT_EQ(unknown_name("preset", "xyz", presets), "there is no preset 'xyz'. Known are luong, rnnsearch");
}

}  // namespace
}  // namespace dhyan
