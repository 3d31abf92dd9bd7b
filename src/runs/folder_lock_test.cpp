#include "runs/folder_lock.h"

#include <cerrno>
#include <csignal>
#include <gtest/gtest.h>
#include <regex>
#include <sys/wait.h>
#include <unistd.h>

#include "core/error.h"
#include "core/testing/temporary_folder.h"
#include "core/testing/thrown.h"

namespace dhyan {
namespace {

namespace fs = std::filesystem;

using FolderLocks = FolderTest;

TEST_F(FolderLocks, NameTheirHolder) {
  const FolderLock lock(folder_);
  EXPECT_EQ(lock.warning(), "");
  const std::string message = thrown<IoError>([&] { const FolderLock second(folder_); });
  const std::regex expected(folder_.string() + ": another dhyan is writing to this folder: process " +
                            std::to_string(::getpid()) +
                            " on [^ ]+ since [0-9]{4}-[0-9]{2}-[0-9]{2} [0-9:]{8} UTC; wait for its end, stop it, or"
                            " name another folder with -o");
  EXPECT_TRUE(std::regex_match(message, expected)) << message;
}

TEST_F(FolderLocks, RemoveTheirFileAndEmptyFolders) {
  { const FolderLock lock(folder_); }
  EXPECT_EQ(temporary_.files(), 0u);
  { const FolderLock again(folder_ / "a" / "b"); }
  EXPECT_FALSE(fs::exists(folder_ / "a"));
  {
    const FolderLock again(folder_ / "a" / "b");
    write("a/b/model", "kept");
  }
  EXPECT_EQ(read("a/b/model"), "kept");
}

TEST_F(FolderLocks, AreReleasedWhenTheProcessEndsForAnyReason) {
  int ready[2];
  ASSERT_EQ(::pipe(ready), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    const FolderLock lock(folder_);
    (void)!::write(ready[1], "x", 1);
    ::pause();
    ::_exit(0);
  }
  char byte = 0;
  ASSERT_EQ(::read(ready[0], &byte, 1), 1);
  EXPECT_THROW(FolderLock lock(folder_), IoError);
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
  EXPECT_TRUE(fs::exists(folder_ / ".dhyan.lock")) << "its file is left, and stale";
  EXPECT_NO_THROW(FolderLock lock(folder_));
  EXPECT_FALSE(fs::exists(folder_ / ".dhyan.lock"));
  ::close(ready[0]);
  ::close(ready[1]);
}

TEST_F(FolderLocks, ReturnANoteIfTheFileSystemHasNoLocks) {
  const FolderLock lock(folder_, [](int, int) {
    errno = ENOLCK;
    return -1;
  });
  EXPECT_EQ(lock.warning(), folder_.string() +
                                ": cannot be locked (No locks available); make sure that no other process writes to"
                                " it");
}

TEST_F(FolderLocks, ThrowInAReadOnlyFolder) {
  write("file", "");
  EXPECT_THROW(FolderLock lock(folder_ / "file"), IoError);
}

TEST_F(FolderLocks, RemoveEscapeSequencesFromTheNameOfTheHolder) {
  const FolderLock lock(folder_);
  write(".dhyan.lock", "\x1b[2Jevil\nmore");
  const std::string message = thrown<IoError>([&] { const FolderLock second(folder_); });
  EXPECT_NE(message.find("folder: ?[2Jevil; wait"), std::string::npos) << message;
}

}  // namespace
}  // namespace dhyan
