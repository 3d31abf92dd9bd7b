// `dhyan lab` as a shell sees it.

#include <chrono>
#include <csignal>
#include <fcntl.h>
#include <filesystem>
#include <gtest/gtest.h>
#include <thread>
#include <unistd.h>

#include "binary.h"
#include "core/testing/temporary_folder.h"
#include "lab/experiment.h"
#include "process.h"

namespace dhyan {
namespace {

Finished lab_command(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), {kBinary, "lab"});
  return run(arguments);
}

TEST(LabCommand, ListsEveryExperimentWithClaimPaperDataAndMinutes) {
  const Finished list = lab_command({});
  EXPECT_EQ(list.code, 0) << list.error;
  for (const lab::Experiment& one : lab::experiments()) {
    for (const std::string_view part : {one.name, one.claim, one.paper, one.data}) {
      EXPECT_TRUE(has(list.out, std::string(part))) << one.name;
    }
  }
  EXPECT_TRUE(has(list.out, "minutes: about "));
}

TEST(LabCommand, RefusesWhatItDoesNotKnow) {
  const TemporaryFolder folder;
  const Finished name = lab_command({"run", "gradent", "-o", folder.path("lab")});
  EXPECT_EQ(name.code, 2);
  EXPECT_TRUE(has(name.error, "there is no experiment 'gradent'; did you mean 'gradients'?"));
  const Finished flag = lab_command({"run", "gradients", "--sedes", "3"});
  EXPECT_EQ(flag.code, 2);
  EXPECT_TRUE(has(flag.error, "--seeds"));
  const Finished preset = lab_command({"run", "scores", "--model", "rnsearch", "-o", folder.path("lab")});
  EXPECT_EQ(preset.code, 2);
  EXPECT_TRUE(has(preset.error, "rnnsearch"));
  const Finished test = lab_command({"run", "length", "--data", "a.hi", "a.en", "-o", folder.path("lab")});
  EXPECT_EQ(test.code, 2);
  EXPECT_TRUE(has(test.error, "--data needs --test"));
  EXPECT_FALSE(std::filesystem::exists(folder.path("lab/gradients")));
}

TEST(LabCommand, NamesMissingAndEmptyFiles) {
  const TemporaryFolder folder;
  folder.write("empty.tsv", "");
  for (const char* file : {"none.tsv", "empty.tsv"}) {
    const Finished finished = lab_command({"run", "scores", "--data", folder.path(file), "--test", folder.path(file),
                                           "-o", folder.path("lab"), "--overwrite"});
    EXPECT_EQ(finished.code, 3) << file;
    EXPECT_TRUE(has(finished.error, file));
  }
}

TEST(LabCommand, AnInterruptedRunSaysHowToContinueAndKeepsItsState) {
  const TemporaryFolder folder;
  const std::string errors = folder.path("errors");
  const int silent = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
  const int file = ::open(errors.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  const pid_t child =
      start({kBinary, "lab", "run", "gradients", "-o", folder.path("lab"), "--seeds", "1", "--threads", "1"},
            {.out = silent, .error = file});
  ::close(silent);
  ::close(file);
  const std::filesystem::path measured = folder.path() / "lab/gradients/measured";
  const auto is_training = [&] { return std::filesystem::exists(measured / "lstm-attention-initial-seed-1.json"); };
  for (int tries = 0; tries < 2000 && !is_training(); ++tries)
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  ::kill(child, SIGINT);
  EXPECT_EQ(exit_code_of(child), 130);
  EXPECT_TRUE(has(folder.read("errors"), "The same command continues."));
  EXPECT_FALSE(std::filesystem::exists(folder.path("lab/gradients/result.json")));
}

TEST(LabCommand, ReportsAFolderOfResults) {
  const TemporaryFolder folder;
  EXPECT_EQ(lab_command({"report", folder.path("none")}).code, 3);
  EXPECT_EQ(lab_command({"report", folder.path().string()}).code, 3) << "without results";
  std::filesystem::create_directory(folder.path() / "gradients");
  folder.write(
      "gradients/result.json",
      R"({"experiment":"gradients","claim":"Gradients vanish","paper":"pascanu2013","data":"made up","command":"dhyan lab run gradients",
"seeds":"1","minutes":3,"machine":"2 threads","measured":"half-life 7","holds":false,"figures":[],"tables":[]})");
  const Finished finished = lab_command({"report", folder.path().string()});
  EXPECT_EQ(finished.code, 0) << finished.error;
  EXPECT_EQ(finished.out, folder.path("report.html") + "\n");
  EXPECT_TRUE(has(folder.read("report.html"), "The claim does not hold."));
  folder.write("gradients/result.json", "{}");
  const Finished bad = lab_command({"report", folder.path().string()});
  EXPECT_EQ(bad.code, 3);
  EXPECT_TRUE(has(bad.error, "result.json: 'experiment' is missing"));
}

}  // namespace
}  // namespace dhyan
