#include "translator/test_set.h"

#include <algorithm>
#include <gtest/gtest.h>

#include "core/error.h"
#include "core/testing/thrown.h"
#include "data/testing/test_corpus.h"

namespace dhyan {
namespace {

class TestSetFiles : public testing::Test {
 protected:
  std::string refusal(const TestFiles& files) {
    return thrown<DataError>([&] { read_test_set(files); });
  }

  CorpusFolder folder_;
  std::string hi_ = folder_.text("test.hi", "मैं खा रहा हूँ\nहाँ\n");
  std::string en_ = folder_.text("test.en", "I am eating\nyes\n");
  std::string other_ = folder_.text("other.en", "I eat\n\n");
};

TEST_F(TestSetFiles, CanBeTwoParallelFiles) {
  const TestSet set = read_test_set({.pairs = {hi_, en_}, .references = {other_}, .alignments = {}});
  EXPECT_EQ(set.name, hi_ + " " + en_);
  EXPECT_EQ(set.sources, (std::vector<std::string>{"मैं खा रहा हूँ", "हाँ"}));
  EXPECT_EQ(set.references, (std::vector<std::vector<std::string>>{{"I am eating", "I eat"}, {"yes", ""}}));
  EXPECT_TRUE(set.alignments.empty());
  EXPECT_EQ(sentence_lengths(set), (std::vector<Index>{4, 1}));
}

TEST_F(TestSetFiles, CanBeOneFileOfTwoColumns) {
  const TestSet set =
      read_test_set({.pairs = {folder_.text("test.tsv.gz", "हाँ\tyes\n")}, .references = {}, .alignments = {}});
  EXPECT_EQ(set.references, (std::vector<std::vector<std::string>>{{"yes"}}));
  const std::string plain = folder_.text("plain", "हाँ\n");
  EXPECT_EQ(refusal({.pairs = {plain}, .references = {}, .alignments = {}}),
            plain + ": no translations to compare with; expected two files, or source, tab, target");
}

TEST_F(TestSetFiles, MustHaveEquallyManyLines) {
  const std::string three = folder_.text("three", "a\nb\nc\n"), one = folder_.text("one", "0-0\n");
  EXPECT_EQ(refusal({.pairs = {hi_, en_}, .references = {three}, .alignments = {}}),
            three + ": 3 lines, and " + hi_ + " " + en_ + " has 2; they must have equally many");
  EXPECT_EQ(refusal({.pairs = {hi_, en_}, .references = {}, .alignments = one}),
            one + ": 1 line, and " + hi_ + " " + en_ + " has 2; they must have equally many");
  EXPECT_THROW(read_test_set({.pairs = {hi_, three}, .references = {}, .alignments = {}}), DataError);
}

TEST_F(TestSetFiles, MustNotBeEmpty) {
  const std::string a = folder_.text("a", ""), b = folder_.text("b", "");
  EXPECT_EQ(refusal({.pairs = {a, b}, .references = {}, .alignments = {}}),
            a + " " + b + ": has no lines; a score needs at least one sentence");
}

TEST_F(TestSetFiles, MayHaveAlignmentsThatFitTheWords) {
  const std::string gold = folder_.text("gold", "0-0 3-1 1?2\n\n");
  const TestSet set = read_test_set({.pairs = {hi_, en_}, .references = {}, .alignments = gold});
  ASSERT_EQ(set.alignments.size(), 2u);
  EXPECT_EQ(set.alignments[0].sure, (Links{{0, 0}, {3, 1}}));
  EXPECT_EQ(set.alignments[0].possible, (Links{{1, 2}}));
  EXPECT_TRUE(set.alignments[1].sure.empty());

  const std::string bad = folder_.text("bad", "0-0\n0:0\n"), far = folder_.text("far", "0-0\n0-1\n");
  EXPECT_EQ(refusal({.pairs = {hi_, en_}, .references = {}, .alignments = bad}).find(bad + ":2: '0:0' is not a link"),
            0u);
  EXPECT_EQ(refusal({.pairs = {hi_, en_}, .references = {}, .alignments = far}),
            far + ":2: link 0-1 in a sentence of 1 source and 1 target words; words are counted from 0");
}

TEST_F(TestSetFiles, MayBeTranslationsWithTheirReferences) {
  const TranslatedSet both = read_translations({.hypotheses = other_, .references = {en_, other_}, .sources = {}});
  EXPECT_EQ(both.hypotheses, (std::vector<std::string>{"I eat", ""}));
  EXPECT_EQ(both.set.references, (std::vector<std::vector<std::string>>{{"I am eating", "I eat"}, {"yes", ""}}));
  EXPECT_EQ(sentence_lengths(both.set), (std::vector<Index>{3, 1})) << "of the first reference";
  const TranslatedSet known = read_translations({.hypotheses = other_, .references = {en_}, .sources = hi_});
  EXPECT_EQ(sentence_lengths(known.set), (std::vector<Index>{4, 1})) << "of the source";
}

TEST_F(TestSetFiles, CanBeReadWithoutTheTranslations) {
  const TestSet set = read_references({en_, other_});
  EXPECT_EQ(set.name, en_ + " " + other_);
  EXPECT_EQ(set.references, (std::vector<std::vector<std::string>>{{"I am eating", "I eat"}, {"yes", ""}}));
  EXPECT_EQ(read_hypotheses(other_, set), (std::vector<std::string>{"I eat", ""}));
  const std::string one = folder_.text("one", "a\n");
  EXPECT_EQ(thrown<DataError>([&] { read_hypotheses(one, set); }),
            one + ": 1 line, and " + set.name + " has 2; they must have equally many");
}

TEST_F(TestSetFiles, NeedAReference) {
  EXPECT_THROW(read_translations({.hypotheses = other_, .references = {}, .sources = {}}), UsageError);
  EXPECT_EQ(thrown<UsageError>([] { read_translations({.hypotheses = "-", .references = {"-"}, .sources = {}}); }),
            "standard input is named 2 times; it can be read only once");
}

TEST(PhrasebookTestSet, HasAlignmentsThatFit) {
  const TestSet set = phrasebook_test_set("hi-en");
  EXPECT_EQ(set.name, "phrasebook hi-en, test");
  ASSERT_GT(set.sources.size(), 100u);
  ASSERT_EQ(set.alignments.size(), set.sources.size());
  const std::vector<Index> lengths = sentence_lengths(set);
  for (std::size_t i = 0; i < set.sources.size(); ++i) {
    EXPECT_FALSE(set.alignments[i].sure.empty());
    require_words(set.alignments[i], lengths[i], sentence_lengths({.name = "", .sources = set.references[i]}).front(),
                  set.sources[i]);
  }
}

TEST(PhrasebookTestSet, HasSentencesOfTheLengthThatIsAskedFor) {
  const auto longest = [](Index max_words) {
    return std::ranges::max(sentence_lengths(phrasebook_test_set("fr-en", Part::kDev, max_words)));
  };
  EXPECT_EQ(longest(20), 20);
  EXPECT_EQ(longest(60), 60);
}

}  // namespace
}  // namespace dhyan
