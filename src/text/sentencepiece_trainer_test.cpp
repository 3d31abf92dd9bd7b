#include "text/sentencepiece_trainer.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <thread>

#include "core/error.h"
#include "core/testing/thrown.h"
#include "text/testing/small_corpus.h"
#include "text/unicode.h"

namespace dhyan {
namespace {

std::string train(SubwordAlgorithm algorithm, const std::vector<std::string>& lines,
                  const TokenizerOptions& options = small_vocabulary()) {
  TrainingReport report;
  return train_sentencepiece(algorithm, lines_of(lines), options, report);
}

TEST(SentencePieceTraining, GivesTheSameBytesEveryTime) {
  TokenizerOptions sampled = small_vocabulary();
  sampled.sample_lines = 400;
  for (const SubwordAlgorithm algorithm : {SubwordAlgorithm::kUnigram, SubwordAlgorithm::kBpe}) {
    EXPECT_EQ(train(algorithm, small_corpus()), train(algorithm, small_corpus()));
    const std::string first = train(algorithm, small_corpus(), sampled);
    EXPECT_EQ(first, train(algorithm, small_corpus(), sampled));
  }
}

TEST(SentencePieceTraining, UsesTheRequestedAlgorithm) {
  for (const SubwordAlgorithm algorithm : {SubwordAlgorithm::kUnigram, SubwordAlgorithm::kBpe}) {
    const SubwordModel model = parse_sentencepiece_model("m", train(algorithm, small_corpus()));
    EXPECT_EQ(model.algorithm, algorithm);
    ASSERT_EQ(model.pieces.size(), 100U);
    EXPECT_EQ(model.pieces[1].text, "<unk>");
    EXPECT_EQ(model.pieces[1].kind, PieceKind::kUnknownWord);
    EXPECT_EQ(model.pieces[3].kind, PieceKind::kControl);
  }
}

TEST(SentencePieceTraining, SamplesLinesUniformly) {
  // Every line has a unique word, so the learned characters show which lines were drawn.
  std::vector<std::string> lines;
  for (char32_t i = 0; i < 400; ++i) {
    std::string line;
    for (int repeat = 0; repeat < 3; ++repeat) append_utf8(line, 0x4E00 + i);
    lines.push_back(line + " and the same words on every line");
  }
  TokenizerOptions options = small_vocabulary();
  options.sample_lines = 60;
  const SubwordModel model = parse_sentencepiece_model("m", train(SubwordAlgorithm::kBpe, lines, options));
  int first_half = 0, all = 0;
  for (const SubwordPiece& piece : model.pieces) {
    const char32_t code = Characters(piece.text).begin()->code;
    if (count_characters(piece.text) != 1 || code < 0x4E00) continue;
    ++all;
    first_half += code < 0x4E00 + 200;
  }
  EXPECT_EQ(all, 60);
  EXPECT_GT(first_half, 18);
  EXPECT_LT(first_half, 42);
}

TEST(SentencePieceTraining, ReportsSkippedLines) {
  std::vector<std::string> lines = small_corpus();
  TokenizerOptions options = small_vocabulary();
  options.max_line_bytes = 1000;
  options.sample_lines = 500;
  for (const char* line : {"", "  \t ", "with ▁ in it", "tabs\tare spaces"}) lines.emplace_back(line);
  lines.push_back(std::string(1001, 'x'));
  TrainingReport report;
  train_sentencepiece(SubwordAlgorithm::kBpe, lines_of(lines), options, report);
  EXPECT_EQ(report.lines, 605);
  EXPECT_EQ(report.empty, 2);
  EXPECT_EQ(report.too_long, 1);
  EXPECT_EQ(report.reserved, 1);
  EXPECT_EQ(report.used, 500);
  EXPECT_EQ(report.not_drawn, 101);
}

TEST(SentencePieceTraining, NamesTheLargestAndTheSmallestPossibleVocabulary) {
  TokenizerOptions options = small_vocabulary();
  options.vocabulary_size = 5000;
  for (const SubwordAlgorithm algorithm : {SubwordAlgorithm::kUnigram, SubwordAlgorithm::kBpe}) {
    const std::string message = thrown<ConfigError>([&] { train(algorithm, small_corpus(), options); });
    EXPECT_TRUE(message.starts_with("tokenizer: vocabulary_size is 5000, but 600 lines give at most ")) << message;
  }
  options.vocabulary_size = 20;
  const std::string message = thrown<ConfigError>([&] { train(SubwordAlgorithm::kBpe, small_corpus(), options); });
  EXPECT_TRUE(message.starts_with("tokenizer: vocabulary_size is 20, but the characters and special tokens alone are "))
      << message;
}

// Rare letters get pieces, and letters that never occurred are spelled in bytes.
TEST(SentencePieceTraining, CoversEveryCharacterByDefault) {
  std::vector<std::string> lines = small_corpus();
  lines.emplace_back("Wednesday");
  TokenizerOptions usual;
  usual.vocabulary_size = 110;
  for (const SubwordAlgorithm algorithm : {SubwordAlgorithm::kUnigram, SubwordAlgorithm::kBpe}) {
    const SubwordModel model = parse_sentencepiece_model("m", train(algorithm, lines, usual));
    EXPECT_EQ(std::ssize(model.pieces), 110 + kByteTokens) << "bytes are not counted";
    EXPECT_EQ(std::ranges::count(model.pieces, "W", &SubwordPiece::text), 1);
    EXPECT_EQ(std::ranges::count(model.pieces, PieceKind::kByte, &SubwordPiece::kind), kByteTokens);
  }
  usual.vocabulary_size = 20;
  const std::string message = thrown<ConfigError>([&] { train(SubwordAlgorithm::kBpe, lines, usual); });
  EXPECT_TRUE(
      message.starts_with("tokenizer: vocabulary_size is 20, but the characters and special tokens alone are 68;"))
      << message;
}

TEST(SentencePieceTraining, ReturnsFewerPiecesIfAllowed) {
  TokenizerOptions options = small_vocabulary();
  options.vocabulary_size = 5000;
  options.fewer_is_fine = true;
  for (const SubwordAlgorithm algorithm : {SubwordAlgorithm::kUnigram, SubwordAlgorithm::kBpe}) {
    const SubwordModel model = parse_sentencepiece_model("m", train(algorithm, small_corpus(), options));
    EXPECT_GT(model.pieces.size(), 100U);
    EXPECT_LT(model.pieces.size(), 5000U);
  }
}

TEST(SentencePieceTraining, RefusesUnusableTextAndSettings) {
  EXPECT_EQ(thrown<DataError>([] {
              train(SubwordAlgorithm::kBpe, {"", " "});
            }),
            "tokenizer: no text to learn from: of 2 lines 2 are empty, 0 longer than 16384 bytes, 0 with reserved "
            "characters");
  EXPECT_EQ(thrown<DataError>([] {
              train(SubwordAlgorithm::kBpe, {"ok", "a\xff"});
            }),
            "training line 2: byte 2 is not UTF-8 (0xff)");
  TokenizerOptions options = small_vocabulary();
  options.vocabulary_size = 4;
  EXPECT_EQ(thrown<ConfigError>([&] { train(SubwordAlgorithm::kBpe, {"a"}, options); }),
            "tokenizer: vocabulary_size is 4, expected 5 to 16777216");
  options = small_vocabulary();
  options.character_coverage = 0.5;
  EXPECT_EQ(thrown<ConfigError>([&] { train(SubwordAlgorithm::kBpe, {"a"}, options); }),
            "tokenizer: character_coverage is 0.5, expected 0.98 to 1");
  options = small_vocabulary();
  options.sample_lines = -1;
  EXPECT_EQ(thrown<ConfigError>([&] { train(SubwordAlgorithm::kBpe, {"a"}, options); }),
            "tokenizer: sample_lines is -1, expected 0 or more");
}

TEST(SentencePieceTraining, PrintsNothing) {
  testing::internal::CaptureStderr();
  testing::internal::CaptureStdout();
  train(SubwordAlgorithm::kUnigram, small_corpus());
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
}

TEST(SentencePieceTraining, GivesTheSameBytesWithAPollAndStopsWhenItThrows) {
  struct LearningEnded {};
  TokenizerOptions polled = small_vocabulary();
  std::thread::id poller;
  polled.poll = [&] { poller = std::this_thread::get_id(); };
  const std::string model = train(SubwordAlgorithm::kUnigram, small_corpus(), polled);
  EXPECT_EQ(model, train(SubwordAlgorithm::kUnigram, small_corpus()));
  EXPECT_EQ(poller, std::this_thread::get_id());
  polled.poll = [] { throw LearningEnded(); };
  EXPECT_THROW(train(SubwordAlgorithm::kUnigram, small_corpus(), polled), LearningEnded);
  polled.poll = [] {};
  polled.vocabulary_size = 100000;
  EXPECT_THROW(train(SubwordAlgorithm::kUnigram, small_corpus(), polled), ConfigError);
}

}  // namespace
}  // namespace dhyan
