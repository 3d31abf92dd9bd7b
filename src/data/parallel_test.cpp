#include "data/parallel.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "core/testing/thrown.h"
#include "data/testing/test_corpus.h"

namespace dhyan {
namespace {

using Shown = std::vector<std::string>;

class Corpora : public testing::Test {
 protected:
  Shown read(const CorpusSpec& corpus, const ReadOptions& options = {}) {
    const auto pairs = open_pairs(corpus, options);
    Shown all = shown(*pairs);
    report_ = pairs->report();
    return all;
  }

  CorpusFolder folder_;
  ReadReport report_;
};

TEST_F(Corpora, ParallelFilesAreReadInLockstep) {
  const CorpusSpec corpus{{folder_.write("hi", "मैं\nतुम\n"), folder_.text("en.gz", "I\r\nyou")}};
  EXPECT_EQ(read(corpus), (Shown{"1: मैं | I", "2: तुम | you"}));
  EXPECT_EQ(report_.lines, 2U);
  EXPECT_EQ(report_.pairs, 2U);
  EXPECT_EQ(report_.bytes, report_.bytes_in_all);
}

TEST_F(Corpora, FilesOfUnequalLengthAreRefusedWithBothCounts) {
  const std::string two = folder_.write("two", "1\n2\n"), three = folder_.write("three", "1\n2\n3"),
                    six = folder_.write("six", "1\n2\n3\n4\n\xff\n6\n"), none = folder_.write("none", "");
  const auto refusal = [&](const std::string& a, const std::string& b) {
    return thrown<DataError>([&] { read({{a, b}}); });
  };
  const std::string rule = "; parallel files must have equally many lines";
  EXPECT_EQ(refusal(three, two), cat(three, ":3: 1 more line than ", two, " (2)", rule));
  EXPECT_EQ(refusal(two, three), cat(three, ":3: 1 more line than ", two, " (2)", rule));
  EXPECT_EQ(refusal(two, six), cat(six, ":6: 4 more lines than ", two, " (2)", rule));
  EXPECT_EQ(refusal(none, two), cat(two, ":2: 2 more lines than ", none, " (0)", rule));
}

TEST_F(Corpora, SkippingABadLineSkipsItsTranslation) {
  const CorpusSpec corpus{{folder_.write("a", "1\n\xff\n3\n4"), folder_.write("b", "I\nII\nIII\n\x80")}};
  EXPECT_EQ(thrown<DataError>([&] { read(corpus); }), folder_.path("a") + ":2: byte 1: not UTF-8 (0xFF)");
  EXPECT_EQ(read(corpus, {.on_bad_utf8 = OnBadUtf8::kSkip}), (Shown{"1: 1 | I", "3: 3 | III"}));
  EXPECT_EQ(report_.lines, 4U);
  EXPECT_EQ(report_.pairs, 2U);
  EXPECT_EQ(report_.bad_utf8, 2U);
  EXPECT_EQ(read(corpus, {.on_bad_utf8 = OnBadUtf8::kReplace}).back(), "4: 4 | \ufffd");
  EXPECT_EQ(report_.pairs, 4U);
  EXPECT_EQ(report_.bad_utf8, 2U);
}

TEST_F(Corpora, TsvHasOneTabPerLine) {
  EXPECT_EQ(read({{folder_.write("a.tsv", "मैं\tI\n\t\nx\t")}}), (Shown{"1: मैं | I", "2:  | ", "3: x | "}));
  const std::string bad = folder_.write("bad.tsv", "a\tb\nc\nd\te\tf\n\ng\th");
  EXPECT_EQ(thrown<DataError>([&] { read({{bad}}); }), bad + ":2: 1 column; expected source, tab, target");
  const std::string wide = folder_.write("wide.tsv", "a\tb\tc\n");
  EXPECT_EQ(thrown<DataError>([&] { read({{wide}}); }), wide + ":1: 3 columns; expected source, tab, target");
  EXPECT_EQ(read({{bad}}, {.on_bad_columns = OnBadColumns::kSkip}), (Shown{"1: a | b", "5: g | h"}));
  EXPECT_EQ(report_.bad_columns, 3U);
  EXPECT_EQ(report_.lines, 5U);
}

TEST_F(Corpora, PlainTextHasNoTargets) {
  const CorpusSpec corpus{{folder_.write("a.txt", "one\n\ntwo\tthree")}, CorpusFormat::kPlain};
  EXPECT_EQ(read(corpus), (Shown{"1: one | ", "2:  | ", "3: two\tthree | "}));
  EXPECT_FALSE(open_pairs(corpus)->has_targets());
}

TEST_F(Corpora, GuessTheFormatFromTheNameAndTheFirstBytes) {
  const auto two_sided = [&](const std::string& file) { return open_pairs(CorpusSpec{{file}})->has_targets(); };
  EXPECT_TRUE(two_sided(folder_.write("a.tsv", "no tab\n")));
  EXPECT_TRUE(two_sided(folder_.text("b.TSV.zst", "")));
  EXPECT_TRUE(two_sided(folder_.write("c", "a\tb\nno tab")));
  EXPECT_FALSE(two_sided(folder_.write("d", "no tab\na\tb\n")));
  EXPECT_FALSE(two_sided(folder_.write("e", "")));
  const ReadOptions languages{.source_language = "hi", .target_language = "en"};
  for (const char* name : {"f.tmx", "f", "f.gz"}) {
    const std::string file = folder_.text(name, "<?xml version='1.0'?><tmx/>");
    EXPECT_EQ(read({{file}}, languages), Shown{}) << name;
    EXPECT_EQ(thrown<UsageError>([&] { read({{file}}); }),
              file + ": TMX holds texts in any number of languages; name the two that are wanted");
  }
}

std::string grouped(const std::vector<std::string>& files, CorpusFormat format = CorpusFormat::kGuess) {
  std::string text;
  for (const CorpusSpec& corpus : group_files(files, format)) {
    text += "(";
    for (const std::string& file : corpus.files) text += file;
    text += ")";
  }
  return text;
}

TEST(GroupFiles, PairsParallelFiles) {
  EXPECT_EQ(grouped({}), "");
  EXPECT_EQ(grouped({"a", "b", "c", "d"}), "(ab)(cd)");
  EXPECT_EQ(grouped({"a", "b", "c.tsv", "d.tmx.gz", "e", "f"}), "(ab)(c.tsv)(d.tmx.gz)(ef)");
  EXPECT_EQ(grouped({"a"}), "(a)") << "TSV or plain text";
  EXPECT_EQ(grouped({"a", "b"}, CorpusFormat::kPlain), "(a)(b)");
  EXPECT_EQ(grouped({"a.tsv", "b.tsv"}, CorpusFormat::kParallel), "(a.tsvb.tsv)");
  EXPECT_EQ(thrown<UsageError>([] {
              grouped({"a", "b", "c"});
            }),
            "'c' has no second file beside it; parallel files come in pairs");
}

TEST_F(Corpora, FilesMustFitTheFormat) {
  const auto refusal = [](const CorpusSpec& corpus) { return thrown<UsageError>([&] { open_pairs(corpus); }); };
  EXPECT_EQ(refusal({{"a"}, CorpusFormat::kParallel}), "corpus: 1 files; expected two parallel ones");
  EXPECT_EQ(refusal({{"a", "b"}, CorpusFormat::kTsv}), "corpus: 2 files; expected one");
  EXPECT_EQ(refusal({{"a", "b", "c"}}), "corpus: 3 files; expected one");
  EXPECT_EQ(refusal({{"-", "-"}}), "standard input is named 2 times; it can be read only once");
}

}  // namespace
}  // namespace dhyan
