// Several ranks of the binary, started by mpirun on this machine, which talk over loopback.

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <functional>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <thread>
#include <unistd.h>

#include "core/error.h"
#include "interop/safetensors.h"
#include "process.h"
#include "small_model.h"
#include "tiny_training.h"

namespace dhyan {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

constexpr const char* kMpirun = "/usr/bin/mpirun";

class RanksOfTheBinary : public testing::Test {
 protected:
  void SetUp() override {
    if (!fs::exists(kMpirun)) GTEST_SKIP() << "Open MPI is not installed: ranks are not tested (openmpi-bin)";
    if (!fs::exists(fs::path(kBinary).parent_path() / "libdhyan_mpi.so")) {
      GTEST_SKIP() << "dhyan was built without MPI: ranks are not tested (libopenmpi-dev)";
    }
  }

  // A container may have few cores, and only root.
  static std::map<std::string, std::string> environment() {
    return {{"OMPI_ALLOW_RUN_AS_ROOT", "1"},
            {"OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1"},
            {"OMPI_MCA_rmaps_base_oversubscribe", "1"},
            {"OMPI_MCA_hwloc_base_binding_policy", "none"},
            {"OMPI_MCA_oob_tcp_if_include", "lo"},
            {"OMPI_MCA_btl_tcp_if_include", "lo"},
            {"OMPI_MCA_btl_vader_single_copy_mechanism", "none"},
            {"OMPI_MCA_plm_rsh_agent", "/bin/false"}};
  }
  static Words on_ranks(int ranks, Words command) {
    Words words{kMpirun, "-q", "-np", std::to_string(ranks)};
    words.insert(words.end(), command.begin(), command.end());
    return words;
  }
  static Finished run_on(int ranks, const Words& command) { return run(on_ranks(ranks, command), environment()); }

  Words training(const std::string& model, const Words& more = {}) const {
    Words words{"--shards",           "4",    "--max-steps",    "12", "--validate-steps", "6",
                "--validate-metrics", "bleu", "--report-steps", "4"};
    words.insert(words.end(), more.begin(), more.end());
    return tiny_training(corpus_, model, words);
  }
  std::string path(std::string_view name) const { return corpus_.path(name); }
  std::string read(std::string_view name) const { return corpus_.folder().read(name); }

  // Tensors of the training's state, and the losses of its log.
  std::string state_of(const std::string& model) const {
    const SafetensorsFile file(path(model + "/training/state.safetensors"));
    return {reinterpret_cast<const char*>(file.data().data()), file.data().size()};
  }
  std::vector<double> losses_of(const std::string& model) const {
    std::vector<double> losses;
    std::ifstream log(path(model + "/train.jsonl"));
    for (std::string line; std::getline(log, line);) losses.push_back(nlohmann::json::parse(line).at("loss"));
    return losses;
  }

  // Processes that a process has started.
  static std::vector<pid_t> children_of(pid_t parent) {
    std::vector<pid_t> children;
    std::error_code gone;
    for (const fs::directory_entry& task : fs::directory_iterator(cat("/proc/", parent, "/task"), gone)) {
      std::ifstream list(task.path() / "children");
      for (pid_t child = 0; list >> child;) children.push_back(child);
    }
    return children;
  }
  static bool wait_until(const std::function<bool()>& reached) {
    for (int tries = 0; tries < 3000 && !reached(); ++tries) std::this_thread::sleep_for(std::chrono::milliseconds(10));
    return reached();
  }

