#include "data/captions.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "core/testing/thrown.h"
#include "data/testing/test_corpus.h"

namespace dhyan {
namespace {

using Shown = std::vector<std::string>;

class Captions : public testing::Test {
 protected:
  Shown read(const std::string& file, Part part = Part::kTrain, const ReadOptions& options = {}) {
    const auto pairs = open_captions(file, part, options);
    Shown all = shown(*pairs);
    report_ = pairs->report();
    return all;
  }

  CorpusFolder folder_;
  ReadReport report_;
};

TEST_F(Captions, AreReadWithTheirPictures) {
  const std::string file = folder_.write("captions.tsv", "a.jpg\ta dog\na.jpg\ta brown dog\nb.png\ta cat\n");
  EXPECT_EQ(read(file), (Shown{"1: a.jpg | a dog", "2: a.jpg | a brown dog", "3: b.png | a cat"}));
  EXPECT_EQ(report_.pairs, 3U);
  EXPECT_EQ(report_.bytes, report_.bytes_in_all);
  EXPECT_FALSE(has_split(file));
  const std::vector<CaptionedPicture> pictures = read_captions(file, Part::kTest);
  ASSERT_EQ(pictures.size(), 2U);
  EXPECT_EQ(pictures[0].name, "a.jpg");
  EXPECT_EQ(pictures[0].captions, (Shown{"a dog", "a brown dog"}));
}

TEST_F(Captions, OfAFileWithASplitAreThoseOfThePart) {
  const std::string file = folder_.write(
      "captions.tsv",
      "image\tsplit\tcaption\na\ttrain\tone\nb\tval\ttwo\nc\ttest\tthree\nd\tdev\tfour\ne\ttrain\tfive\n");
  EXPECT_TRUE(has_split(file));
  EXPECT_EQ(read(file), (Shown{"2: a | one", "6: e | five"}));
  EXPECT_EQ(read(file, Part::kDev), (Shown{"3: b | two", "5: d | four"}));
  EXPECT_EQ(read(file, Part::kTest), (Shown{"4: c | three"}));
}

TEST_F(Captions, AreFoundByTheHeader) {
  const std::string file = folder_.write("captions.tsv", "caption\tscore\timage\nred\t7\ta.png\n");
  EXPECT_EQ(read(file), (Shown{"2: a.png | red"}));
}

TEST_F(Captions, OfBadLinesAreRefusedOrSkipped) {
  const std::string one = folder_.write("one.tsv", "a.jpg\tx\nb.jpg\n");
  EXPECT_EQ(thrown<DataError>([&] { read(one); }), one + ":2: 1 column; expected image, tab, caption");
  EXPECT_EQ(read(one, Part::kTrain, {.on_bad_columns = OnBadColumns::kSkip}), (Shown{"1: a.jpg | x"}));
  EXPECT_EQ(report_.bad_columns, 1U);
  const std::string split = folder_.write("split.tsv", "image\tsplit\tcaption\na\tnone\tone\n");
  EXPECT_EQ(thrown<DataError>([&] { read(split); }), split + ":2: split is 'none', expected train, dev, val or test");
  const std::string unnamed = folder_.write("unnamed.tsv", "image\tsplit\tcaption\n\ttrain\tone\n");
  EXPECT_EQ(thrown<DataError>([&] { read(unnamed); }),
            unnamed + ":2: 3 columns; expected 3, as the header has, and an image");
}

}  // namespace
}  // namespace dhyan
