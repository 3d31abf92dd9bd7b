#include "text/vocabulary.h"

#include "core/error.h"
#include "core/testing/temporary_folder.h"
#include "core/testing/thrown.h"

namespace dhyan {
namespace {

using namespace std::string_literals;

const std::string kHead = "<pad>\n<unk>\n<s>\n</s>\n";

std::string refusal(const std::string& file) {
  return thrown<ModelFileError>([&] { Vocabulary::parse("v", file); });
}

TEST(Vocabulary, RanksByCountAndThenByBytes) {
  const TokenCounts counts = {{"b", 2}, {"a", 2}, {"खाना", 5}, {"z", 3}, {"rare", 1}};
  const Vocabulary vocabulary = Vocabulary::from_counts(counts, {.max_size = 7, .min_count = 2});
  EXPECT_EQ(vocabulary.file(), kHead + "खाना\nz\na\n");
  EXPECT_EQ(vocabulary.size(), 7);
  EXPECT_EQ(vocabulary.id("खाना"), 4);
  EXPECT_EQ(vocabulary.id("b"), kUnknown);     // no room
  EXPECT_EQ(vocabulary.id("rare"), kUnknown);  // too rare
  EXPECT_EQ(vocabulary.token(6), "a");
}

TEST(Vocabulary, AlwaysHasTheSpecialTokensFirst) {
  const Vocabulary vocabulary = Vocabulary::from_counts({{"</s>", 9}, {"<unk>", 8}, {"", 7}, {"x", 1}});
  EXPECT_EQ(vocabulary.file(), kHead + "x\n");
  EXPECT_EQ(vocabulary.token(kPad), "<pad>");
  EXPECT_EQ(vocabulary.token(kUnknown), "<unk>");
  EXPECT_EQ(vocabulary.token(kBegin), "<s>");
  EXPECT_EQ(vocabulary.token(kEnd), "</s>");
  EXPECT_EQ(vocabulary.id("</s>"), kUnknown);  // "</s>" in a text does not end the sentence
  EXPECT_EQ(Vocabulary::from_counts({}).size(), 4);
}

TEST(Vocabulary, RefusesAnImpossibleSizeAndId) {
  EXPECT_EQ(thrown<ConfigError>([] { Vocabulary::from_counts({}, {.max_size = 3}); }),
            "vocabulary: the size is 3, expected 4 to 16777216");
  const Vocabulary vocabulary = Vocabulary::from_counts({});
  EXPECT_EQ(thrown<UsageError>([&] { vocabulary.token(4); }), "vocabulary: there is no token 4 among 4");
  EXPECT_EQ(thrown<UsageError>([&] { vocabulary.token(-1); }), "vocabulary: there is no token -1 among 4");
}

TEST(Vocabulary, EscapesControlCharacters) {
  const std::pair<const char*, const char*> cases[] = {
      {" ", "\\s"},       {"\t", "\\t"},           {"\n", "\\n"},
      {"\r", "\\r"},      {"\\", "\\\\"},          {"\u00A0", "\\u{A0}"},
      {"\x07", "\\u{7}"}, {"\u200D", "\\u{200D}"}, {"क्\u200Dष", "क्\u200Dष"},
      {"\\s", "\\\\s"},
  };
  for (const auto& [token, line] : cases) {
    EXPECT_EQ(escape_token(token), line);
    EXPECT_EQ(unescape_token(line), token);
  }
  for (const char* wrong :
       {"\\", "\\x", "\\u", "\\u{", "\\u{}", "\\u{G}", "\\u{D800}", "\\u{110000}", "\\u{0000041}"}) {
    EXPECT_EQ(unescape_token(wrong), std::nullopt) << wrong;
  }
}

class VocabularyFile : public FolderTest {};

TEST_F(VocabularyFile, RoundTrips) {
  const Vocabulary saved = Vocabulary::from_counts({{" ", 9}, {"हूँ", 5}, {"\\", 3}, {"\n", 2}, {"a b", 1}});
  saved.save(folder_ / "source.vocab");
  EXPECT_EQ(read("source.vocab"), kHead + "\\s\nहूँ\n\\\\\n\\n\na\\sb\n");
  const Vocabulary loaded = Vocabulary::load(folder_ / "source.vocab");
  EXPECT_EQ(loaded.file(), saved.file());
  EXPECT_EQ(loaded.fingerprint(), saved.fingerprint());
  EXPECT_EQ(loaded.id("a b"), saved.id("a b"));
  EXPECT_NE(loaded.fingerprint(), Vocabulary::from_counts({}).fingerprint());
}

TEST_F(VocabularyFile, NamesFileAndLineOfAnError) {
  write("x.vocab", kHead + "a\nb\na\n");
  EXPECT_EQ(thrown<ModelFileError>([&] { Vocabulary::load(folder_ / "x.vocab"); }),
            (folder_ / "x.vocab").string() + ":7: 'a' occurs again; it has id 4 (line 5)");
  EXPECT_EQ(refusal(""), "v: 0 lines, expected the special tokens <pad> <unk> <s> </s> first");
  EXPECT_EQ(refusal("<pad>\n<unk>\n<s>\n"), "v: 3 lines, expected the special tokens <pad> <unk> <s> </s> first");
  EXPECT_EQ(refusal("<unk>\n<pad>\n"), "v:1: '<unk>', expected the special token <pad>");
  EXPECT_EQ(refusal("<pad>\r\n"), "v:1: '<pad>\\r', expected the special token <pad>");
  EXPECT_EQ(refusal(kHead + "<s>\n"), "v:5: the special token <s> occurs again");
  EXPECT_EQ(refusal(kHead + "a\n\n"), "v:6: the line is empty, expected a token");
  EXPECT_EQ(refusal(kHead + "a\xff\n"), "v:5: byte 2 is not UTF-8");
  EXPECT_EQ(refusal(kHead + "a"), "v:5: the last line has no line end; the file is truncated");
  EXPECT_EQ(refusal(kHead + "\\q\n"), "v:5: '\\q' has an escape that is none of \\\\ \\s \\t \\n \\r \\u{HEX}");
  EXPECT_EQ(refusal(kHead + std::string(65'537, 'x') + "\n"), "v:5: a token of 65537 bytes, expected at most 65536");
}

}  // namespace
}  // namespace dhyan
