#include "text/unknown_text.h"

#include <gtest/gtest.h>

#include "text/character_tokenizer.h"
#include "text/sentencepiece_tokenizer.h"
#include "text/testing/small_subwords.h"
#include "text/testing/trained_on.h"
#include "text/word_tokenizer.h"

namespace dhyan {
namespace {

using Entries = std::vector<UnknownText::Entry>;

UnknownText unknown_in(const Tokenizer& tokenizer, std::initializer_list<std::string_view> lines) {
  UnknownText unknown;
  for (const std::string_view line : lines) {
    UnknownText one;
    one.add(tokenizer, line, tokenizer.encode(line));
    unknown.add(one);
  }
  return unknown;
}

TEST(UnknownText, CountsCharactersForSubwords) {
  const SentencePieceTokenizer subwords(small_subwords(SubwordAlgorithm::kBpe), "m");
  const UnknownText unknown = unknown_in(subwords, {"the 日本 boy", "the 日 girl", "nobody"});
  EXPECT_EQ(unknown.unknown_tokens(), 2U) << "a run is one token";
  EXPECT_EQ(unknown.unknown(), (Entries{{"日", 2}, {"本", 1}}));
  EXPECT_TRUE(unknown.spelled().empty());
  EXPECT_EQ(describe(unknown).substr(0, 11), "<unk> 2 of ");
  EXPECT_TRUE(describe(unknown).ends_with(" %): 日 2, 本 1")) << describe(unknown);
  EXPECT_EQ(describe(unknown_in(subwords, {"the boy"})), "no <unk>");
}

TEST(UnknownText, CountsCharactersSpelledInBytes) {
  const SentencePieceTokenizer subwords(small_subwords(SubwordAlgorithm::kBpe, true), "m");
  const UnknownText unknown = unknown_in(subwords, {"the 日本 boy", "é"});
  EXPECT_EQ(unknown.unknown_tokens(), 0U);
  EXPECT_EQ(unknown.byte_tokens(), 8U);
  EXPECT_EQ(unknown.spelled_characters(), 3U);
  EXPECT_EQ(unknown.spelled(), (Entries{{"é", 1}, {"日", 1}, {"本", 1}}));
  EXPECT_TRUE(describe(unknown).starts_with("no <unk>; spelled in bytes 3 characters (")) << describe(unknown);
}

TEST(UnknownText, CountsWordsForWordTokens) {
  const auto words = trained_on<WordTokenizer>({"I am"});
  const UnknownText unknown = unknown_in(words, {"I was there", "I was"});
  EXPECT_EQ(unknown.tokens(), 5U);
  EXPECT_EQ(unknown.unknown_tokens(), 3U);
  EXPECT_EQ(describe(unknown), "<unk> 3 of 5 tokens (60.00 %): was 2, there 1");
  EXPECT_EQ(unknown_in(trained_on<CharacterTokenizer>({"I am"}), {"I was"}).unknown(), (Entries{{"s", 1}, {"w", 1}}));
}

TEST(UnknownText, NamesInvisibleCharactersByCodePoint) {
  const auto characters = trained_on<CharacterTokenizer>({"ab"});
  EXPECT_EQ(describe(unknown_in(characters, {"a b", "a\u00A0b"})),
            "<unk> 2 of 6 tokens (33.33 %): U+0020 SPACE 1, U+00A0 1");
}

TEST(UnknownText, NamesOnlyTheMostFrequent) {
  const auto words = trained_on<WordTokenizer>({"x"});
  EXPECT_EQ(describe(unknown_in(words, {"a b c d e f g h i j k l m a"})),
            "<unk> 14 of 14 tokens (100.00 %): a 2, b 1, c 1, d 1, e 1, f 1, g 1, h 1, i 1, j 1 and 3 more");
}

}  // namespace
}  // namespace dhyan
