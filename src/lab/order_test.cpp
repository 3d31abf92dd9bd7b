#include "lab/order.h"

#include <gtest/gtest.h>

#include "core/testing/thrown.h"
#include "lab/testing/number_corpus.h"

namespace dhyan::lab {
namespace {

TEST(OffDiagonal, IsTheWeightMoreThanAWordAwayFromTheDiagonal) {
  // The last row and column are </s>.
  const std::vector<std::vector<double>> straight{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}},
      reversed{{0, 0, 1, 0}, {0, 1, 0, 0}, {1, 0, 0, 0}, {0, 0, 0, 1}};
  EXPECT_DOUBLE_EQ(off_diagonal(straight), 0);
  EXPECT_DOUBLE_EQ(off_diagonal(reversed), 2.0 / 3);
  EXPECT_DOUBLE_EQ(off_diagonal({{0.5, 0.25, 0.25, 0}, {0, 0, 0, 1}}), 0) << "one word stands beside all three";
  EXPECT_EQ(off_diagonal({}), 0);
}

TEST(OffDiagonal, OfGoldLinksSharesTheWeightOfAWord) {
  const auto weights = weights_of({{{0, 1}, {2, 1}, {1, 0}}, {}}, 4, 3);
  EXPECT_EQ(weights[0], (std::vector<double>{0, 1, 0, 0}));
  EXPECT_EQ(weights[1], (std::vector<double>{0.5, 0, 0.5, 0}));
  EXPECT_EQ(weights[2], (std::vector<double>{0, 0, 0, 0}));
}

TEST(DiagonalLinks, AdvanceTogether) {
  EXPECT_EQ(diagonal_links(2, 4), (Links{{0, 0}, {0, 1}, {1, 2}, {1, 3}}));
  EXPECT_EQ(diagonal_links(3, 1), (Links{{1, 0}}));
  EXPECT_EQ(diagonal_links(0, 2), Links());
}

// The direction of the claim at a small size: words in reversed order.
TEST(Order, AttentionFindsLinksOffTheDiagonal) {
  const NumberCorpus corpus(NumberCorpus::WordOrder::kReversed);
  LabOptions options = corpus.options();
  options.alignments = corpus.alignments();
  RunObserver observer;
  LabRun run("order", options, observer);
  const Findings findings = run_order(run, {.presets = {"rnnsearch"}, .settings = {NumberCorpus::settings()}});
  EXPECT_TRUE(findings.holds) << findings.measured;
  const ResultTable& table = findings.tables.front();
  ASSERT_EQ(table.rows.size(), 1u);
  const double found = std::get<double>(table.rows[0][7]), gold = std::get<double>(table.rows[0][8]);
  EXPECT_GT(gold, 0.5);
  EXPECT_GT(found, gold / 2) << "weight off the diagonal";
  EXPECT_EQ(findings.figures.size(), 3u) << "the errors, and two sentences";
}

TEST(Order, NeedsGoldLinksAndAModelThatAttends) {
  const NumberCorpus corpus(NumberCorpus::WordOrder::kSame);
  LabOptions options = corpus.options();
  RunObserver observer;
  {
    LabRun run("order", options, observer);
    EXPECT_NE(thrown<UsageError>([&] { run_order(run, {}); }).find("--alignments"), std::string::npos);
  }
  options.alignments = corpus.alignments();
  options.overwrite = true;
  LabRun run("order", options, observer);
  const OrderSize without{.presets = {"seq2seq"}, .settings = {NumberCorpus::settings(), "max-steps: 2\n"}};
  EXPECT_NE(thrown<UsageError>([&] { run_order(run, without); }).find("this preset has none"), std::string::npos);
}

}  // namespace
}  // namespace dhyan::lab
