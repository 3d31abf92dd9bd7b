// Files and folders that dhyan writes or reads while other programs use them, as a shell sees it.

#include <algorithm>
#include <csignal>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "conversation.h"
#include "core/error.h"
#include "core/file.h"
#include "process.h"
#include "small_model.h"
#include "tiny_training.h"

namespace dhyan {
namespace {

namespace fs = std::filesystem;

class FilesAndFolders : public testing::Test {
 protected:
  using Words = std::vector<std::string>;

  Words training(const std::string& model, const Words& more = {}) const {
    Words words{"--threads", "1", "--max-steps", "5"};
    words.insert(words.end(), more.begin(), more.end());
    return tiny_training(corpus_, model, words);
  }
  void train(const std::string& model, const Words& more = {}) const {
    const Finished trained = run(training(model, more));
    ASSERT_EQ(trained.code, 0) << trained.error;
  }
  static Finished dhyan(Words words, std::string_view input = {}) {
    words.insert(words.begin(), kBinary);
    return run(words, {}, input);
  }
  static Finished shell(const std::string& command) { return run({"/bin/sh", "-c", command}); }
  static void expect_failure(const Finished& finished, int code, const std::string& message) {
    EXPECT_EQ(finished.code, code) << finished.error;
    EXPECT_TRUE(has(finished.error, message));
  }

  std::string path(std::string_view name) const { return corpus_.path(name); }
  std::string read(std::string_view name) const { return corpus_.folder().read(name); }
  void write(std::string_view name, std::string_view text) const { corpus_.folder().write(name, text); }
  void flip_a_bit(const std::string& name, std::size_t from_the_end = 1) const {
    std::string bytes = read(name);
    char& byte = bytes[bytes.size() - from_the_end];
    byte = static_cast<char>(byte ^ 4);
    write(name, bytes);
  }

