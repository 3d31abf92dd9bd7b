// Stops a training at each of its polls. Stopped before the first step it leaves no file; stopped later it can be
// resumed, and the result equals that of a training that never stopped.

#include <algorithm>
#include <atomic>
#include <gtest/gtest.h>
#include <map>
#include <regex>
#include <stdexcept>

#include "runs/testing/tiny_run.h"

namespace dhyan {
namespace {

namespace fs = std::filesystem;

struct StopHere {};

// Counts the calls of poll() and records the phase of the training, known from its events, of each.
class Phases final : public RunObserver {
 public:
  explicit Phases(fs::path folder) : folder_(std::move(folder)) {}

  void poll() {
    if (phase_ == "hash" && fs::exists(folder_ / "training.new")) phase_ = "learn";
    of_poll_.push_back(phase_);
  }

  void on_note(const std::string& text) override {
    if (text.starts_with("vocabularies:")) phase_ = "tokenise";
    if (text.starts_with("model:")) phase_ = "measure memory";
    if (text.starts_with("memory:")) phase_ = "step";
    since_ = of_poll_.size();
  }
  void on_step(const StepEvent&) override { since_ = of_poll_.size(); }
  void on_validation(const ValidationEvent&) override { was("validate"); }
  void on_average(const AverageEvent&) override { was("average"); }

  // The first, the middle and the last call of each phase, from 1.
  std::map<std::string, std::vector<std::size_t>> places() const {
    std::map<std::string, std::vector<std::size_t>> all, some;
    for (std::size_t i = 0; i < of_poll_.size(); ++i) all[of_poll_[i]].push_back(i + 1);
    for (const auto& [phase, calls] : all) some[phase] = {calls.front(), calls[calls.size() / 2], calls.back()};
    return some;
  }

 private:
  void was(const char* phase) {
    std::fill(of_poll_.begin() + static_cast<std::ptrdiff_t>(since_), of_poll_.end(), phase);
    since_ = of_poll_.size();
  }

  fs::path folder_;
  std::string phase_ = "hash";
  std::vector<std::string> of_poll_;
  std::size_t since_ = 0;
};

class InterruptedRuns : public testing::Test {
 protected:
  InterruptedRuns() {
    config_.training.average = 2;
    config_.training.keep_last = 2;
    config_.training.ema = 0.9;
    config_.training.schedule = "plateau";
    config_.validation.metrics = {"loss", "bleu"};
  }

  // One thread: with several, the order of polls is not deterministic.
  Ended train(const std::string& model, Existing existing, RunObserver& observer, std::function<void()> poll = {}) {
    TrainingRun run(config_,
                    {.folder = corpus_.path(model), .existing = existing, .threads = 1, .poll = std::move(poll)},
                    observer);
    began_ = true;
    return run.run([] { return false; });
  }

  // Stops at the n-th poll. Returns whether training had begun.
  bool stopped_at(std::size_t n, Existing existing = Existing::kRefuse) {
    RunObserver nobody;
    std::size_t polls = 0;
    began_ = false;
    try {
      EXPECT_EQ(train("model", existing, nobody,
                      [&] {
                        if (++polls == n) throw StopHere();
                      }),
                Ended::kOnRequest);
      EXPECT_TRUE(began_);
    } catch (const StopHere&) {
      EXPECT_FALSE(began_) << "a training that began ends by itself";
    }
    EXPECT_EQ(polls, n) << "it went on";
    return began_;
  }

  std::string file(const std::string& name) const {
    static const std::regex times("[0-9.]+ tokens/s|\"(seconds|tokens_per_second)\":[0-9.e+-]+");
    const std::string content = corpus_.folder().read(name);
    return name.ends_with(".safetensors") ? content : std::regex_replace(content, times, "");
  }

  void expect_resumed_to_the_same(const std::string& straight) {
    RunObserver nobody;
    EXPECT_EQ(train("model", Existing::kResume, nobody), Ended::kEpochs);
    for (const char* name : {"/model.safetensors", "/train.log", "/train.jsonl", "/training/samples.jsonl"}) {
      EXPECT_TRUE(file("model" + std::string(name)) == file(straight + name)) << name;
      EXPECT_FALSE(file(straight + name).empty()) << name;
    }
  }

  TinyCorpus corpus_;
  Config config_ = corpus_.config();
  bool began_ = false;
};

TEST_F(InterruptedRuns, LeaveNothingOrAResumableTrainingInEveryPhase) {
  Phases phases(corpus_.path("straight"));
  ASSERT_EQ(train("straight", Existing::kRefuse, phases, [&] { phases.poll(); }), Ended::kEpochs);
  const auto places = phases.places();
  for (const char* phase : {"hash", "learn", "tokenise", "measure memory", "step", "validate", "average"}) {
    ASSERT_TRUE(places.contains(phase)) << phase;
    const bool prepares = std::string_view("hash learn tokenise measure memory").find(phase) != std::string::npos;
    for (const std::size_t place : places.at(phase)) {
      SCOPED_TRACE(phase + (" at poll " + std::to_string(place)));
      EXPECT_EQ(stopped_at(place), !prepares);
      if (prepares) {
        EXPECT_FALSE(fs::exists(corpus_.path("model")));
      } else {
        EXPECT_NO_THROW(load_model(corpus_.path("model")));
        expect_resumed_to_the_same("straight");
      }
      fs::remove_all(corpus_.path("model"));
    }
  }
}

TEST_F(InterruptedRuns, CanBeStoppedAgainWhileResuming) {
  RunObserver nobody;
  ASSERT_EQ(train("straight", Existing::kRefuse, nobody), Ended::kEpochs);
  Phases phases(corpus_.path("counted"));
  ASSERT_EQ(train("counted", Existing::kRefuse, phases, [&] { phases.poll(); }), Ended::kEpochs);
  ASSERT_TRUE(stopped_at(phases.places().at("step")[1]));
  const std::string state = file("model/training/state.safetensors");
  std::size_t before_training = 0;
  for (std::size_t n = 1; !stopped_at(n, Existing::kResume); n += 5) {
    EXPECT_TRUE(file("model/training/state.safetensors") == state) << "poll " << n;
    ++before_training;
  }
  EXPECT_GT(before_training, 3u) << "hashing, verifying caches, loading the state";
  expect_resumed_to_the_same("straight");
}

TEST_F(InterruptedRuns, DoNotChangeTheModelTheyWouldOverwrite) {
  RunObserver nobody;
  ASSERT_EQ(train("model", Existing::kRefuse, nobody), Ended::kEpochs);
  const std::string before = file("model/model.safetensors");
  Phases phases(corpus_.path("counted"));
  train("counted", Existing::kRefuse, phases, [&] { phases.poll(); });
  EXPECT_FALSE(stopped_at(phases.places().at("measure memory").back(), Existing::kOverwrite));
  EXPECT_TRUE(file("model/model.safetensors") == before);
  EXPECT_FALSE(fs::exists(corpus_.path("model/training.new")));
}

}  // namespace
}  // namespace dhyan
