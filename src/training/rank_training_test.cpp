// Training on several ranks, which are threads of this test: the same bytes as on one, and a clear end if one is lost.

#include <gtest/gtest.h>
#include <thread>

#include "core/testing/thrown.h"
#include "distributed/in_process_network.h"
#include "interop/safetensors.h"
#include "training/rank_shares.h"
#include "training/testing/exercise.h"

namespace dhyan {
namespace {

// Weights of more than one chunk, so that every rank has a share.
void widen(Exercise& run) {
  RecurrentConfig config{{.source_vocabulary = kExerciseVocabulary, .target_vocabulary = kExerciseVocabulary}, {}};
  config.embedding = config.hidden = config.output_hidden = 96;
  config.dropout = 0.1;
  run.model = make_recurrent_model(config, Rng(run.options.seed));
}

TrainingOptions few_steps() {
  TrainingOptions options = small_options();
  options.max_steps = 5;
  options.report_steps = 2;
  options.save_steps = 3;
  return options;
}

// What a training leaves.
struct Left {
  std::string weights, state;  // state: the tensors of the file, without times
  std::vector<double> losses, ratios;

  explicit Left(const Exercise& run) : weights(run.weights()), losses(run.recorder.losses) {
    const SafetensorsFile file(run.folder.path("training/state.safetensors"));
    state.assign(reinterpret_cast<const char*>(file.data().data()), file.data().size());
    for (const IntervalEvent& event : run.recorder.intervals) {
      losses.push_back(event.loss);
      ratios.push_back(event.update_ratio);
      ratios.push_back(event.gradient_norm);
    }
  }
  friend bool operator==(const Left&, const Left&) = default;
};

struct Cluster {
  int ranks = 2, threads = 1;
  GradientWire wire = GradientWire::kReal;
  std::chrono::milliseconds timeout{20'000};
  int lost = -1;
  std::size_t lost_after = 0;  // messages
  Index stop_after = -1;       // steps, on the last rank
};

struct Outcome {
  std::vector<std::string> failures;  // by rank; empty: it ended well
  std::vector<Ended> ended;
};

// Trains on all ranks; rank 0 in the folder of `run`.
Outcome train_on(const Cluster& cluster, Exercise& run, bool wide = true) {
  InProcessNetwork network(cluster.ranks);
  if (cluster.lost >= 0) network.lose_after(cluster.lost, cluster.lost_after);
  Outcome outcome;
  outcome.failures.resize(static_cast<std::size_t>(cluster.ranks));
  outcome.ended.resize(static_cast<std::size_t>(cluster.ranks), Ended::kNotFinite);
  std::vector<std::thread> threads;
  for (int rank = 0; rank < cluster.ranks; ++rank) {
    threads.emplace_back([&, rank] {
      const auto at = static_cast<std::size_t>(rank);
      try {
        Communicator communicator(network.transport(rank), {.timeout = cluster.timeout});
        std::optional<Exercise> other;
        if (rank > 0) other.emplace(run.options, cluster.threads);
        Exercise& own = rank > 0 ? *other : run;
        if (rank > 0 && wide) widen(own);
        try {
          const Ranks ranks{communicator, cluster.wire};
          own.ranks = &ranks;
          Trainer trainer = own.trainer();
          const Bytes resumes = communicator.broadcast(Bytes(Trainer::can_resume(own.folder.path()) ? 1 : 0));
          if (!resumes.empty()) trainer.resume();
          const bool stops = rank + 1 == cluster.ranks;
          outcome.ended[at] =
              trainer.run(own.recorder, [&] { return stops && trainer.state().step == cluster.stop_after; });
          communicator.finish();
        } catch (const std::exception& error) {
          outcome.failures[at] = communicator.fail(error.what());
        }
        own.ranks = nullptr;
        const bool wrote = rank > 0 && std::filesystem::exists(own.folder.path("model.safetensors"));
        EXPECT_FALSE(wrote) << "rank 0 writes alone";
      } catch (const std::exception& error) {
        outcome.failures[at] = error.what();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  return outcome;
}

Left alone(const TrainingOptions& options, bool wide = true) {
  Exercise run(options, 4);
  if (wide) widen(run);
  run.train();
  return Left(run);
}

Left together(const TrainingOptions& options, const Cluster& cluster, bool wide = true) {
  Exercise run(options, cluster.threads);
  if (wide) widen(run);
  const Outcome outcome = train_on(cluster, run, wide);
  for (const std::string& failure : outcome.failures) EXPECT_EQ(failure, "");
  return Left(run);
}

TEST(RankTraining, GivesTheSameBytesOnAnyNumberOfRanks) {
  for (const auto& [name, precision] : kPrecisions) {
    TrainingOptions options = few_steps();
    options.precision = precision;
    const Left one = alone(options);
    EXPECT_TRUE(one == together(options, {.ranks = 2, .threads = 2})) << name;
    EXPECT_TRUE(one == together(options, {.ranks = 4, .threads = 1})) << name;
  }
  const Left one = alone(few_steps());
  EXPECT_TRUE(one == together(few_steps(), {.ranks = 2, .threads = 1})) << "two rounds of shards";
  EXPECT_TRUE(one == together(few_steps(), {.ranks = 6, .threads = 1})) << "two ranks have no shard";
}

TEST(RankTraining, GivesTheSameBytesWithEveryOptimizerAndOption) {
  for (const OptimizerEntry& optimizer : optimizers()) {
    TrainingOptions options = few_steps();
    options.optimizer = optimizer.name;
    options.optimizer_settings.momentum = 0.5;
    options.max_steps = 4;
    options.accumulate = 2;
    options.ema = 0.9;
    options.workspace = 1;
    options.shards = 3;
    EXPECT_TRUE(alone(options) == together(options, {.ranks = 3, .threads = 1})) << optimizer.name;
  }
  TrainingOptions small = few_steps();
  small.shards = 70;  // more than sentences: some are empty
  EXPECT_TRUE(alone(small, false) == together(small, {.ranks = 3, .threads = 2}, false)) << "one chunk, of one rank";
}

TEST(RankTraining, LeavesFrozenWeightsAlone) {
  const auto frozen = [](Exercise& run) {
    widen(run);
    run.model->parameters().begin()->frozen = true;
  };
  Exercise one(few_steps(), 2);
  frozen(one);
  one.train();
  InProcessNetwork network(2);
  Exercise zero(few_steps(), 1), first(few_steps(), 1);
  std::vector<std::thread> threads;
  for (int rank = 0; rank < 2; ++rank) {
    threads.emplace_back([&, rank] {
      Exercise& own = rank == 0 ? zero : first;
      frozen(own);
      Communicator communicator(network.transport(rank));
      const Ranks ranks{communicator};
      own.ranks = &ranks;
      own.trainer().run(own.recorder, [] { return false; });
      communicator.finish();
      own.ranks = nullptr;
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_TRUE(Left(one) == Left(zero));
}

TEST(RankTraining, ResumesWithAnotherNumberOfRanks) {
  const Left straight = alone(few_steps());
  Exercise run(few_steps(), 2);
  widen(run);
  Outcome outcome = train_on({.ranks = 2, .threads = 2, .stop_after = 2}, run);
  EXPECT_EQ(outcome.ended, (std::vector<Ended>{Ended::kOnRequest, Ended::kOnRequest}));
  outcome = train_on({.ranks = 3, .threads = 1, .stop_after = 4}, run);
  EXPECT_EQ(outcome.ended[0], Ended::kOnRequest);
  EXPECT_EQ(run.train(), Ended::kSteps) << "and on one";
  EXPECT_EQ(Left(run).weights, straight.weights);
  EXPECT_EQ(Left(run).state, straight.state);
}

TEST(RankTraining, Bfloat16OnTheWireChangesLittle) {
  const TrainingOptions options = few_steps();
  const Left one = alone(options), two = together(options, {.ranks = 2, .wire = GradientWire::kBfloat16});
  EXPECT_NE(one.weights, two.weights);
  for (std::size_t i = 0; i < one.losses.size(); ++i) EXPECT_NEAR(one.losses[i], two.losses[i], 0.02 * one.losses[i]);
}

// A rank is lost after each of its messages in turn; the last runs lose none.
TEST(RankTraining, EndsWithOneReasonOnAllRanksWhereverOneIsLost) {
  using namespace std::chrono_literals;
  TrainingOptions options = few_steps();
  options.max_steps = 2;
  options.average = 0;
  Exercise whole(options, 1);
  whole.train();
  for (const int lost : {1, 2}) {
    for (const std::size_t messages : {0, 1, 3, 9, 20, 45, 85}) {
      Exercise run(options, 1);
      const Outcome outcome =
          train_on({.ranks = 3, .timeout = 500ms, .lost = lost, .lost_after = messages}, run, false);
      const std::string& reason = outcome.failures[0];
      if (reason.empty()) continue;  // all was done before
      EXPECT_TRUE(reason.starts_with(cat("rank ", lost, " has not answered for 0.5 seconds"))) << reason;
      EXPECT_EQ(outcome.failures[static_cast<std::size_t>(3 - lost)], reason) << "the third rank hears of it";
      EXPECT_FALSE(outcome.failures[static_cast<std::size_t>(lost)].empty()) << "and the lost one ends itself";
      EXPECT_EQ(run.train(), Ended::kSteps) << "what is saved is whole";
      EXPECT_EQ(run.weights(), whole.weights()) << messages;
    }
  }
}

TEST(RankTraining, AFailureOfOneRankIsTheReasonOfAll) {
  InProcessNetwork network(3);
  std::vector<std::string> reasons(3);
  std::vector<std::thread> threads;
  for (int rank = 0; rank < 3; ++rank) {
    threads.emplace_back([&, rank] {
      Communicator communicator(network.transport(rank));
      if (rank == 2) {
        reasons[2] = communicator.fail("the disk is full");
        communicator.settle_failure();
        return;
      }
      reasons[static_cast<std::size_t>(rank)] = thrown<RankError>([&] { communicator.barrier(); });
      communicator.settle_failure();
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(reasons, (std::vector<std::string>(3, "rank 2: the disk is full")));
}

TEST(ShardDeal, GivesNeighbouringShardsToTheThreadsOfARank) {
  const ShardDeal even(std::vector<int>{2, 2}, 4);
  EXPECT_EQ(even.shards_of(0, 8), (std::vector<Index>{0, 1, 4, 5}));
  EXPECT_EQ(even.shards_of(1, 6), (std::vector<Index>{2, 3}));
  const ShardDeal many_threads(std::vector<int>{4, 4}, 4);
  EXPECT_EQ(many_threads.shards_of(1, 4), (std::vector<Index>{2, 3})) << "not all on the first";
  const ShardDeal many_ranks(std::vector<int>{1, 1, 1}, 2);
  EXPECT_EQ(many_ranks.threads_of(2), 0);
}

TEST(ShareOfRank, CoversAllElementsOnce) {
  for (const Index elements : {Index{0}, Index{7}, 3 * kChunkElements + 1, 700 * kChunkElements}) {
    for (const int ranks : {1, 2, 3, 7}) {
      Index end = 0;
      for (int rank = 0; rank < ranks; ++rank) {
        const ElementRange share = share_of_rank(elements, rank, ranks);
        EXPECT_EQ(share.begin, end);
        EXPECT_EQ(share.begin % kChunkElements == 0 || share.begin == elements, true);
        end = share.end;
      }
      EXPECT_EQ(end, elements);
    }
  }
}

}  // namespace
}  // namespace dhyan
