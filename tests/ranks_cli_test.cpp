// Several ranks of the binary, started by mpirun on this machine, which talk over loopback.

#include <filesystem>
#include <gtest/gtest.h>
#include <map>
#include <string>
#include <vector>

#include "core/error.h"
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
                "--validate-metrics", "bleu", "--report-steps", "4",  "--rank-timeout",   "15"};
    words.insert(words.end(), more.begin(), more.end());
    return tiny_training(corpus_, model, words);
  }
  std::string path(std::string_view name) const { return corpus_.path(name); }

  TinyCorpus corpus_;
};

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

}  // namespace
}  // namespace dhyan
