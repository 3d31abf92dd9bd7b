#include "explain/units.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <numeric>

#include "core/error.h"
#include "core/testing/thrown.h"
#include "text/character_tokenizer.h"
#include "text/sentencepiece_tokenizer.h"
#include "text/sentencepiece_trainer.h"
#include "text/testing/small_corpus.h"
#include "text/testing/trained_on.h"
#include "text/word_tokenizer.h"

namespace dhyan {
namespace {

using Labels = std::vector<std::string>;
using UnitOf = std::vector<std::size_t>;

const SentencePieceTokenizer& subwords() {
  static const SentencePieceTokenizer tokenizer = [] {
    const std::vector<std::string> corpus = small_corpus();
    TrainingReport report;
    const TokenizerOptions options{.vocabulary_size = 94, .character_coverage = 1, .byte_fallback = true};
    return SentencePieceTokenizer(train_sentencepiece(SubwordAlgorithm::kUnigram, lines_of(corpus), options, report),
                                  "test");
  }();
  return tokenizer;
}

std::vector<TokenId> tokens_of(const Tokenizer& tokenizer, std::string_view line) {
  std::vector<TokenId> tokens = tokenizer.encode(line).ids;
  tokens.push_back(kEnd);
  return tokens;
}

TokenUnits source_words(const Tokenizer& tokenizer, std::string_view line) {
  return source_units(tokenizer, line, tokens_of(tokenizer, line), Units::kWords);
}

TokenUnits target_words(const Tokenizer& tokenizer, std::string_view line) {
  return target_units(tokenizer, tokens_of(tokenizer, line), Units::kWords);
}

TEST(SourceUnits, AreTheWordsOfTheLineForEveryTokenizer) {
  const std::string line = "  मैं  खाना खा\tरहा हूँ। ";
  const Labels words{"मैं", "खाना", "खा", "रहा", "हूँ।", "</s>"};
  EXPECT_EQ(source_words(trained_on<WordTokenizer>({line}), line).labels, words);
  EXPECT_EQ(source_words(trained_on<CharacterTokenizer>({line}), line).labels, words);
  EXPECT_EQ(source_words(subwords(), line).labels, words);
}

TEST(SourceUnits, KeepTheSpellingOfUnknownWords) {
  const auto words = trained_on<WordTokenizer>({"a b"});
  EXPECT_EQ(source_words(words, "a x b").labels, (Labels{"a", "x", "b", "</s>"}));
  EXPECT_EQ(source_units(words, "a x b", tokens_of(words, "a x b"), Units::kSubwords).labels,
            (Labels{"a", "<unk>", "b", "</s>"}));
}

TEST(SourceUnits, AssignASpaceToTheNextWord) {
  const auto characters = trained_on<CharacterTokenizer>({"ab c"});
  EXPECT_EQ(source_words(characters, "ab c ").unit_of, (UnitOf{0, 0, 1, 1, 1, 2}));
  EXPECT_EQ(source_words(characters, " a").unit_of, (UnitOf{0, 0, 1}));
}

TEST(SourceUnits, KeepTheBytesOfACharacterInItsWord) {
  const std::string line = "the b日y";
  const TokenUnits units = source_words(subwords(), line);
  EXPECT_EQ(units.labels, (Labels{"the", "b日y", "</s>"}));
  EXPECT_GE(units.unit_of.size(), 7u) << "it includes three byte tokens";
}

TEST(SourceUnits, HaveOnlyTheEndForAnEmptyLine) { EXPECT_EQ(source_words(subwords(), "").labels, (Labels{"</s>"})); }

TEST(SourceUnits, HaveOneEmptyUnitForALineOfSpaces) {
  const auto characters = trained_on<CharacterTokenizer>({"a b"});
  const TokenUnits units = source_words(characters, "  ");
  EXPECT_EQ(units.labels, (Labels{"", "</s>"}));
  EXPECT_EQ(units.unit_of, (UnitOf{0, 0, 1}));
}

TEST(SourceUnits, EndWhereALongLineWasCut) {
  const auto words = trained_on<WordTokenizer>({"a b c"});
  const std::vector<TokenId> tokens{words.encode("a").ids.front(), words.encode("b").ids.front(), kEnd};
  EXPECT_EQ(source_units(words, "a b c", tokens, Units::kWords).labels, (Labels{"a", "b", "</s>"}));
}

TEST(GappedUnits, HaveAUnitForEachGap) {
  const TokenUnits units = gapped_units(subwords(), "the [GAP] boy[GAP]", "[GAP]", Units::kWords);
  EXPECT_EQ(units.labels, (Labels{"the", "[GAP]", "boy", "[GAP]", "</s>"}));
  EXPECT_TRUE(std::ranges::is_sorted(units.unit_of));
  const auto words = trained_on<WordTokenizer>({"a b"});
  EXPECT_EQ(gapped_units(words, "a b", "[GAP]", Units::kSubwords).unit_of, (UnitOf{0, 1, 2}));
}

TEST(SourceUnits, RefuseTheTokensOfAnotherLine) {
  const auto words = trained_on<WordTokenizer>({"a b c"});
  const auto refused = [&](std::vector<TokenId> tokens) {
    return thrown<UsageError>([&] { source_units(words, "a b", tokens, Units::kWords); });
  };
  EXPECT_EQ(refused(tokens_of(words, "b a")), "source_units: the 3 tokens do not match the line's 2 and </s>");
  EXPECT_NE(refused(tokens_of(words, "a b c")), "");
  EXPECT_NE(refused(words.encode("a b").ids), "");
  EXPECT_NE(refused({}), "");
}

TEST(TargetUnits, AreTheWordsOfTheTranslation) {
  const std::string line = "the boy isn't eating";
  const Labels words{"the", "boy", "isn't", "eating", "</s>"};
  EXPECT_EQ(target_words(trained_on<WordTokenizer>({line}), line).labels, words);
  EXPECT_EQ(target_words(trained_on<CharacterTokenizer>({line}), line).labels, words);
  EXPECT_EQ(target_words(subwords(), line).labels, words);
}

TEST(TargetUnits, AreThePiecesForSubwords) {
  const std::vector<TokenId> tokens = tokens_of(subwords(), "the boy");
  const TokenUnits units = target_units(subwords(), tokens, Units::kSubwords);
  ASSERT_EQ(units.labels.size(), tokens.size());
  for (std::size_t i = 0; i < tokens.size(); ++i) EXPECT_EQ(units.labels[i], subwords().piece(tokens[i]));
  EXPECT_EQ(units.labels.front(), "▁the");
}

TEST(TargetUnits, HaveNoEndIfTheTranslationWasCut) {
  const auto words = trained_on<WordTokenizer>({"a b"});
  const TokenUnits units = target_units(words, words.encode("a b").ids, Units::kWords);
  EXPECT_FALSE(units.ended);
  EXPECT_EQ(units.labels, (Labels{"a", "b"}));
}

TEST(TargetUnits, HaveOnlyTheEndForAnEmptyTranslation) {
  const TokenUnits units = target_units(subwords(), std::vector<TokenId>{kEnd}, Units::kWords);
  EXPECT_TRUE(units.ended);
  EXPECT_EQ(units.labels, (Labels{"</s>"}));
}

TEST(GivenUnits, AreTheBeginningAndAllButTheLastToken) {
  const std::vector<TokenId> tokens = tokens_of(subwords(), "the boy isn't");
  const TokenUnits ended = given_units(subwords(), tokens, Units::kWords);
  EXPECT_EQ(ended.labels, (Labels{"<s>", "the", "boy", "isn't"}));
  EXPECT_EQ(ended.unit_of.size(), tokens.size());
  EXPECT_EQ(ended.unit_of[1], 1u);
  EXPECT_EQ(given_units(subwords(), std::vector<TokenId>{kEnd}, Units::kWords).labels, (Labels{"<s>"}));
}

TEST(GivenUnits, LackTheLastTokenOfACutTranslation) {
  const auto characters = trained_on<CharacterTokenizer>({"a bc"});
  const std::vector<TokenId> tokens = characters.encode("a bc").ids;
  EXPECT_EQ(given_units(characters, tokens, Units::kWords).labels, (Labels{"<s>", "a", "b"}));
  EXPECT_EQ(given_units(characters, tokens, Units::kSubwords).unit_of, (UnitOf{0, 1, 2, 3}));
}

// Two words of two tokens each, and </s>.
TokenUnits two_words() { return {{"x", "y", "</s>"}, {0, 0, 1, 1, 2}, true}; }
TokenUnits one_word() { return {{"w", "</s>"}, {0, 0, 1}, true}; }
AttentionRecord record() {
  return {.layer = 1, .head = 2, .weights = {{.5, .25, .125, .125, 0}, {0, .25, .25, .25, .25}, {0, 0, 0, 0, 1}}};
}

TEST(AttentionMap, SumsOverTheSourceAndAveragesOverTheTarget) {
  const AttentionMap map = attention_map(record(), two_words(), one_word());
  EXPECT_EQ(map.columns, two_words().labels);
  EXPECT_EQ(map.rows, one_word().labels);
  EXPECT_EQ(map.weights, (std::vector<std::vector<double>>{{.5, .375, .125}, {0, 0, 1}}));
  EXPECT_EQ(map.layer, 1);
  EXPECT_EQ(map.head, 2);
  EXPECT_TRUE(map.ended);
}

TEST(AttentionMap, HasRowsThatSumToOne) {
  const std::string line = "मैं खाना खा रहा हूँ।", translation = "unfortunately the boy cannot see";
  const TokenUnits source = source_words(subwords(), line), target = target_words(subwords(), translation);
  ASSERT_LT(target.labels.size(), target.unit_of.size());
  AttentionRecord softmax;
  Rng rng(3);
  for (std::size_t i = 0; i < target.unit_of.size(); ++i) {
    std::vector<Real> row(source.unit_of.size());
    for (Real& weight : row) weight = static_cast<Real>(1 + rng.below(100));
    const Real sum = std::accumulate(row.begin(), row.end(), Real{0});
    for (Real& weight : row) weight /= sum;
    softmax.weights.push_back(row);
  }
  const AttentionMap map = attention_map(softmax, source, target);
  for (const auto& row : map.weights) EXPECT_NEAR(std::accumulate(row.begin(), row.end(), 0.0), 1, 1e-6);
}

TEST(AttentionMap, HasEnergiesForTokensOnly) {
  AttentionRecord of_steps = record();
  of_steps.energy = of_steps.weights;
  EXPECT_TRUE(attention_map(of_steps, two_words(), one_word()).energy.empty());
  const TokenUnits source{{"1", "2", "3", "4", "</s>"}, {0, 1, 2, 3, 4}, true};
  const TokenUnits target{{"1", "2", "</s>"}, {0, 1, 2}, true};
  EXPECT_EQ(attention_map(of_steps, source, target).energy[1][4], .25);
  EXPECT_TRUE(attention_map(record(), source, target).energy.empty());
}

TEST(AttentionMap, RefusesARecordOfAnotherSize) {
  EXPECT_EQ(thrown<ShapeError>([] { attention_map(record(), one_word(), two_words()); }),
            "attention_map: the record has 3 rows of 5 weights; expected 5 rows of 3");
  AttentionRecord ragged = record();
  ragged.energy = {{1}};
  EXPECT_THROW(attention_map(ragged, two_words(), one_word()), ShapeError);
}

TEST(UnitScores, AreTheSumsOfTheirTokens) {
  EXPECT_EQ(unit_scores(std::vector<double>{-1, -2, -.5}, one_word()), (std::vector<double>{-3, -.5}));
  EXPECT_EQ(thrown<ShapeError>([] { unit_scores(std::vector<double>{-1}, one_word()); }),
            "unit_scores: 1 scores of 3 tokens");
}

TEST(HardAlignment, LinksEachWordToItsGreatestWeight) {
  AttentionMap map;
  map.columns = {"a", "b", "</s>"};
  map.rows = {"x", "y", "z", "</s>"};
  map.weights = {{.1, .8, .1}, {.6, .3, .1}, {.2, .2, .6}, {.9, .1, 0}};
  const std::vector<std::pair<Index, Index>> links{{1, 0}, {0, 1}};
  EXPECT_EQ(hard_alignment(map), links) << "z attends most to </s>";
  map.ended = false;
  EXPECT_EQ(hard_alignment(map).back(), (std::pair<Index, Index>{0, 3}));
  EXPECT_TRUE(
      hard_alignment({.columns = {"</s>"}, .rows = {"</s>"}, .weights = {{1}}, .energy = {}, .title = ""}).empty());
}

}  // namespace
}  // namespace dhyan
