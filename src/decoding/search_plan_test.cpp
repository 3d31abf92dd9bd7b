#include "decoding/search_plan.h"

#include <gtest/gtest.h>

#include "decoding/testing/fake_decoding.h"

namespace dhyan {
namespace {

const Phrase kList{1, 4, 6}, kShort{5}, kLong{2, 4, 5, 6};

std::vector<SearchTask> listed_tasks() {
  return {{.source_length = 3, .vocabulary = kList},
          {.source_length = 2, .vocabulary = kShort},
          {.source_length = 4, .vocabulary = kLong}};
}

std::vector<SearchResult> listed_found(std::span<const SearchTask> tasks, const SearchOptions& options,
                                       bool best_only) {
  std::vector<FakeDecoding::Sentence> sentences;
  for (std::size_t i = 0; i < tasks.size(); ++i) sentences.push_back({11 + i, tasks[i].source_length});
  FakeDecoding decoding(sentences);
  if (best_only) decoding.leave_out_logits();
  return search_for(decoding, tasks, options);
}

// A rule that forbids nothing else, since <pad> is never written: with it, words outside of the lists are masked.
SearchOptions masking(SearchOptions options) {
  options.forbidden = {{kPad}};
  return options;
}

void expect_same_results(const std::vector<SearchResult>& a, const std::vector<SearchResult>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    ASSERT_EQ(a[i].best.size(), b[i].best.size()) << i;
    for (std::size_t n = 0; n < a[i].best.size(); ++n) {
      EXPECT_EQ(a[i].best[n].tokens, b[i].best[n].tokens) << i;
      EXPECT_EQ(a[i].best[n].token_scores, b[i].best[n].token_scores) << i;
      EXPECT_EQ(a[i].best[n].score, b[i].best[n].score) << i;
    }
  }
}

std::vector<SearchOptions> searches() {
  SearchOptions greedy{.beam_size = 1, .max_length = 9, .scored = false};
  SearchOptions scored{.beam_size = 1, .max_length = 9, .scored_words = ScoredWords::kListed};
  SearchOptions beam{.beam_size = 3, .n_best = 3, .max_length = 9, .scored_words = ScoredWords::kListed};
  SearchOptions refilled = beam, longer = beam;
  refilled.refill = true;
  longer.min_length = 3;
  return {greedy, scored, beam, refilled, longer};
}

TEST(SearchPlan, GivesTheBytesOfMaskedLogitsWhereTheModelComputesListedWordsAlone) {
  const std::vector<SearchTask> tasks = listed_tasks();
  for (const SearchOptions& options : searches()) {
    const std::vector<SearchResult> masked = listed_found(tasks, masking(options), false);
    expect_same_results(listed_found(tasks, options, false), masked);
    expect_same_results(listed_found(tasks, options, true), masked);
    for (std::size_t i = 0; i < tasks.size(); ++i) {
      expect_same_results(listed_found(std::span(tasks).subspan(0, i + 1), options, true),
                          {masked.begin(), masked.begin() + static_cast<Index>(i) + 1});
    }
  }
}

TEST(SearchPlan, AsksTheModelForListedWordsOnlyIfNothingNeedsTheOthers) {
  const std::vector<SearchTask> tasks = listed_tasks();
  const SearchOptions greedy{.beam_size = 1, .scored = false}, all{.beam_size = 2},
      listed{.beam_size = 2, .scored_words = ScoredWords::kListed};
  EXPECT_EQ(SearchPlan(tasks, greedy).ask(), Ask::kBest);
  EXPECT_EQ(SearchPlan(tasks, greedy).words().size(), 3U);
  EXPECT_EQ(SearchPlan(tasks, greedy).words()[1].size(), 2U) << "with </s>";
  EXPECT_TRUE(SearchPlan(tasks, greedy).tasks().front().vocabulary.empty());
  EXPECT_EQ(SearchPlan(tasks, listed).ask(), Ask::kBestProbabilities);
  EXPECT_EQ(SearchPlan(tasks, all).ask(), Ask::kProbabilities) << "log p is over all words";
  EXPECT_TRUE(SearchPlan(tasks, all).words().empty());
  EXPECT_EQ(SearchPlan(tasks, masking(listed)).ask(), Ask::kProbabilities);
  EXPECT_EQ(SearchPlan(tasks, masking(listed)).words().size(), 3U);
  std::vector<SearchTask> mixed = tasks;
  mixed[1].vocabulary.clear();
  EXPECT_EQ(SearchPlan(mixed, greedy).ask(), Ask::kOrder);
  EXPECT_TRUE(SearchPlan(mixed, greedy).words().empty());
}

// Σ exp of log p over the words of a list is 1.
TEST(SearchPlan, ScoresOverListedWordsAreTheirSoftmax) {
  const std::vector<SearchTask> tasks{{.source_length = 3, .vocabulary = kList}};
  const SearchOptions options{.beam_size = 4, .n_best = 4, .max_length = 1, .scored_words = ScoredWords::kListed};
  double sum = 0;
  SearchOptions with_unknown = options;
  with_unknown.allow_unknown = true;
  const std::vector<SearchResult> results = listed_found(tasks, with_unknown, true);
  for (const Hypothesis& one : results.front().best) sum += std::exp(one.log_probability);
  EXPECT_NEAR(sum, 1, 1e-6);
}

}  // namespace
}  // namespace dhyan