  TinyCorpus corpus_;
};

TEST_F(RanksOfTheBinary, TrainTheSameBytesAsOneProcess) {
  for (const char* precision : {"float32", "bfloat16"}) {
    const std::string one = cat("one-", precision);
    const Finished alone = run(training(one, {"--threads", "4", "--precision", precision}));
    ASSERT_EQ(alone.code, 0) << alone.error;
    const auto lines = [](const std::string& text) { return std::ranges::count(text, '\n'); };
    for (const int ranks : {2, 4}) {
      const std::string model = cat(precision, ranks);
      const Finished ended =
          run_on(ranks, training(model, {"--threads", std::to_string(4 / ranks), "--precision", precision}));
      ASSERT_EQ(ended.code, 0) << ended.error;
      EXPECT_TRUE(has(ended.error, cat("ranks: ", ranks, ", with 4 threads together")));
      EXPECT_EQ(read(model + "/model.safetensors"), read(one + "/model.safetensors")) << model;
      EXPECT_EQ(state_of(model), state_of(one)) << model;
      EXPECT_EQ(losses_of(model), losses_of(one)) << model;
      EXPECT_EQ(lines(ended.out), lines(alone.out)) << "rank 0 alone writes:\n" << ended.out;
    }
  }
}

TEST_F(RanksOfTheBinary, TranslateAndEvaluateAsOneProcess) {
  make_small_model(path("model"), ContextKind::kAttention);
  std::string lines;
  for (int i = 0; i < 300; ++i) lines += i % 2 == 0 ? "मैं खाना खा रहा हूँ\n" : "तुम पानी पी\n";  // several windows
  corpus_.folder().write("long.hi", lines);
  const Words translate{kBinary, "translate", "-m", path("model"), path("long.hi"), "--n-best", "2"};
  const Finished alone = run(translate), shared = run_on(3, translate);
  ASSERT_EQ(shared.code, 0) << shared.error;
  EXPECT_EQ(alone.out, shared.out);
  EXPECT_GT(alone.out.size(), 1000u);
  const Words evaluate{kBinary, "evaluate", "-m", path("model"), "--test", path("dev.hi"), path("dev.en"), "--json"};
  const Finished measured = run_on(2, evaluate);
  ASSERT_EQ(measured.code, 0) << measured.error;
  EXPECT_EQ(measured.out, run(evaluate).out);

  corpus_.folder().write("bad.hi", lines + "\xff\n");
  Words bad = translate;
  bad[4] = path("bad.hi");
  const Finished refused = run_on(2, bad);
  EXPECT_EQ(refused.code, 3) << refused.error;
  EXPECT_TRUE(has(refused.error, "bad.hi:301"));
  EXPECT_EQ(refused.out, run(bad).out) << "the lines before it are translated";
}

TEST_F(RanksOfTheBinary, RefuseToDisagree) {
  Words both = on_ranks(1, training("model"));
  const Words other = training("model", {"--hidden", "9"});
  both.insert(both.end(), {":", "-np", "1"});
  both.insert(both.end(), other.begin(), other.end());
  const Finished ended = run(both, environment());
  EXPECT_EQ(ended.code, 1);
  EXPECT_TRUE(has(ended.error, "dhyan: error: rank 1 on "));
  EXPECT_TRUE(has(ended.error, " has another command: dhyan train"));
  EXPECT_FALSE(fs::exists(path("model")));
}

TEST_F(RanksOfTheBinary, SayAMistakeOnce) {
  const Finished ended = run_on(3, training("model", {"--hiden", "9"}));
  EXPECT_EQ(ended.code, 2);
  const std::string message = "unknown option '--hiden'";
  const std::size_t first = ended.error.find(message);
  ASSERT_NE(first, std::string::npos) << ended.error;
  EXPECT_EQ(ended.error.find(message, first + 1), std::string::npos) << ended.error;
}

// A training that would take long, in the background.
class EndedRanks : public RanksOfTheBinary {
 protected:
  Words endless(const std::string& model) const {
    return on_ranks(2, training(model, {"--max-steps", "0", "--max-epochs", "100000", "--save-steps", "5", "--threads",
                                        "2", "--rank-timeout", "3"}));
  }
  void begin(const std::string& model) {
    const int file = ::open(path("errors").c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    mpirun_ = start(endless(model), {.out = file, .error = file}, environment());
    ::close(file);
    ASSERT_TRUE(wait_until([&] {
      ranks_ = children_of(mpirun_);
      return ranks_.size() == 2 && fs::exists(path(model + "/train.jsonl")) && !losses_of(model).empty();
    })) << read("errors");
    std::ranges::sort(ranks_);
  }
  // To the step at which the others ended, then further, on one process.
  void expect_to_resume(const std::string& model) {
    ASSERT_EQ(run({kBinary, "train", "--resume", "-o", path(model), "--max-steps", "5000", "--max-epochs", "1"}).code,
              0)
        << "a checkpoint that was whole";
  }

  pid_t mpirun_ = -1;
  std::vector<pid_t> ranks_;
};

TEST_F(EndedRanks, ByTheHangOfOneSayWhich) {
  if (!fs::exists(kMpirun)) return;
  ASSERT_NO_FATAL_FAILURE(begin("model"));
  ::kill(ranks_[1], SIGSTOP);
  EXPECT_EQ(exit_code_of(mpirun_), 1);
  EXPECT_TRUE(has(read("errors"), "dhyan: error: rank 1 on "));
  EXPECT_TRUE(has(read("errors"), " has not answered for 3 seconds (--rank-timeout)"));
  expect_to_resume("model");
}

TEST_F(EndedRanks, ByTheDeathOfOneLeaveAWholeCheckpoint) {
  ASSERT_NO_FATAL_FAILURE(begin("model"));
  ::kill(ranks_[1], SIGKILL);
  EXPECT_NE(exit_code_of(mpirun_), 0);
  EXPECT_TRUE(has(read("errors"), "rank 1"));
  expect_to_resume("model");
}

TEST_F(EndedRanks, BySlurmsWarningSaveOnce) {
  ASSERT_NO_FATAL_FAILURE(begin("model"));
  ::kill(mpirun_, SIGUSR1);  // goes to all ranks
  EXPECT_EQ(exit_code_of(mpirun_), 130);
  EXPECT_TRUE(has(read("errors"), ", all saved. To continue: dhyan train --resume"));
  expect_to_resume("model");
}

}  // namespace
}  // namespace dhyan
