#include "text/merges_tokenizer.h"

#include <algorithm>
#include <gtest/gtest.h>

#include "core/error.h"
#include "core/testing/thrown.h"
#include "text/merge_learner.h"
#include "text/testing/check_offsets.h"
#include "text/testing/small_corpus.h"
#include "text/tokenizer_factory.h"

namespace dhyan {
namespace {

using Texts = std::vector<std::string>;

std::unique_ptr<Tokenizer> learned(std::string_view kind, const Texts& lines, Index size) {
  return tokenizer_kind(kind).train(lines_of(lines), {.vocabulary_size = size}, {}).tokenizer;
}

Texts pieces(const Tokenizer& tokenizer, std::string_view line) {
  Texts texts;
  for (const TokenId id : tokenizer.encode(line).ids) texts.emplace_back(tokenizer.piece(id));
  return texts;
}

TEST(Gpt2Words, AreThoseOfItsRule) {
  const auto words = [](std::string_view text) {
    Texts texts;
    for (const ByteRange& range : gpt2_words(text)) texts.emplace_back(part(text, range));
    return texts;
  };
  EXPECT_EQ(words("I'll say 'tis  5kg!?"), (Texts{"I", "'ll", " say", " '", "tis", " ", " 5", "kg", "!?"}));
  EXPECT_EQ(words("a\n\nb \n c  "), (Texts{"a", "\n", "\n", "b", " \n", " c", "  "}));
  EXPECT_EQ(words("\tx"), (Texts{"\t", "x"}));
  EXPECT_EQ(words(""), Texts{});
}

TEST(ByteBpeTokenizer, RestoresEveryText) {
  const auto tokenizer = learned("byte-bpe", small_corpus(), 400);
  for (const char* text : {"", "a  b\n\nc ", "日本 ज़िंदगी 👍🏽", "\u0001\u00AD"}) {
    const Encoded encoded = tokenizer->encode(text);
    EXPECT_EQ(tokenizer->decode(encoded.ids), text);
    EXPECT_TRUE(std::ranges::none_of(encoded.ids, [](TokenId id) { return id == kUnknown; }));
    check_offsets(text, encoded);
  }
  EXPECT_NE(tokenizer->line_end(), kEnd);
  EXPECT_EQ(tokenizer->encode("\n").ids, (std::vector<TokenId>{tokenizer->line_end()}));
}

TEST(ByteBpeTokenizer, ShowsPiecesOfWholeCharactersAsText) {
  const auto tokenizer = learned("byte-bpe", {"खा खा खा", "खा खा"}, 300);
  // A vowel sign is no letter for GPT-2's rule.
  EXPECT_EQ(pieces(*tokenizer, "खा खा"), (Texts{"ख", "ा", "Ġख", "ा"}));
}

TEST(SubwordNmtTokenizer, MarksPiecesThatDoNotEndAWord) {
  const auto tokenizer = learned("subword-nmt", {"low low lower", "newest newest"}, 24);
  EXPECT_EQ(tokenizer->decode(tokenizer->encode("lower  newest").ids), "lower newest");
  const Texts found = pieces(*tokenizer, "lower");
  EXPECT_TRUE(found.front().ends_with("@@"));
  EXPECT_FALSE(found.back().ends_with("@@"));
}

TEST(WordPieceTokenizer, TakesTheLongestPieceAndKeepsUnknownWordsWhole) {
  const auto tokenizer = learned("wordpiece", {"unable unable able able"}, 30);
  EXPECT_EQ(tokenizer->decode(tokenizer->encode("Unable, able").ids), "unable <unk> able");
  EXPECT_EQ(pieces(*tokenizer, "able xyz"), (Texts{"able", "<unk>"}));
}

TEST(MergeLearner, MergesTheMostFrequentPairFirst) {
  const auto count = [](std::string_view line, SymbolCounts& counts) {
    std::vector<std::string> letters;
    for (const char letter : line) letters.emplace_back(1, letter);
    ++counts[letters];
  };
  const auto join = [](std::string_view a, std::string_view b) { return std::string(a) + std::string(b); };
  const MergeLearner learner(lines_of(Texts{"abab", "abc", "bcx"}), {.vocabulary_size = 10}, count);
  const LearnedMerges merges = learner.learn(join, {});
  ASSERT_GE(merges.merges.size(), 1u);
  EXPECT_EQ(merges.merges.front(), (std::pair<std::string, std::string>{"a", "b"}));
  EXPECT_LE(std::ssize(merges.symbols) + 4, 10);
  EXPECT_EQ(
      thrown<ConfigError>([&] { MergeLearner(lines_of(Texts{"a"}), {.vocabulary_size = 4}, count).learn(join, {}); }),
      "vocabulary: the size is 4, expected 5 to 16777216");
}

}  // namespace
}  // namespace dhyan
