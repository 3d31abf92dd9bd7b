#include "lab/gradients.h"

#include <cmath>
#include <gtest/gtest.h>

#include "core/testing/temporary_folder.h"
#include "core/testing/thrown.h"
#include "lab/experiment.h"
#include "lab/recall_training.h"

namespace dhyan::lab {
namespace {

class Gradients : public FolderTest {
 protected:
  LabOptions options(std::string_view folder) const {
    LabOptions options;
    options.folder = folder_ / folder;
    options.threads = 2;
    options.seeds = 1;
    return options;
  }
  RunObserver observer_;
};

TEST(HalfLives, AreThoseOfTheCurve) {
  std::vector<Point> halves, flat{{1, 2}, {2, 2}, {3, 2}};
  for (int k = 1; k <= 20; ++k) halves.push_back({static_cast<double>(k), std::pow(0.5, k / 4.0)});
  EXPECT_NEAR(half_life(halves), 4, 1e-9);
  halves.push_back({21, 0});
  EXPECT_NEAR(half_life(halves), 4, 1e-9) << "what is below the smallest float does not count";
  EXPECT_EQ(half_life(flat), HUGE_VAL);
}

TEST(RecallTasks, MarkOneSymbolThatTheQuestionAsksFor) {
  const RecallTask task(8);
  const RecallBatch far = task.at_distance(3, 10, 4, Rng(1));
  ASSERT_EQ(far.segments.count(), 3);
  for (Index b = 0; b < 3; ++b) {
    EXPECT_EQ(far.segments.length(b), 11);
    const auto marked = static_cast<std::size_t>(far.marked[static_cast<std::size_t>(b)]);
    EXPECT_EQ(far.segments.end(b) - 1 - static_cast<Index>(marked), 4) << "steps before the question";
    EXPECT_EQ(far.symbols[marked], far.answers[static_cast<std::size_t>(b)] + 8);
    EXPECT_EQ(far.symbols[static_cast<std::size_t>(far.segments.end(b) - 1)], 16);
  }
  const RecallBatch drawn = task.draw(50, 10, Rng(1));
  EXPECT_LE(drawn.segments.longest(), 11);
  EXPECT_EQ(drawn.symbols, task.draw(50, 10, Rng(1)).symbols);
}

// The direction of the claim at a small size.
TEST_F(Gradients, VanishInAPlainRnnAndAttentionGivesADirectPath) {
  LabRun run("gradients", options("run"), observer_);
  const Findings findings = run_gradients(
      run, {.longest = 20, .network = {.embedding = 8, .hidden = 16}, .answers = 4, .steps = 150, .sentences = 8});
  ASSERT_EQ(findings.figures.size(), 2u);
  const ResultTable& table = findings.tables.front();
  ASSERT_EQ(table.rows.size(), 12u);
  const auto life = [&](std::string_view network, std::string_view when) {
    for (const std::vector<TableCell>& row : table.rows) {
      if (std::get<std::string>(row[0]) == network && std::get<std::string>(row[1]) == when)
        return std::get<double>(row[2]);
    }
    ADD_FAILURE() << network;
    return 0.0;
  };
  for (const char* cell : {"rnn", "gru", "lstm"}) {
    for (const char* when : {"at initialisation", "after training"}) {
      EXPECT_GT(life(cat(cell, " with attention"), when), life(cell, when)) << cell << ' ' << when;
    }
  }
}

TEST_F(Gradients, AreTheSameIfTheTrainingWasStoppedInBetween) {
  const RecallTask task(4);
  const RecallTraining training{.longest = 6, .steps = 12, .batch = 8};
  const auto train = [&](std::string_view folder, int stop_after, int threads) {
    LabOptions of_run = options(folder);
    of_run.threads = threads;
    int asked = 0;
    of_run.stop = [&] { return ++asked == stop_after; };
    of_run.poll = [&] {
      if (stop_after > 0 && asked >= stop_after) throw Error("stopped");
    };
    LabRun run("gradients", of_run, observer_);
    RecallNetwork network(task, "gru", true, {.embedding = 4, .hidden = 8}, Rng(1));
    train_recall(run, task, network, training, run.kept("state.safetensors"));
    const auto values = network.parameters().begin()->value.span();
    return std::vector<Real>(values.begin(), values.end());
  };
  const std::vector<Real> whole = train("whole", 0, 1);
  EXPECT_EQ(thrown<Error>([&] { train("halves", 5, 2); }), "stopped");
  EXPECT_EQ(train("halves", 0, 2), whole);
}

TEST_F(Gradients, LearnTheTask) {
  const RecallTask task(4);
  LabRun run("gradients", options("learn"), observer_);
  RecallNetwork network(task, "gru", true, {.embedding = 8, .hidden = 16}, Rng(1));
  train_recall(run, task, network, {.longest = 8, .steps = 300, .learning_rate = 1e-2}, run.kept("state.safetensors"));
  double share = 0;
  run.pool().run(1, [&](Index, int) { share = recalled(network, task.at_distance(100, 8, 5, Rng(9))); });
  EXPECT_GT(share, 0.9);
}

}  // namespace
}  // namespace dhyan::lab
