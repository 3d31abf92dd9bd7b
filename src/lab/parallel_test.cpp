#include "lab/parallel.h"

#include <filesystem>
#include <gtest/gtest.h>
#include <iterator>

#include "core/testing/temporary_folder.h"
#include "lab/experiment.h"

namespace dhyan::lab {
namespace {

class Parallel : public FolderTest {};

// The direction of the claim at a small size; the chains are exact, times are not looked at.
TEST_F(Parallel, ChainsGrowWithLengthInRnnsAndNotInATransformer) {
  const ParallelSize size{.lengths = {5, 10, 40}, .hidden = 8, .vocabulary = 20, .seconds = 0};
  const std::vector<ParallelModel> models = parallel_models(size);
  ASSERT_EQ(models.size(), 3u);
  std::vector<std::vector<Index>> chains;
  for (const ParallelModel& one : models) {
    for (const Index length : size.lengths) {
      if (length == 5) chains.emplace_back();
      chains.back().push_back(longest_chain(*one.model, size, length));
    }
  }
  for (const std::size_t rnn : {0u, 1u}) {
    const Index per_token = (chains[rnn][1] - chains[rnn][0]) / 5;
    EXPECT_GE(per_token, 2) << models[rnn].name << ": a step of the encoder and one of the decoder";
    EXPECT_EQ(chains[rnn][2] - chains[rnn][1], 30 * per_token) << models[rnn].name << ": linear in the length";
  }
  EXPECT_GT(chains[1][2], chains[0][2]) << "attention is between the steps of the decoder";
  EXPECT_EQ(chains[2][0], chains[2][2]) << models[2].name;
  EXPECT_GT(chains[2][0], 5);
}

TEST_F(Parallel, WritesChainsAndTimes) {
  RunObserver observer;
  LabOptions options;
  options.folder = folder_ / "run";
  options.seeds = 1;
  LabRun run("parallel", options, observer);
  const Findings findings = run_parallel(run, {.lengths = {5, 10}, .hidden = 8, .vocabulary = 20, .seconds = 0});
  EXPECT_TRUE(findings.holds) << findings.measured;
  ASSERT_EQ(findings.tables.size(), 5u);
  for (const ResultTable& table : findings.tables) {
    ASSERT_EQ(table.rows.size(), 6u) << table.name;
    for (const std::vector<TableCell>& row : table.rows) EXPECT_GT(std::get<double>(row[2]), 0) << table.name;
  }
}

TEST_F(Parallel, MeasuresTimesAnewOnAnotherNumberOfThreads) {
  RunObserver observer;
  LabOptions options;
  options.folder = folder_ / "run";
  options.seeds = 1;
  const auto kept = [&](int threads) {
    options.threads = threads;
    LabRun run("parallel", options, observer);
    run_parallel(run, {.lengths = {5}, .hidden = 8, .vocabulary = 20, .seconds = 0});
    const std::filesystem::directory_iterator files(folder_ / "run/measured");
    return std::distance(begin(files), end(files));
  };
  EXPECT_EQ(kept(1), 3) << "a file for each model";
  EXPECT_EQ(kept(1), 3);
  EXPECT_EQ(kept(2), 6);
}

}  // namespace
}  // namespace dhyan::lab