  TinyCorpus corpus_;
};

TEST_F(FilesAndFolders, OfTheUserAreNotChanged) {
  train("model");
  fs::create_directory(path("mine"));
  write("mine/README.md", "# My project\n");
  write("mine/notes.txt", "notes");
  const std::string model = path("model"), mine = path("mine"), refusal = "mine: holds files and no model of dhyan (";
  const std::vector<Words> all{training("mine"),
                               {kBinary, "quantize", model, "-o", mine},
                               {kBinary, "average", model, path("copy"), "-o", mine}};
  fs::copy(model, path("copy"), fs::copy_options::recursive);
  for (Words words : all) {
    expect_failure(run(words), 2, refusal);
    EXPECT_FALSE(fs::exists(path("mine/config.json"))) << words[1];
    words.push_back("--overwrite");
    const Finished written = run(words);
    EXPECT_EQ(written.code, 0) << written.error;
    EXPECT_TRUE(has(written.error, "mine/README.md: dhyan did not write it; it stays as it is"));
    EXPECT_EQ(dhyan({"translate", "-m", mine}, "एक\n").code, 0);
    EXPECT_EQ(read("mine/README.md"), "# My project\n");
    EXPECT_EQ(read("mine/notes.txt"), "notes");
    fs::remove_all(mine + "/training");
    for (const char* name : {"config.json", "model.safetensors", "train.log", "train.jsonl", "source.vocab",
                             "target.vocab", "trigrams.json"}) {
      fs::remove(fs::path(mine) / name);
    }
  }
  write("mine/config.json", R"({"model_type": "bert"})");
  for (Words words : all) {
    words.push_back("--overwrite");
    expect_failure(run(words), 3, "mine/config.json: dhyan did not write it and would write a file of that name");
    EXPECT_EQ(read("mine/config.json"), R"({"model_type": "bert"})");
  }
}

// A limit on the size of files lets the first save fail: the weights are larger than any file before them.
TEST_F(FilesAndFolders, OfATrainingThatFilledTheDiskCanBeReused) {
  Words words = training("model", {"--hidden", "64"});
  std::string command = "ulimit -f 16 && exec";
  for (const std::string& word : words) command += cat(" '", word, "'");
  expect_failure(shell(command), 1, "state.safetensors: cannot write: File too large");
  ASSERT_TRUE(fs::exists(path("model/config.json")));
  expect_failure(dhyan({"train", "--resume", "-o", path("model")}), 3,
                 "model: the training there ended before its first save, so there is nothing to resume; 'dhyan"
                 " train' without --resume starts over there");
  const Finished again = run(words);
  EXPECT_EQ(again.code, 0) << again.error;
  EXPECT_TRUE(has(again.error, "model: an earlier training there ended before its first save; starting over"));
  EXPECT_EQ(dhyan({"translate", "-m", path("model")}, "एक\n").code, 0);
}

TEST_F(FilesAndFolders, ShowTheirLanguages) {
  train("model", {});
  EXPECT_TRUE(
      has(dhyan({"inspect", path("model")}).out, "\nsource_language: Hindi (hi)\ntarget_language: English (en)\n"));
  EXPECT_TRUE(has(dhyan({"inspect", path("model"), "--json"}).out, "\"source_language\": \"hi\""));
  const Finished file = dhyan({"inspect", path("model/model.safetensors")});
  EXPECT_EQ(file.code, 0) << file.error;
  EXPECT_FALSE(has(file.out, "language"));
}

TEST_F(FilesAndFolders, AreVerifiedByTheirChecksum) {
  train("model", {"--keep-last", "2"});
  const Finished intact = dhyan({"inspect", path("model"), "--verify"});
  EXPECT_EQ(intact.code, 0) << intact.error;
  for (const std::string file : {"model.safetensors", "training/state.safetensors", "training/step-5.safetensors"}) {
    EXPECT_TRUE(has(intact.out, path("model/" + file) + ": intact\n"));
  }
  ASSERT_EQ(dhyan({"quantize", path("model"), "-o", path("int8")}).code, 0);
  ASSERT_EQ(dhyan({"average", path("model"), path("model/training/step-5.safetensors"), "-o", path("mean")}).code, 0);
  for (const std::string made : {"int8", "mean"}) {
    EXPECT_EQ(dhyan({"inspect", path(made), "--verify"}).out, path(made + "/model.safetensors") + ": intact\n");
  }
  flip_a_bit("model/model.safetensors");
  const Finished damaged = dhyan({"inspect", path("model"), "--verify"});
  const std::string message = path("model/model.safetensors") + ": its bytes do not match its checksum";
  expect_failure(damaged, 3, message);
  EXPECT_TRUE(has(damaged.out, path("model/model.safetensors") + ": damaged\n"));
  EXPECT_TRUE(has(damaged.out, path("model/training/state.safetensors") + ": intact\n")) << "the others are told of";
  expect_failure(dhyan({"translate", "-m", path("model")}, "एक\n"), 3, message);
  expect_failure(dhyan({"quantize", path("model"), "-o", path("other")}), 3, message);
  expect_failure(dhyan({"average", path("model"), path("mean"), "-o", path("other")}), 3, message);
  expect_failure(run(training("other", {"--init-from", path("model")})), 3, message);
  EXPECT_FALSE(fs::exists(path("other"))) << "nothing was made";
  expect_failure(dhyan({"train", "--resume", "--max-steps", "9", "-o", path("model")}), 3, message);
  flip_a_bit("model/training/state.safetensors");
  expect_failure(dhyan({"train", "--resume", "--max-steps", "9", "-o", path("model")}), 3,
                 path("model/training/state.safetensors") + ": its bytes do not match its checksum");
}

TEST_F(FilesAndFolders, WithoutAChecksumAreRead) {
  train("model");
  std::string bytes = read("model/model.safetensors");
  const std::string field = "\"checksum\":\"xxh3:", writer = "\"written_by\":\"dhyan\"";
  ASSERT_NE(bytes.find(field), bytes.npos);
  bytes.replace(bytes.find(field), field.size(), "\"irrelevant\":\"x:x");
  bytes.replace(bytes.find(writer), writer.size(), "\"written_by\":\"older\"");
  write("model/model.safetensors", bytes);
  EXPECT_EQ(dhyan({"inspect", path("model/model.safetensors"), "--verify"}).out,
            path("model/model.safetensors") + ": no checksum\n");
  EXPECT_EQ(dhyan({"translate", "-m", path("model")}, "एक\n").code, 0);
  EXPECT_EQ(dhyan({"quantize", path("model"), "-o", path("int8")}).code, 0);
}

TEST_F(FilesAndFolders, BehindLinksAreWrittenWithTheirPermissions) {
  make_small_model(path("small"), ContextKind::kAttention);
  write("private", "old");
  ASSERT_EQ(::chmod(path("private").c_str(), 0600), 0);
  fs::create_symlink("private", path("link"));
  write("input", "मैं\n");
  const Words words{"translate", "-m", path("small"), path("input"), "-o"};
  const auto to = [&](const std::string& name) {
    Words all = words;
    all.push_back(name);
    return dhyan(all);
  };
  ASSERT_EQ(to(path("link")).code, 0);
  EXPECT_TRUE(fs::is_symlink(path("link")));
  EXPECT_NE(read("private"), "old");
  struct stat status {};
  ASSERT_EQ(::stat(path("private").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0600u);
  const std::string translated = read("private");

  // As with a shell's >>: a file opened for appending, named by its descriptor.
  write("log", "before\n");
  const fs::file_status device = fs::symlink_status("/dev/stdout");
  std::string command = cat("exec '", kBinary, "'");
  for (const std::string& word : words) command += cat(" '", word, "'");
  EXPECT_EQ(shell(cat(command, " /dev/stdout >> '", path("log"), "'")).code, 0);
  EXPECT_EQ(read("log"), "before\n" + translated);
  EXPECT_EQ(fs::symlink_status("/dev/stdout").type(), device.type()) << "it is still there";
  EXPECT_EQ(to("/dev/stdout").out, translated);
  EXPECT_EQ(shell(cat(command, " /dev/fd/5 5> '", path("five"), "'")).code, 0);
  EXPECT_EQ(read("five"), translated);

  fs::create_symlink("loop", path("loop"));
  expect_failure(to(path("loop")), 3, "loop: cannot be written: its symbolic links form a loop");
  expect_failure(dhyan({"translate", "-m", path("loop")}), 3, "loop: ");
  expect_failure(dhyan({"train", "--resume", "-o", path("loop")}), 3,
                 "loop: cannot be used: Too many levels of symbolic links\n");
}

TEST_F(FilesAndFolders, WithWeightsThatChangeDuringUseAreAnError) {
  make_small_model(path("small"), ContextKind::kAttention);
  const std::string weights = path("small/model.safetensors"), whole = read("small/model.safetensors");
  const std::string line = "तुम खाना पी रहा\n", expected = dhyan({"translate", "-m", path("small")}, line).out;
  ASSERT_GT(expected.size(), 1u);
  const auto spoiled_by = [&](const auto& spoil) {
    write("small/model.safetensors", whole);
    const auto before = fs::last_write_time(weights);
    fs::last_write_time(weights, before - std::chrono::hours(1));
    Conversation conversation({kBinary, "translate", "-m", path("small")});
    conversation.say(line);
    EXPECT_EQ(conversation.hear_line() + "\n", expected);
    spoil();
    conversation.say(line);
    EXPECT_EQ(conversation.hear_line(), "") << "nothing that cannot be relied on";
    EXPECT_EQ(conversation.exit_code(), 3);
    return conversation.error();
  };
  EXPECT_TRUE(has(spoiled_by([&] { fs::resize_file(weights, 0); }), weights + ": was changed while it was in use: "));
  EXPECT_TRUE(has(spoiled_by([&] { write("small/model.safetensors", std::string(whole.size(), '\0')); }),
                  weights + ": was written to while it was in use; to replace a file that is in use, rename"));
}

TEST_F(FilesAndFolders, WithWeightsMayBeRenamedOrRemovedDuringUse) {
  make_small_model(path("small"), ContextKind::kAttention);
  const std::string line = "तुम खाना\n";
  const std::string expected = dhyan({"translate", "-m", path("small")}, line).out;
  Conversation conversation({kBinary, "translate", "-m", path("small")});
  conversation.say("मैं\n");
  conversation.hear_line();
  write_file(path("small/model.safetensors"), "another file");
  conversation.say(line);
  EXPECT_EQ(conversation.hear_line() + "\n", expected);
  fs::remove_all(path("small"));
  conversation.say(line);
  EXPECT_EQ(conversation.hear_line() + "\n", expected);
  EXPECT_EQ(conversation.end(), 0);
}

TEST_F(FilesAndFolders, AreLockedByOneWriterAtATime) {
  train("other");
  const int silent = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
  const pid_t first = start(training("model", {"--max-steps", "0", "--max-epochs", "0", "--save-steps", "1"}),
                            {.out = silent, .error = silent});
  ::close(silent);
  for (int tries = 0; tries < 4000 && !fs::exists(path("model/training/state.safetensors")); ++tries) ::usleep(2000);
  const std::string held = cat("model: another dhyan is writing to this folder: process ", first, " on ");
  for (const Words& words :
       {training("model"), training("model", {"--overwrite"}), Words{kBinary, "train", "--resume", "-o", path("model")},
        Words{kBinary, "quantize", path("other"), "-o", path("model"), "--overwrite"}}) {
    expect_failure(run(words), 3, held);
  }
  EXPECT_EQ(dhyan({"translate", "-m", path("model")}, "एक\n").code, 0) << "reading is allowed";
  ::kill(first, SIGKILL);
  EXPECT_EQ(exit_code_of(first), 1000 + SIGKILL);
  EXPECT_TRUE(fs::exists(path("model/.dhyan.lock"))) << "the lock of a process that is gone";
  const Finished resumed = dhyan({"train", "--resume", "--max-epochs", "1", "--threads", "1", "-o", path("model")});
  EXPECT_EQ(resumed.code, 0) << resumed.error;
  EXPECT_FALSE(fs::exists(path("model/.dhyan.lock")));
}

}  // namespace
}  // namespace dhyan
