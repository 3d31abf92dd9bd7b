#include "cli/translation_text.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "api/results.h"
#include "text/word_tokenizer.h"

namespace dhyan::cli {
namespace {

TokenizerPair tokenizers() {
  TokenCounts source, target;
  for (const char* word : {"दो", "एक"}) source[word] = 1;
  for (const char* word : {"one", "two", "and"}) target[word] = 1;
  return {std::make_shared<WordTokenizer>(Vocabulary::from_counts(source)),
          std::make_shared<WordTokenizer>(Vocabulary::from_counts(target))};
}

std::vector<TokenId> tokens_of(const Tokenizer& tokenizer, const std::string& line) {
  std::vector<TokenId> tokens = tokenizer.encode(line).ids;
  tokens.push_back(kEnd);
  return tokens;
}

// "एक दो" -> "two one", crossed.
Translation crossed() {
  Translation translation;
  translation.source = "एक दो";
  translation.text = "two one";
  translation.source_tokens = tokens_of(*tokenizers().source, translation.source);
  translation.hypothesis.tokens = tokens_of(*tokenizers().target, translation.text);
  translation.hypothesis.token_scores = {-0.5, -0.25, -0.0000004};
  translation.hypothesis.log_probability = -0.7500004;
  translation.hypothesis.score = -0.25;
  translation.hypothesis.attention = {{.layer = 0,
                                       .head = 0,
                                       .weights = {{0.25, 0.625, 0.125}, {0.75, 0.25, 0}, {0, 0.25, 0.75}},
                                       .energy = {},
                                       .context = {}}};
  return translation;
}

std::string text(const TranslationFormat& format, const std::vector<Translation>& n_best = {crossed()}) {
  v1::NBest told;
  for (const Translation& one : n_best)
    told.push_back(api::told(one, tokenizers(), {details_of(format), format.units}));
  return to_text(told, 3, format);
}

std::string text_of_scored(const Translation& scored, const TranslationFormat& format) {
  return scored_text(api::told_of_given(scored, tokenizers(), {details_of(format), format.units}), 3, format);
}

TEST(TranslationText, IsTheTranslationAlone) { EXPECT_EQ(text({}), "two one\n"); }

TEST(TranslationText, AlignmentsFollowTheText) {
  EXPECT_EQ(text({.alignment = AlignmentText::kHard}), "two one ||| 1-0 0-1\n");
  EXPECT_EQ(text({.alignment = AlignmentText::kSoft}), "two one ||| 0.25,0.625,0.125 0.75,0.25,0 0,0.25,0.75\n");
}

TEST(TranslationText, SeveralHeadsGiveTheirMean) {
  Translation translation = crossed();
  translation.hypothesis.attention.push_back({.layer = 0,
                                              .head = 1,
                                              .weights = {{0.75, 0.125, 0.125}, {0.25, 0.75, 0}, {0, 0.25, 0.75}},
                                              .energy = {},
                                              .context = {}});
  EXPECT_EQ(text({.alignment = AlignmentText::kSoft}, {translation}),
            "two one ||| 0.5,0.375,0.125 0.5,0.5,0 0,0.25,0.75\n");
}

TEST(TranslationText, WordScoresFollowTheAlignment) {
  EXPECT_EQ(text({.word_scores = true}), "two one ||| WordScores= -0.5 -0.25 0\n");
  EXPECT_EQ(text({.alignment = AlignmentText::kHard, .word_scores = true}),
            "two one ||| 1-0 0-1 ||| WordScores= -0.5 -0.25 0\n");
}

TEST(TranslationText, NBestListsHaveTheNumberOfTheLineAndTheScore) {
  Translation second = crossed();
  second.text = "one";
  second.hypothesis.score = -1.0 / 3;
  EXPECT_EQ(text({.n_best = true}, {crossed(), second}), "3 ||| two one ||| -0.25\n3 ||| one ||| -0.333333\n");
  EXPECT_EQ(text({.n_best = true, .alignment = AlignmentText::kHard, .word_scores = true}),
            "3 ||| two one ||| 1-0 0-1 ||| WordScores= -0.5 -0.25 0 ||| -0.25\n");
}

TEST(TranslationText, AnEmptyLineStaysOne) {
  const Translation empty;
  EXPECT_EQ(text({}, {empty}), "\n");
  EXPECT_EQ(text({.n_best = true, .alignment = AlignmentText::kSoft, .word_scores = true}, {empty}),
            "3 |||  |||  ||| WordScores=  ||| 0\n");
  const auto json = nlohmann::json::parse(text({.json = true}, {empty}));
  EXPECT_EQ(json["translation"], "");
  EXPECT_EQ(json["tokens"], nlohmann::json::array());
  EXPECT_EQ(json["attention"], nlohmann::json::array());
}

TEST(TranslationText, IsOneLineWhateverTheModelWrites) {
  Translation translation = crossed();
  translation.text = "two\none";
  EXPECT_EQ(text({}, {translation}), "two one\n");
  EXPECT_EQ(nlohmann::json::parse(text({.json = true}, {translation}))["translation"], "two\none");
}

TEST(TranslationText, JsonHoldsEverything) {
  EXPECT_EQ(text({.json = true}),
            R"({"line":3,"source":"एक दो","translation":"two one","score":-0.25,"log_probability":-0.75,)"
            R"("finished":true,"mostly_unknown":false,)"
            R"("tokens":["two","one","</s>"],"source_tokens":["एक","दो","</s>"],"token_scores":[-0.5,-0.25,0.0],)"
            R"("attention":[[0.25,0.625,0.125],[0.75,0.25,0.0],[0.0,0.25,0.75]]})"
            "\n");
  EXPECT_EQ(nlohmann::json::parse(text({.json = true, .n_best = true}))["rank"], 0);
}

TEST(TranslationText, JsonHoldsTheHardAlignmentIfAskedFor) {
  const auto json = nlohmann::json::parse(text({.json = true, .alignment = AlignmentText::kHard}));
  EXPECT_EQ(json["alignment"].dump(), "[[1,0],[0,1]]");
  EXPECT_EQ(json["attention"].size(), 3U);
  EXPECT_FALSE(nlohmann::json::parse(text({.json = true, .alignment = AlignmentText::kSoft})).contains("alignment"));
}

TEST(TranslationText, JsonOfAModelWithoutAttentionHasNone) {
  Translation translation = crossed();
  translation.hypothesis.attention.clear();
  const auto json = nlohmann::json::parse(text({.json = true}, {translation}));
  EXPECT_EQ(json["attention"], nlohmann::json::array());
  EXPECT_EQ(json["tokens"].size(), 3U);
}

TEST(TranslationText, JsonReportsCutLinesAndUnknownText) {
  Translation translation = crossed();
  translation.hypothesis.tokens.pop_back();
  translation.hypothesis.token_scores.pop_back();
  translation.hypothesis.attention.clear();
  translation.known_text = 1;
  translation.unknown_text = 2;
  const auto json = nlohmann::json::parse(text({.json = true}, {translation}));
  EXPECT_EQ(json["finished"], false);
  EXPECT_EQ(json["mostly_unknown"], true);
}

// "एक दो" -> "two one", and then "दो" -> "one".
Translation two_sentences() {
  Translation second = crossed();
  second.source = "दो";
  second.text = "one";
  second.source_tokens = tokens_of(*tokenizers().source, second.source);
  second.hypothesis.tokens = tokens_of(*tokenizers().target, second.text);
  second.hypothesis.token_scores = {-1, -2};
  second.hypothesis.attention.front().weights = {{0.75, 0.25}, {0.5, 0.5}};
  Translation line = crossed();
  line.text = "two one one";
  line.sentences = {crossed(), second};
  return line;
}

TEST(TranslationText, SentencesOfALineAreWrittenAsOne) {
  EXPECT_EQ(text({.alignment = AlignmentText::kHard, .word_scores = true}, {two_sentences()}),
            "two one one ||| 1-0 0-1 2-2 ||| WordScores= -0.5 -0.25 -1 -2\n");
  EXPECT_EQ(text({.alignment = AlignmentText::kSoft}, {two_sentences()}),
            "two one one ||| 0.25,0.625,0,0.125 0.75,0.25,0,0 0,0,0.75,0.25 0,0.125,0.25,0.625\n");
  const auto json = nlohmann::json::parse(text({.json = true}, {two_sentences()}));
  EXPECT_EQ(json["source_tokens"].dump(), R"(["एक","दो","दो","</s>"])");
  EXPECT_EQ(json["tokens"].dump(), R"(["two","one","one","</s>"])");
}

TEST(TranslationText, ASentenceThatWasCutHasNoEndAmongThoseOfALine) {
  Translation line = two_sentences();
  Hypothesis& first = line.sentences.front().hypothesis;
  first.tokens.pop_back();
  first.token_scores.pop_back();
  first.attention.front().weights.pop_back();
  EXPECT_EQ(text({.alignment = AlignmentText::kSoft, .word_scores = true}, {line}),
            "two one one ||| 0.25,0.625,0,0.125 0.75,0.25,0,0 0,0,0.75,0.25 0,0,0.5,0.5 ||| "
            "WordScores= -0.5 -0.25 -1 -2\n");
  EXPECT_EQ(nlohmann::json::parse(text({.json = true}, {line}))["finished"], false);
}

TEST(TranslationText, OfScoredTargetsHasColumnsAndTheGivenWords) {
  Translation scored = crossed();
  scored.text = "two 1";  // a word the model lacks
  scored.hypothesis.tokens[1] = kUnknown;
  EXPECT_EQ(text_of_scored(scored, {.alignment = AlignmentText::kHard, .word_scores = true}),
            "-0.25 ||| 1-0 0-1 ||| WordScores= -0.5 -0.25 0\n");
  const auto json = nlohmann::json::parse(text_of_scored(scored, {.json = true}));
  EXPECT_EQ(json["tokens"].dump(), R"(["two","1","</s>"])");
  scored.hypothesis = {};
  EXPECT_EQ(text_of_scored(scored, {.alignment = AlignmentText::kHard, .word_scores = true}),
            "-inf |||  ||| WordScores= \n");
}

}  // namespace
}  // namespace dhyan::cli
