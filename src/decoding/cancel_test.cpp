#include <gtest/gtest.h>

#include "decoding/sampling.h"
#include "decoding/testing/exhaustive_search.h"

namespace dhyan {
namespace {

constexpr std::size_t kCancelled = 2;  // of several_sentences()
constexpr Index kCalls = 3;

// Cancels a sentence when it is polled for the third time.
struct CancelLater {
  std::atomic<bool> flag = false;
  Index calls = 0;
  std::function<void()> poll = [this] {
    if (++calls == kCalls) flag = true;
  };
};

std::vector<SearchTask> tasks_with(CancelFlag flag) {
  std::vector<SearchTask> tasks;
  for (const FakeDecoding::Sentence& sentence : several_sentences()) {
    tasks.push_back({.source_length = sentence.source_length});
  }
  tasks[kCancelled].cancelled = flag;
  return tasks;
}

void expect_same_but_for_the_cancelled(const std::vector<SearchResult>& with,
                                       const std::vector<SearchResult>& without) {
  ASSERT_EQ(with.size(), without.size());
  for (std::size_t b = 0; b < with.size(); ++b) {
    if (b == kCancelled) continue;
    ASSERT_EQ(with[b].best.size(), without[b].best.size());
    for (std::size_t i = 0; i < with[b].best.size(); ++i) {
      expect_same(with[b].best[i], without[b].best[i]);
      ASSERT_EQ(with[b].best[i].attention.size(), without[b].best[i].attention.size());
      for (std::size_t n = 0; n < with[b].best[i].attention.size(); ++n) {
        EXPECT_EQ(with[b].best[i].attention[n].weights, without[b].best[i].attention[n].weights);
      }
    }
  }
}

TEST(Cancel, DropsOneSentenceAndDoesNotChangeTheOthers) {
  for (const Index groups : {1, 2}) {
    CancelLater later;
    SearchOptions options{.beam_size = 4,
                          .n_best = 2,
                          .min_length = 5,
                          .max_length = 9,
                          .keep = RecordedAttention::kWeights,
                          .groups = groups,
                          .record_pruned = 1};
    FakeDecoding whole(several_sentences(), 1), decoding(several_sentences(), 1);
    const auto without = search_for(whole, tasks_with(nullptr), options);
    options.poll = later.poll;
    const auto with = search_for(decoding, tasks_with(&later.flag), options);
    expect_same_but_for_the_cancelled(with, without);
    EXPECT_FALSE(without[kCancelled].best.empty());
    EXPECT_TRUE(with[kCancelled].best.empty());
    EXPECT_TRUE(with[kCancelled].beam.nodes.empty());
    EXPECT_LE(decoding.rows(), whole.rows() - 4 * (6 - kCalls)) << "the beam of 4 had to run for 6 steps or more";
  }
}

TEST(Cancel, ASentenceCancelledAtOnceIsNeverDecoded) {
  const std::atomic<bool> flag = true;
  std::vector<SearchTask> tasks = tasks_with(&flag);
  for (SearchTask& task : tasks) task.cancelled = &flag;
  FakeDecoding decoding(several_sentences());
  for (const SearchResult& found : search_for(decoding, tasks, {})) EXPECT_TRUE(found.best.empty());
  EXPECT_EQ(decoding.steps(), 0);
}

TEST(Cancel, AFlagSetAfterTheSearchChangesNothing) {
  std::atomic<bool> flag = false;
  FakeDecoding decoding({{1, 3}});
  const std::vector<SearchTask> tasks{{.source_length = 3, .cancelled = &flag}};
  const SearchResult found = search_for(decoding, tasks, {}).front();
  flag = true;
  expect_same(found.best.front(), dhyan::found({1, 3}, {}).front());
}

TEST(Cancel, DropsOneSentenceThatIsSampled) {
  const auto sampled = [](CancelFlag flag, const std::function<void()>& poll, Index& rows) {
    FakeDecoding decoding(several_sentences());
    std::vector<Rng> streams;
    for (std::size_t b = 0; b < several_sentences().size(); ++b) streams.push_back(Rng(7).split(b));
    std::vector<SearchResult> found;
    const SearchOptions search{.beam_size = 3, .n_best = 3, .min_length = 5, .max_length = 9};
    for (auto& best : sample_translations(decoding, tasks_with(flag), streams, {.poll = poll}, search)) {
      found.push_back({.best = std::move(best), .beam = {}});
    }
    rows = decoding.rows();
    return found;
  };
  CancelLater later;
  Index rows = 0, all_rows = 0;
  const auto with = sampled(&later.flag, later.poll, rows), without = sampled(nullptr, {}, all_rows);
  expect_same_but_for_the_cancelled(with, without);
  EXPECT_TRUE(with[kCancelled].best.empty());
  EXPECT_LE(rows, all_rows - 3 * 5) << "dropped after the first step";
}

TEST(Cancel, DropsOneSentenceThatIsForced) {
  CancelLater later;
  std::vector<ForcedTask> tasks(several_sentences().size(), {.target = {4, 5, 6, 4, 5, kEnd}});
  tasks[kCancelled].cancelled = &later.flag;
  FakeDecoding decoding(several_sentences()), whole(several_sentences());
  const auto forced = force_for(decoding, tasks, {.poll = later.poll});
  const auto expected = force(whole, std::vector(tasks.size(), tasks.front().target), {});
  for (std::size_t b = 0; b < tasks.size(); ++b) {
    ASSERT_EQ(forced[b].has_value(), b != kCancelled);
    if (forced[b]) expect_same(*forced[b], expected[b]);
  }
  EXPECT_EQ(decoding.rows(), whole.rows() - (6 - (kCalls - 1)));
}

}  // namespace
}  // namespace dhyan
