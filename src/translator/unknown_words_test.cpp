#include "translator/unknown_words.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "core/testing/temporary_folder.h"
#include "core/testing/thrown.h"
#include "text/sentencepiece_tokenizer.h"
#include "text/sentencepiece_trainer.h"
#include "text/testing/small_subwords.h"
#include "translator/testing/fake_model.h"

namespace dhyan {
namespace {

// Two layers of one head; the first attends to the first word, the last to the third.
Hypothesis hypothesis_with_unknown() {
  Hypothesis one;
  one.tokens = {kUnknown, 4, kUnknown, kEnd};
  for (const Index layer : {0, 1}) {
    const Real first = layer == 0 ? 0.7 : 0, third = layer == 0 ? 0 : 0.6;
    AttentionRecord record{.layer = layer};
    record.weights.assign(4, {first, 0, third, 1 - first - third});
    one.attention.push_back(record);
  }
  return one;
}

std::string replaced(const UnknownReplacement& replacement) {
  const TokenizerPair tokenizers = fake_tokenizers();
  const std::string line = "Ravi खा Delhi";
  std::vector<TokenId> tokens = tokenizers.source->encode(line).ids;
  tokens.push_back(kEnd);
  return text_without_unknown(hypothesis_with_unknown(), line, tokens, tokenizers, replacement);
}

TEST(UnknownWords, BecomeTheSourceWordWithTheMostAttention) {
  const std::string word(fake_tokenizers().target->piece(4));
  EXPECT_EQ(replaced({}), cat("Ravi ", word, " Ravi")) << "the mean of both layers";
  EXPECT_EQ(replaced({.layer = 1}), cat("Ravi ", word, " Ravi"));
  EXPECT_EQ(replaced({.layer = 2}), cat("Delhi ", word, " Delhi"));
  EXPECT_EQ(replaced({.layer = 2, .dictionary = {{"Delhi", "New Delhi"}}}), cat("New Delhi ", word, " New Delhi"));
  EXPECT_THROW(replaced({.layer = 3}), UsageError);
}

TEST(UnknownWords, HaveNoBlankBeforeThemAtTheBeginningOfALine) {
  TrainingReport report;
  TokenizerPair tokenizers = fake_tokenizers();
  tokenizers.target = std::make_shared<SentencePieceTokenizer>(
      train_sentencepiece(SubwordAlgorithm::kUnigram, lines_of(small_corpus()), small_vocabulary(), report), "t");
  const std::string line = "Ravi खा Delhi";
  std::vector<TokenId> tokens = tokenizers.source->encode(line).ids;
  tokens.push_back(kEnd);
  const std::string text = text_without_unknown(hypothesis_with_unknown(), line, tokens, tokenizers, {});
  EXPECT_TRUE(text.starts_with("Ravi")) << "'" << text << "'";
  EXPECT_TRUE(text.ends_with(" Ravi")) << "'" << text << "'";
}

TEST(UnknownWords, AreReplacedWithoutChangingOtherText) {
  Hypothesis known;
  known.tokens = {4, 5, kEnd};
  EXPECT_EQ(text_without_unknown(known, "खा", std::vector<TokenId>{4, kEnd}, fake_tokenizers(), {}),
            fake_tokenizers().target->decode(known.tokens));
}

TEST(UnknownWords, ADictionaryHasAWordAndATranslationInALine) {
  const TemporaryFolder folder;
  const auto dictionary = read_dictionary(folder.write("d.tsv", "a\tb c\na\td\n"));
  EXPECT_EQ(dictionary.size(), 1U);
  EXPECT_EQ(dictionary.find("a")->second, "b c");
  const std::string bad = folder.write("bad.tsv", "a\tb\nno tab\n");
  EXPECT_EQ(thrown<DataError>([&] { read_dictionary(bad); }), bad + ":2: expected a word, a tab and its translation");
}

TEST(UnknownWords, AreCountedAmongTokensOfText) {
  using Counts = std::pair<Index, Index>;
  const auto counts = [](const Tokenizer& tokenizer, std::string_view line) {
    return known_and_unknown(tokenizer, tokenizer.encode(line));
  };
  EXPECT_EQ(counts(*fake_tokenizers().source, "मैं Delhi खाना"), Counts(2, 1));
  EXPECT_EQ(counts(*fake_tokenizers().source, ""), Counts(0, 0));
  for (const bool bytes : {false, true}) {
    const SentencePieceTokenizer subwords(small_subwords(SubwordAlgorithm::kUnigram, bytes), "t");
    const Counts found = counts(subwords, "ЖЖ ЖЖ");
    EXPECT_EQ(found.first, 0) << "the mark of a word's beginning is no text";
    EXPECT_EQ(found.second, bytes ? 4 : 2) << "a character spelled in bytes counts once";
  }
}

TEST(UnknownWords, AreTheTextThatTheVocabularyLacks) {
  using Texts = std::vector<std::string>;
  const auto unknown = [](const Tokenizer& tokenizer, const std::string& line) {
    Texts texts;
    for (const auto& parts : unknown_parts(tokenizer, line, tokenizer.encode(line))) {
      for (const ByteRange& range : parts) texts.emplace_back(part(line, range));
    }
    return texts;
  };
  const TokenizerPair tokenizers = fake_tokenizers();
  const Tokenizer& words = *tokenizers.source;
  EXPECT_EQ(unknown(words, "मैं Delhi खाना"), Texts{"Delhi"});
  EXPECT_EQ(unknown(words, "मैं खाना।"), Texts{"।"}) << "the word before it is known";
  EXPECT_EQ(unknown(words, "«मैं», (Delhi)!"), (Texts{"«", "»,", "(Delhi)!"}));
  EXPECT_EQ(unknown(words, "।। मैं"), Texts{"।।"});
  EXPECT_EQ(unknown(words, "मैं-खाना"), Texts{"मैं-खाना"}) << "one word";
  EXPECT_EQ(unknown(words, ""), Texts());
  const SentencePieceTokenizer spelling(small_subwords(SubwordAlgorithm::kUnigram, /*bytes=*/true), "t");
  EXPECT_EQ(unknown(spelling, "ЖЖ"), (Texts{"Ж", "Ж"})) << "each by its last byte";
}

TEST(UnknownWords, MakeALineMostlyUnknown) {
  const Translator translator(LoadedModel{{}, fake_tokenizers(), std::make_unique<FakeModel>()});
  const std::vector<std::string> lines{"मैं Delhi", "मैं Delhi Paris", "", "खा"};
  const auto translations = translator.translate(lines, {});
  EXPECT_FALSE(translations[0].front().mostly_unknown()) << "half of it";
  EXPECT_TRUE(translations[1].front().mostly_unknown());
  EXPECT_FALSE(translations[2].front().mostly_unknown());
  EXPECT_FALSE(translations[3].front().mostly_unknown());
}

}  // namespace
}  // namespace dhyan
