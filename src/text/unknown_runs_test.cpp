#include "text/unknown_runs.h"

#include <algorithm>
#include <chrono>
#include <gtest/gtest.h>

#include "text/sentencepiece_tokenizer.h"
#include "text/testing/small_subwords.h"

namespace dhyan {
namespace {

constexpr std::size_t kKept = ShortenedRuns::kLongestRun;

std::string repeated(std::string_view text, std::size_t times) {
  std::string line;
  for (std::size_t i = 0; i < times; ++i) line += text;
  return line;
}

const SingleCharacters& letters() {
  static const SingleCharacters known({.pieces = {{"a"}, {"b"}, {"bc"}, {"▁"}}});
  return known;
}

ShortenedRuns shortened(std::string_view text) {
  return ShortenedRuns(text, letters(), [](std::string_view character) { return character != "½"; });
}

TEST(ShortenedRuns, KeepKnownTextAndShortRuns) {
  EXPECT_FALSE(shortened("").text());
  EXPECT_FALSE(shortened(repeated("ab ", 1000)).text());
  EXPECT_FALSE(shortened(repeated(repeated("日", kKept) + "a", 3)).text());
  EXPECT_FALSE(shortened(repeated("½", 1000)).text()) << "a normaliser makes something known of it";
}

TEST(ShortenedRuns, KeepTheBeginningOfALongRunAndMapRangesBack) {
  const std::string run = repeated("日", 1000), kept = repeated("日", kKept);
  const std::string text = "ab" + run + "a" + run;
  const ShortenedRuns runs = shortened(text);
  ASSERT_TRUE(runs.text());
  EXPECT_EQ(*runs.text(), "ab" + kept + "a" + kept);
  const Index end = 2 + std::ssize(kept);
  EXPECT_EQ(runs.original({0, 2}), (ByteRange{0, 2}));
  EXPECT_EQ(runs.original({2, end}), (ByteRange{2, 3002})) << "<unk> has all of the run";
  EXPECT_EQ(runs.original({end, end + 1}), (ByteRange{3002, 3003}));
  EXPECT_EQ(runs.original({end + 1, std::ssize(*runs.text())}), (ByteRange{3003, std::ssize(text)}));
}

// c is part of a piece, but not a piece itself.
TEST(ShortenedRuns, TreatCharactersInsidePiecesAsUnknown) { EXPECT_TRUE(shortened(repeated("c", 1000)).text()); }

class RunsOfUnknownCharacters : public testing::TestWithParam<SubwordAlgorithm> {
 protected:
  // Seconds of encoding and of sampling; the least of three measurements.
  double seconds(std::string_view line) const {
    double best = 1e9;
    for (int i = 0; i < 3; ++i) {
      const auto start = std::chrono::steady_clock::now();
      Rng rng(1);
      tokenizer_.encode(line);
      tokenizer_.encode_sampled(line, rng);
      best = std::min(best, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    }
    return best;
  }

  const SentencePieceTokenizer tokenizer_{small_subwords(GetParam()), "m", SubwordSampling{}};
};

INSTANTIATE_TEST_SUITE_P(, RunsOfUnknownCharacters,
                         testing::Values(SubwordAlgorithm::kUnigram, SubwordAlgorithm::kBpe));

TEST_P(RunsOfUnknownCharacters, AreOneUnknownTokenOfAnyLength) {
  for (const std::size_t times : {1, 100, 1000, 100'000}) {
    const std::string run = repeated("\u0301", times), line = "the " + run + " boy";
    const Encoded encoded = tokenizer_.encode(line), few = tokenizer_.encode("the \u0301\u0301 boy");
    EXPECT_EQ(encoded.ids, few.ids);
    const auto at = static_cast<std::size_t>(std::ranges::find(encoded.ids, kUnknown) - encoded.ids.begin());
    ASSERT_LT(at, encoded.ids.size());
    EXPECT_EQ(part(line, encoded.pieces[at]), run);
    Rng rng(1);
    const Encoded sampled = tokenizer_.encode_sampled(line, rng);
    const auto there = static_cast<std::size_t>(std::ranges::find(sampled.ids, kUnknown) - sampled.ids.begin());
    ASSERT_LT(there, sampled.ids.size());
    EXPECT_EQ(part(line, sampled.pieces[there]), run);
    EXPECT_EQ(std::ranges::count(sampled.ids, kUnknown), 1);
  }
}

// Quadratic time would be sixteen times as long for four times the text.
TEST_P(RunsOfUnknownCharacters, TakeLinearTime) {
  for (const std::string_view character : {"\u0301", "日"}) {
    const double quarter = seconds(repeated(character, 250'000 / character.size()));
    const double half = seconds(repeated(character, 500'000 / character.size()));
    const double whole = seconds(repeated(character, 1'000'000 / character.size()));
    EXPECT_LT(half, 5 * quarter + 0.1) << character;
    EXPECT_LT(whole, 9 * quarter + 0.1) << character;
  }
}

}  // namespace
}  // namespace dhyan
