#include "runs/aligned_pairs.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "core/testing/temporary_folder.h"
#include "core/testing/thrown.h"

namespace dhyan {
namespace {

class AlignedCorpus : public testing::Test {
 protected:
  std::vector<SentencePair> read(const std::string& corpus, const std::string& alignments) {
    const ReadOptions options{.on_bad_columns = OnBadColumns::kSkip};
    AlignedPairs pairs(open_pairs({{folder_.write("corpus.tsv", corpus)}, CorpusFormat::kTsv}, options),
                       folder_.write("links", alignments), options);
    std::vector<SentencePair> all;
    for (SentencePair pair; pairs.next(pair);) all.push_back(pair);
    return all;
  }

  std::string refusal(const std::string& alignments) {
    return thrown<DataError>([&] { read("a b\tx y\nc\tz\n", alignments); });
  }

  TemporaryFolder folder_;
};

TEST_F(AlignedCorpus, KeepsAlignmentsInStepWhenLinesAreSkipped) {
  const std::vector<SentencePair> pairs = read("a b\tx y\nbad\nc\tz\n", "0-1 1p0\n5-5\n0-0\n");
  ASSERT_EQ(pairs.size(), 2u);
  EXPECT_EQ(pairs[0].links, (std::vector<WordLink>{{0, 1}, {1, 0}}));
  EXPECT_EQ(pairs[1].links, (std::vector<WordLink>{{0, 0}}));
}

TEST_F(AlignedCorpus, NamesTheMalformedLine) {
  const std::string file = folder_.path("links");
  EXPECT_EQ(refusal("0-0\n"), file + ": ends after line 1; expected alignments for every line of the corpus");
  EXPECT_EQ(refusal("0-0\n\n\n\n"), file + ": 4 lines of alignments for a corpus of 2; expected one for each");
  EXPECT_TRUE(refusal("0-0\n0-1\n").starts_with(file + ":2: ")) << refusal("0-0\n0-1\n");
  EXPECT_TRUE(refusal("nonsense\n\n").starts_with(file + ":1: "));
}

}  // namespace
}  // namespace dhyan
