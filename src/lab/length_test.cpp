#include "lab/length.h"

#include <gtest/gtest.h>

#include "lab/testing/number_corpus.h"

namespace dhyan::lab {
namespace {

// The direction of the claim at a small size.
TEST(Length, OneVectorForgetsLongSentencesAndAttentionDoesNot) {
  const NumberCorpus corpus(NumberCorpus::WordOrder::kSame);
  RunObserver observer;
  LabRun run("length", corpus.options(), observer);
  const Findings findings = run_length(run, {.trained_up_to = {12},
                                             .bounds = {4, 8, 12},
                                             .settings_without = {NumberCorpus::settings()},
                                             .settings_with = {NumberCorpus::settings()}});
  EXPECT_TRUE(findings.holds) << findings.measured;
  const ResultTable& table = findings.tables.front();
  ASSERT_EQ(table.rows.size(), 6u) << "two curves of three lengths";
  const auto bleu = [&](std::size_t row) { return std::get<double>(table.rows[row][2]); };
  EXPECT_GT(bleu(2), 80) << "with attention, the longest";
  EXPECT_GT(bleu(3), bleu(5)) << "without, the shortest and the longest";
  EXPECT_GT(bleu(2), bleu(5));
}

}  // namespace
}  // namespace dhyan::lab
