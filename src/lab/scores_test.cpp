#include "lab/scores.h"

#include <gtest/gtest.h>
#include <set>

#include "attention/scores.h"
#include "attention/windows.h"
#include "lab/testing/number_corpus.h"

namespace dhyan::lab {
namespace {

TEST(Scores, DotCannotTellKeysOfEqualLengthAndProductApart) {
  for (const char* without : {"dot", "scaled_dot"}) {
    const TwoKeys keys = tell_apart(without);
    EXPECT_FALSE(keys.has_weights) << without;
    EXPECT_NEAR(keys.after, 0.5, 1e-6) << without;
  }
  EXPECT_NEAR(tell_apart("cosine").after, 0.5, 1e-6) << "its weight scales both products alike";
  for (const char* with : {"general", "additive", "concat"}) {
    const TwoKeys keys = tell_apart(with);
    EXPECT_TRUE(keys.has_weights) << with;
    EXPECT_GT(keys.after, 0.9) << with;
  }
}

TEST(Scores, HaveWindowsOfTheTable) {
  for (const ScoreEntry& score : scores()) {
    std::set<std::string_view> seen;
    EXPECT_EQ(windows_for(score.name).front(), "global");
    for (const std::string_view window : windows_for(score.name)) {
      EXPECT_TRUE(seen.insert(window).second) << score.name;
      EXPECT_TRUE(std::ranges::any_of(windows(), [&](const WindowEntry& entry) { return entry.name == window; }))
          << window;
    }
  }
}

// The direction of the claim at a small size: the location score, which does not see the words, is worse.
TEST(Scores, DifferInPerplexity) {
  const NumberCorpus corpus(NumberCorpus::WordOrder::kReversed);
  LabOptions options = corpus.options();
  options.alignments = corpus.alignments();
  RunObserver observer;
  LabRun run("scores", options, observer);
  ScoresSize size;
  size.scores = {"additive", "location"};
  size.settings = {NumberCorpus::settings(), "decoder-hidden: 64\n"};
  const Findings findings = run_scores(run, size);
  const ResultTable& table = findings.tables.front();
  ASSERT_EQ(table.rows.size(), 4u);
  const auto perplexity = [&](std::size_t row) { return std::get<double>(table.rows[row][2]); };
  EXPECT_EQ(std::get<std::string>(table.rows[0][0]), "additive");
  EXPECT_EQ(std::get<std::string>(table.rows[3][0]), "location");
  EXPECT_GT(perplexity(3), perplexity(0));
  EXPECT_TRUE(findings.holds) << findings.measured;
}

}  // namespace
}  // namespace dhyan::lab
