// Signals in the phases of long commands, and endless corpora, as a shell sees them.

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <functional>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

#include "core/rng.h"
#include "process.h"
#include "tiny_training.h"
#include "translator/model_folder.h"

namespace dhyan {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;
using SteadyClock = std::chrono::steady_clock;

class Interrupts : public testing::Test {
 protected:
  std::string path(std::string_view name) const { return corpus_.path(name); }

  // A running program with its standard error in a file.
  struct Running {
    pid_t child;
    std::string errors;
  };
  Running begin(const Words& command) const {
    const std::string errors = path("errors");
    const int silent = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
    const int file = ::open(errors.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    const pid_t child = start(command, {.out = silent, .error = file});
    ::close(silent);
    ::close(file);
    return {child, "errors"};
  }

  static void wait_until(const std::function<bool()>& reached) {
    for (int tries = 0; tries < 5000 && !reached(); ++tries) std::this_thread::sleep_for(std::chrono::milliseconds(2));
    ASSERT_TRUE(reached());
  }

  // The exit code after a signal. The program must exit within two seconds, or later if other processes use the cores.
  static int signalled(const Running& running, int signal) {
    const SteadyClock::time_point sent = SteadyClock::now();
    ::kill(running.child, signal);
    const int code = exit_code_of(running.child);
    double load = 0;
    if (::getloadavg(&load, 1) != 1) load = 0;
    const double waiting = std::max(1.0, load / std::max(1U, std::thread::hardware_concurrency()));
    EXPECT_LT(std::chrono::duration<double>(SteadyClock::now() - sent).count(), 2 * waiting);
    return code;
  }

  // A sparse file of zeros with the given size.
  std::string endless(const std::string& name) const {
    constexpr off_t kBytes = off_t{1} << 40;
    const int file = ::open(path(name).c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    EXPECT_EQ(::ftruncate(file, kBytes), 0);
    ::close(file);
    return path(name);
  }

  // A text of random words, so that learning subwords takes long.
  void write_random_text(const std::string& name, int lines) const {
    Rng rng(7);
    std::string text;
    for (int i = 0; i < lines; ++i) {
      for (int word = 0; word < 12; ++word) {
        for (int letter = 0; letter < 9; ++letter) text += static_cast<char>('a' + rng.below(26));
        text += word == 11 ? '\n' : ' ';
      }
    }
    corpus_.folder().write(name, text);
  }

  Words train(const Words& more) const { return tiny_training(corpus_, "model", more); }

  TinyCorpus corpus_;
};

TEST_F(Interrupts, StopATrainingThatHashesItsCorpus) {
  const Running hashing = begin(train({"--train", endless("a.hi"), endless("a.en")}));
  wait_until([&] { return has(corpus_.folder().read(hashing.errors), "model folder:"); });
  EXPECT_EQ(signalled(hashing, SIGTERM), 130);
  EXPECT_FALSE(fs::exists(path("model")));
}

TEST_F(Interrupts, StopATrainingThatLearnsItsSubwords) {
  write_random_text("random.hi", 20000);
  write_random_text("random.en", 20000);
  const Running learning = begin(
      train({"--train", path("random.hi"), path("random.en"), "--tokenizer", "unigram", "--vocabulary-size", "8000"}));
  wait_until([&] { return fs::exists(path("model/training.new")); });
  std::this_thread::sleep_for(
      std::chrono::milliseconds(300));  // until the lines are read and the library trains on them
  EXPECT_EQ(signalled(learning, SIGINT), 130);
  EXPECT_FALSE(has(corpus_.folder().read(learning.errors), "vocabularies:")) << "it was over";
  EXPECT_FALSE(fs::exists(path("model")));
}

TEST_F(Interrupts, StopATrainingWithLongSteps) {
  write_random_text("random.hi", 300);
  write_random_text("random.en", 300);
  const Running measuring = begin(train({"--train", path("random.hi"), path("random.en"), "--embedding", "256",
                                         "--hidden", "512", "--batch-tokens", "4000", "--threads", "1"}));
  wait_until([&] { return has(corpus_.folder().read(measuring.errors), "weights"); });
  EXPECT_EQ(signalled(measuring, SIGTERM), 130);
  EXPECT_FALSE(has(corpus_.folder().read(measuring.errors), "memory:")) << "it was over";
  EXPECT_FALSE(fs::exists(path("model")));
}

TEST_F(Interrupts, StopCommandsThatWaitForAPipeWithoutAWriter) {
  ASSERT_EQ(::mkfifo(path("pipe").c_str(), 0600), 0);
  for (const bool opened : {false, true}) {
    const int writer = opened ? ::open(path("pipe").c_str(), O_RDWR | O_CLOEXEC) : -1;
    const Running checking = begin({kBinary, "data", "check", path("pipe")});
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    EXPECT_EQ(signalled(checking, SIGTERM), 130);
    if (writer >= 0) ::close(writer);
  }
}

TEST_F(Interrupts, StopCommandsThatWaitForAPipeWithoutAReader) {
  ASSERT_EQ(::mkfifo(path("pipe").c_str(), 0600), 0);
  const Running cleaning =
      begin({kBinary, "data", "clean", corpus_.folder().write("a.tsv", "a\tb\n"), "-o", path("pipe")});
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  EXPECT_EQ(signalled(cleaning, SIGINT), 130);
  EXPECT_TRUE(has(corpus_.folder().read(cleaning.errors), "interrupted"));
}

TEST_F(Interrupts, OfAClosedTerminalSaveATrainingUnlessNohupIsSet) {
  const Words long_training =
      train({"--max-epochs", "0", "--max-steps", "100000", "--patience", "0", "--report-steps", "10"});
  const auto trains = [&] { return static_cast<bool>(has(corpus_.folder().read("model/train.log"), "step 10 ")); };
  const Running saving = begin(long_training);
  wait_until(trains);
  EXPECT_EQ(signalled(saving, SIGHUP), 130);
  EXPECT_TRUE(has(corpus_.folder().read(saving.errors), "all saved. To continue: dhyan train --resume"));
  EXPECT_NO_THROW(load_model(path("model")));
  EXPECT_EQ(run({kBinary, "train", "--resume", "-o", path("model"), "--max-steps", "1", "--threads", "1"}).code, 0);

  fs::remove_all(path("model"));
  Words outliving{"/usr/bin/nohup"};
  outliving.insert(outliving.end(), long_training.begin(), long_training.end());
  const Running going_on = begin(outliving);
  wait_until(trains);
  ::kill(going_on.child, SIGHUP);
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  EXPECT_EQ(::kill(going_on.child, 0), 0) << "it lives";
  EXPECT_EQ(signalled(going_on, SIGTERM), 130);
}

TEST_F(Interrupts, AreNotNeededForACorpusWithoutEnd) {
  ASSERT_EQ(::mkfifo(path("pipe").c_str(), 0600), 0);
  fs::create_directory(path("folder"));
  const std::pair<std::string, std::string> corpora[] = {
      {"/dev/zero", "/dev/zero: this is a device; expected a regular file"},
      {path("pipe"), path("pipe") + ": this is a pipe; expected a regular file"},
      {path("folder"), path("folder") + ": this is a folder; expected a regular file"}};
  for (const auto& [file, message] : corpora) {
    const Finished refused = run(train({"--train", file, file}));
    EXPECT_EQ(refused.code, 3);
    EXPECT_TRUE(has(refused.error, message));
    EXPECT_TRUE(has(refused.error, "because training reads a corpus more than once"));
    EXPECT_FALSE(fs::exists(path("model")));
    const Finished held_out = run(train({"--valid", file, file}));
    EXPECT_EQ(held_out.code, 3);
    EXPECT_TRUE(has(held_out.error, message));
  }
}

TEST_F(Interrupts, AreNotNeededForALineWithoutEnd) {
  const Finished zeros = run({kBinary, "data", "check", "/dev/zero"});
  EXPECT_EQ(zeros.code, 3);
  EXPECT_TRUE(has(zeros.error, "/dev/zero:1: the line is longer than 1048576 bytes"));
  const Finished folder = run({kBinary, "data", "check", path("")});
  EXPECT_EQ(folder.code, 3);
  EXPECT_TRUE(has(folder.error, "cannot read: Is a directory"));
}

TEST_F(Interrupts, AreNotNeededForPipesThatAreReadOnce) {
  const Finished counted = run({"/bin/bash", "-c", cat("'", kBinary, "' data check <(printf 'a\\tb\\nc\\td\\n')")});
  EXPECT_EQ(counted.code, 0) << counted.error;
}

}  // namespace
}  // namespace dhyan
