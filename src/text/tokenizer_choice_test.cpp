#include "text/tokenizer_choice.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "core/testing/thrown.h"
#include "text/sentencepiece_trainer.h"
#include "text/testing/small_corpus.h"
#include "text/unicode.h"

namespace dhyan {
namespace {

TextProfile profile_of_lines(const std::vector<std::string>& lines) { return profile_of(lines_of(lines), 0); }

// A text of `words` running words, `types` of them different.
TextProfile text_of(std::uint64_t words, std::uint64_t types) {
  TextProfile text;
  text.words = words;
  for (std::uint64_t i = 0; i < types; ++i) text.types[cat("w", i)] = words / types;
  for (char32_t letter = U'a'; letter <= U'z'; ++letter) text.characters[letter] = words;
  return text;
}

// A text with this many different Han characters: the first is frequent, the others occur once.
TextProfile han_text(Index characters) {
  TextProfile text;
  text.words = 1000;
  for (Index i = 0; i < characters; ++i) text.characters[static_cast<char32_t>(0x4E00 + i)] = i < 100 ? 10'000 : 10;
  return text;
}

TokenizerChoice chosen(const std::vector<TextProfile>& texts, const TokenizerOptions& given = {},
                       std::string_view kind = kChosenKind) {
  return choose_tokenizer(kind, given, texts);
}

TEST(TextProfile, CountsWordsTypesAndCharacters) {
  const TextProfile text = profile_of_lines({"a b a", "", " cafe\u0301  a "});
  EXPECT_EQ(text.lines, 3);
  EXPECT_EQ(text.words, 5U);
  EXPECT_EQ(text.types.at("a"), 3U);
  EXPECT_EQ(text.types.size(), 3U);
  EXPECT_EQ(text.characters.at(U'a'), 4U);
  EXPECT_EQ(text.characters.at(U'é'), 1U);
  EXPECT_FALSE(text.characters.contains(U' '));
  const std::vector<std::string> lines{"a", "b"};
  EXPECT_EQ(profile_of(lines_of(lines), 1).words, 1U);
  EXPECT_EQ(thrown<DataError>([] { profile_of_lines({"a", "\xff"}); }), "training line 2: byte 1 is not UTF-8 (0xff)");
}

TEST(TokenizerChoice, TakesOneTokenPerHundredRunningWords) {
  EXPECT_EQ(chosen({text_of(400'000, 9000)}).vocabulary_size, 4000);
  EXPECT_EQ(chosen({text_of(400'000, 9000), text_of(200'000, 9000)}).vocabulary_size, 3000) << "the mean of both sides";
  EXPECT_EQ(chosen({text_of(10'000, 500)}).vocabulary_size, 1000) << "at least";
  EXPECT_EQ(chosen({text_of(50'000'000, 500)}).vocabulary_size, 8000) << "at most";
  EXPECT_EQ(chosen({text_of(400'000, 9000)}).reason,
            "chosen from the text: tokenizer bpe; vocabulary-size 4000: one for every 100 of 400,000 running words "
            "(9,000 different ones), at least 1,000, at most 8,000");
  EXPECT_EQ(chosen({text_of(1, 1), text_of(2, 1)}).reason,
            "chosen from the text: tokenizer bpe; vocabulary-size 1000: one for every 100 of 1 running words "
            "(1 different ones; the mean of both sides), at least 1,000, at most 8,000");
}

TEST(TokenizerChoice, CoversAllCharactersUnlessTheScriptIsLarge) {
  EXPECT_EQ(chosen({text_of(400'000, 9000)}).character_coverage, 1);
  EXPECT_EQ(chosen({han_text(1500)}).character_coverage, 1);
  const TokenizerChoice han = chosen({text_of(1000, 100), han_text(6000)});
  EXPECT_EQ(han.kind, "unigram");
  EXPECT_EQ(han.character_coverage, 0.9995);
  EXPECT_GT(han.vocabulary_size, 8000) << "characters and as many again";
  EXPECT_NE(han.reason.find("tokenizer unigram, the script has no spaces between words; character-coverage 0.9995, as "
                            "the text has 6,000 different characters"),
            std::string::npos)
      << han.reason;
}

TEST(TokenizerChoice, KeepsGivenSettings) {
  const TokenizerChoice all = chosen({han_text(6000)}, {.vocabulary_size = 70, .character_coverage = 0.99}, "bpe");
  EXPECT_EQ(all.kind, "bpe");
  EXPECT_EQ(all.vocabulary_size, 70);
  EXPECT_EQ(all.character_coverage, 0.99);
  EXPECT_EQ(all.reason, "");
  EXPECT_EQ(chosen({text_of(10'000, 500)}, {}, "unigram").kind, "unigram");
  EXPECT_EQ(chosen({text_of(10'000, 500)}, {}, "word").vocabulary_size, 8000);
  EXPECT_EQ(chosen({text_of(10'000, 500)}, {}, "word").reason, "");
}

TEST(TokenizerChoice, RefusesAnImpossibleSize) {
  const auto refused = [](std::string_view kind, Index size, const TextProfile& text) {
    const std::vector<TextProfile> texts{text_of(100'000, 1), text};  // the larger vocabulary counts
    const TokenizerChoice choice = choose_tokenizer(kind, {.vocabulary_size = size}, texts);
    return thrown<ConfigError>([&] { expect_possible_size(choice, texts); });
  };
  const TextProfile text = profile_of_lines({"one one one two three four five"});
  EXPECT_EQ(
      refused("bpe", 5, text),
      "vocabulary-size is 5, expected 31 or more: the special tokens and the characters of the text need as many");
  EXPECT_EQ(refused("word", 5, text),
            "vocabulary-size is 5, expected 6 or more: with fewer, more than half of the running words are <unk>");
  const std::vector<TextProfile> texts{text};
  EXPECT_NO_THROW(expect_possible_size(choose_tokenizer("word", {.vocabulary_size = 6}, texts), texts));
}

TEST(TokenizerChoice, ComputesTheSmallestSizeSentencePieceAccepts) {
  const std::vector<std::string> lines = small_corpus();
  const std::vector<TextProfile> texts{profile_of_lines(lines)};
  const TokenizerChoice choice = choose_tokenizer("bpe", {.vocabulary_size = 5}, texts);
  const std::string message = thrown<ConfigError>([&] { expect_possible_size(choice, texts); });
  const std::string number = message.substr(message.find("expected ") + 9);
  TokenizerOptions options{.vocabulary_size = std::stoll(number), .fewer_is_fine = true};
  for (const SubwordAlgorithm algorithm : {SubwordAlgorithm::kUnigram, SubwordAlgorithm::kBpe}) {
    TrainingReport report;
    EXPECT_NO_THROW(train_sentencepiece(algorithm, lines_of(lines), options, report));
  }
  options.vocabulary_size = *options.vocabulary_size - 1;
  TrainingReport report;
  EXPECT_THROW(train_sentencepiece(SubwordAlgorithm::kBpe, lines_of(lines), options, report), ConfigError);
}

}  // namespace
}  // namespace dhyan
