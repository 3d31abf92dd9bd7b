// Trainings that are killed, as a shell sees them.

#include <algorithm>
#include <chrono>
#include <cmath>
#include <csignal>
#include <fcntl.h>
#include <filesystem>
#include <gtest/gtest.h>
#include <regex>
#include <thread>
#include <unistd.h>

#include "core/error.h"
#include "core/rng.h"
#include "process.h"
#include "tiny_training.h"
#include "translator/model_folder.h"

namespace dhyan {
namespace {

namespace fs = std::filesystem;

class EndedByForce : public testing::Test {
 protected:
  using Words = std::vector<std::string>;

  Words begin(const std::string& model, const Words& more = {}) const {
    Words words{"--overwrite", "--threads", "1", "--max-epochs", "0", "--max-steps", "600", "--report-steps", "10"};
    words.insert(words.end(), {"--validate-steps", "50", "--save-steps", "10", "--keep-last", "2", "--average", "2"});
    words.insert(words.end(),
                 {"--ema", "0.9", "--keep-best", "perplexity", "--schedule", "plateau", "--patience", "0"});
    words.insert(words.end(), more.begin(), more.end());
    return tiny_training(corpus_, model, words);
  }
  Words resume(const std::string& model) const {
    return {kBinary, "train", "--resume", "--threads", "1", "-o", path(model)};
  }

  std::string path(std::string_view name) const { return corpus_.path(name); }
  std::string read(const std::string& name) const { return corpus_.folder().read(name); }
  std::string log(const std::string& name) const {
    static const std::regex times("[0-9.]+ tokens/s|\"(seconds|tokens_per_second)\":[0-9.e+-]+");
    return std::regex_replace(read(name), times, "");
  }

  // The names of all files except those whose names contain times.
  std::vector<std::string> files(const std::string& model) const {
    std::vector<std::string> names;
    for (const auto& entry : fs::recursive_directory_iterator(path(model))) {
      const std::string name = entry.path().filename();
      if (!name.starts_with("events.")) names.push_back(name);
    }
    std::ranges::sort(names);
    return names;
  }

  // The files of a training, without times and the name of its folder.
  void expect_same(const std::string& model, const std::string& other) const {
    for (const std::string file : {"/model.safetensors", "/model-best-perplexity.safetensors"}) {
      EXPECT_TRUE(read(model + file) == read(other + file)) << file;
      EXPECT_FALSE(read(model + file).empty()) << file;
    }
    for (const std::string file : {"/train.log", "/train.jsonl", "/training/samples.jsonl"}) {
      EXPECT_EQ(log(model + file), log(other + file));
    }
    EXPECT_EQ(files(model), files(other)) << "nothing torn is left";
  }

  TinyCorpus corpus_;
};

// Each run is killed after a random time below an eighth of a whole training's, so that fast and slow machines see
// about as many kills. A run that finishes before its kill is compared, and another one starts.
TEST_F(EndedByForce, AreResumedToTheSameBytes) {
  const auto started = std::chrono::steady_clock::now();
  ASSERT_EQ(run(begin("straight")).code, 0);
  const auto whole =
      std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::steady_clock::now() - started).count();
  Rng rng(static_cast<std::uint64_t>(::getpid()));
  const auto next = [&] {
    return fs::exists(path("model/training/state.safetensors")) ? resume("model") : begin("model");
  };
  int killed = 0;
  for (int i = 0; i < 50; ++i) {
    const int silent = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
    const pid_t child = start(next(), {.out = silent, .error = silent});
    ::close(silent);
    std::this_thread::sleep_for(std::chrono::microseconds(rng.below(static_cast<std::uint64_t>(whole / 8))));
    ::kill(child, SIGKILL);
    const int code = exit_code_of(child);
    ASSERT_TRUE(code == 0 || code == 1000 + SIGKILL) << "it could not be resumed after " << i << " times: " << code;
    killed += code != 0;
    if (code != 0) continue;
    expect_same("model", "straight");
    fs::remove_all(path("model"));
  }
  EXPECT_GT(killed, 25) << "or little was tried";
  const Finished finished = run(next());
  ASSERT_EQ(finished.code, 0) << finished.error;
  expect_same("model", "straight");
}

TEST_F(EndedByForce, SaveAndPrintTheResumeCommandOnEitherSignal) {
  const Words few{"--max-steps", "200"};
  ASSERT_EQ(run(begin("straight", few)).code, 0);
  for (const int signal : {SIGINT, SIGTERM}) {
    const std::string model = cat("model", signal);
    const int silent = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
    const pid_t child = start(begin(model, few), {.out = silent, .error = silent});
    ::close(silent);
    for (int tries = 0; tries < 4000 && !has(read(model + "/train.log"), "step 10 "); ++tries) {
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    ::kill(child, signal);
    EXPECT_EQ(exit_code_of(child), 130);
    EXPECT_NO_THROW(load_model(path(model)));
    EXPECT_EQ(run(resume(model)).code, 0);
    expect_same(model, "straight");
  }
}

TEST_F(EndedByForce, NameTheFileAndLoseNothingOnAFullDisk) {
  ASSERT_EQ(run(begin("model", {"--max-steps", "60"})).code, 0);
  const std::string weights = read("model/model.safetensors"), state = read("model/training/state.safetensors");
  const Finished full =
      run({"/bin/sh", "-c",
           cat("ulimit -f 16 && exec '", kBinary, "' train --resume --max-steps 90 -o '", path("model"), "'")});
  EXPECT_EQ(full.code, 1) << full.error;
  EXPECT_TRUE(has(full.error, "model/training/step-")) << full.error;
  EXPECT_TRUE(has(full.error, ".safetensors: cannot write: File too large")) << full.error;
  EXPECT_TRUE(read("model/training/state.safetensors") == state);
  EXPECT_TRUE(read("model/model.safetensors") == weights);
  Words again = resume("model");
  again.insert(again.end(), {"--max-steps", "90"});
  const Finished resumed = run(again);
  EXPECT_EQ(resumed.code, 0) << resumed.error;
}

TEST_F(EndedByForce, ReportNanGradientsAndStop) {
  const Finished halted = run(begin("model", {"--learning-rate", "1000", "--optimizer", "sgd", "--clip-norm", "0",
                                              "--max-skipped", "4", "--schedule", "constant"}));
  EXPECT_EQ(halted.code, 1) << halted.error;
  EXPECT_TRUE(has(halted.error, "the gradients of 4 steps in a row, up to step "));
  EXPECT_TRUE(has(halted.error, cat("The last saved state is in ", path("model"))));
  EXPECT_TRUE(has(halted.error, cat("dhyan train --init-from ", path("model"), " --learning-rate RATE")));
  const LoadedModel saved = load_model(path("model"));
  for (const Parameter& weight : saved.model->parameters()) {
    for (const Real value : weight.value.span()) ASSERT_TRUE(std::isfinite(value)) << weight.name;
  }
}

}  // namespace
}  // namespace dhyan
