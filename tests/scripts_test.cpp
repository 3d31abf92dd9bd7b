// script/ as a shell sees it.

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>

#include "core/testing/temporary_folder.h"
#include "process.h"
#include "source_tree.h"

namespace dhyan {
namespace {

namespace fs = std::filesystem;

std::string script(const char* name) { return (source_folder() / "script" / name).string(); }

TEST(Scripts, PrintHelpAndRefuseUnknownArguments) {
  for (const fs::directory_entry& entry : fs::directory_iterator(source_folder() / "script")) {
    if (!entry.is_regular_file()) continue;
    const Finished help = run({entry.path(), "--help"});
    EXPECT_EQ(help.code, 0) << entry.path();
    EXPECT_TRUE(help.out.starts_with("usage: script/" + entry.path().filename().string())) << help.out;
    const Finished wrong = run({entry.path(), "--no-such-option"});
    EXPECT_EQ(wrong.code, 2) << entry.path();
    EXPECT_TRUE(wrong.error.starts_with("usage: ")) << wrong.error;
  }
}

// A machine without network on which `missing` is not installed. Its cmake does nothing but note how it was called, and
// fails when it is told to build.
class OfflineMachine {
 public:
  explicit OfflineMachine(const std::string& missing) {
    tool("dpkg-query", "for last; do :; done\n[ \"$last\" = " + missing + " ] && exit 1\nprintf installed");
    tool("apt-get", "echo \"$1\" >> " + (folder_ / "asked").string() + "\nexit 100");
    tool("sudo", "exec \"$@\"");
    tool("cmake", "echo \"$*\" >> " + (folder_ / "cmake_calls").string() + "\n[ \"$1\" = --build ] && exit 99\nexit 0");
  }

  std::string path() const { return folder_.string() + ":" + std::getenv("PATH"); }
  bool was_asked_to_install() const { return fs::exists(folder_ / "asked"); }
  std::string cmake_calls() const {
    return fs::exists(folder_ / "cmake_calls") ? text_of(folder_ / "cmake_calls") : "";
  }

 private:
  void tool(const char* name, const std::string& body) const {
    std::ofstream(folder_ / name) << "#!/bin/sh\n" << body << '\n';
    fs::permissions(folder_ / name, fs::perms::owner_all);
  }

  TemporaryFolder temporary_;
  fs::path folder_ = temporary_.path();
};

TEST(Scripts, SetupNamesThePackagesItCannotInstall) {
  const OfflineMachine machine("libhwy-dev");
  const Finished finished = run({script("setup")}, {{"PATH", machine.path()}});
  EXPECT_EQ(finished.code, 1);
  EXPECT_TRUE(finished.error.ends_with(
      "script/setup: these Debian packages are missing and could not be installed: libhwy-dev\n"))
      << finished.error;
  EXPECT_TRUE(machine.was_asked_to_install());
  EXPECT_EQ(machine.cmake_calls(), "");
}

TEST(Scripts, SetupInstallsNothingIfNothingIsMissing) {
  const OfflineMachine machine("no-such-package");
  const Finished finished = run({script("setup")}, {{"PATH", machine.path()}});
  EXPECT_EQ(finished.code, 99) << "on to cmake";
  EXPECT_FALSE(machine.was_asked_to_install());
}

TEST(Scripts, DemoBuildsTheBinaryAloneAndNeedsNothingThatOnlyTestsNeed) {
  for (const char* package : {"libgtest-dev", "clang-16", "clang-format"}) {
    const OfflineMachine machine(package);
    const Finished finished = run({script("demo")}, {{"PATH", machine.path()}});
    EXPECT_EQ(finished.code, 99) << "on to cmake";
    EXPECT_FALSE(machine.was_asked_to_install()) << package;
    EXPECT_EQ(machine.cmake_calls(), "--preset release\n--build --preset release --target dhyan\n");
  }
}

TEST(Scripts, TestFailsWithoutGoogleTest) {
  const OfflineMachine machine("libgtest-dev");
  const Finished finished = run({script("test")}, {{"PATH", machine.path()}});
  EXPECT_EQ(finished.code, 1);
  EXPECT_NE(finished.error.find("could not be installed: libgtest-dev"), std::string::npos) << finished.error;
}

TEST(Scripts, DemoAndTestFailWhenSetupDoes) {
  const OfflineMachine machine("libhwy-dev");
  for (const fs::path& command :
       {source_folder() / "script/demo", source_folder() / "script/test", source_folder() / ".ci/run"}) {
    const Finished finished = run({command.string()}, {{"PATH", machine.path()}});
    EXPECT_EQ(finished.code, 1) << command;
    EXPECT_NE(finished.error.find("could not be installed: libhwy-dev"), std::string::npos) << finished.error;
  }
}

}  // namespace
}  // namespace dhyan
