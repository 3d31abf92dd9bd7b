#include "data/text_writer.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "data/testing/test_corpus.h"

namespace dhyan {
namespace {

const std::vector<SentencePair> kPairs{{"मैं", "I"}, {"a\tb", "\t"}, {"", "x"}};

void write_all(PairWriter& writer) {
  for (const SentencePair& pair : kPairs) writer.write(pair);
}

TEST(PairWriter, WritesTwoFilesOrTsvOrPlainText) {
  const CorpusFolder folder;
  PairWriter two(open_text_file(folder.path("hi")), open_text_file(folder.path("en")));
  PairWriter tsv(open_text_file(folder.path("tsv")), true), plain(open_text_file(folder.path("plain")), false);
  for (PairWriter* writer : {&two, &tsv, &plain}) {
    write_all(*writer);
    writer->commit();
  }
  EXPECT_EQ(folder.read("hi"), "मैं\na\tb\n\n");
  EXPECT_EQ(folder.read("en"), "I\n\t\nx\n");
  EXPECT_EQ(folder.read("tsv"), "मैं\tI\na b\t \n\tx\n");
  EXPECT_EQ(folder.read("plain"), folder.read("hi"));
  EXPECT_EQ(tsv.tabs_replaced(), 2U);
  EXPECT_EQ(two.tabs_replaced(), 0U);
}

TEST(PairWriter, LeavesNoFileWithoutCommit) {
  const CorpusFolder folder;
  for (const char* name : {"a", "a.gz", "a.zst"}) {
    PairWriter writer(open_text_file(folder.path(name)), true);
    for (int i = 0; i < 100'000; ++i) writer.write(kPairs[0]);
  }
  EXPECT_EQ(folder.files(), 0U);
}

TEST(TextFile, RoundTrips) {
  const CorpusFolder folder;
  std::string text;
  for (int i = 0; i < 50'000; ++i) text += cat("line ", i * 7919 % 50'021, '\n');
  for (const char* name : {"a", "a.gz", "a.zst"}) {
    const auto sink = open_text_file(folder.path(name));
    for (std::size_t at = 0, step = 1; at < text.size(); at += step, step = step * 3 + 1) {
      step = std::min(step, text.size() - at);
      sink->write(std::string_view(text).substr(at, step));
    }
    sink->commit();
    const auto bytes = open_bytes(folder.path(name));
    std::string read, block(1000, '\0');
    for (std::size_t n = 0; (n = bytes->read(block)) > 0;) read.append(block, 0, n);
    EXPECT_TRUE(read == text) << name;
  }
  EXPECT_THROW(open_text_file(folder.path("none/a")), WriteError);
}

}  // namespace
}  // namespace dhyan
