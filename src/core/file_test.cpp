#include "core/file.h"

#include <algorithm>
#include <csignal>
#include <fcntl.h>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

#include "core/error.h"
#include "core/temporary_folder.h"
#include "core/thrown.h"

namespace dhyan {
namespace {

namespace fs = std::filesystem;

class FileTest : public FolderTest {
 protected:
  fs::path path() const { return folder_ / "weights"; }
  std::string content() const { return read("weights"); }
  void put(const std::string& text) const { write("weights", text); }
  std::size_t files() const { return temporary_.files(); }
};
using AtomicFileTest = FileTest;
using MappedFileTest = FileTest;

// No file of this process may grow beyond `bytes` while it lives: a full disk, for whoever is root as well.
class FullDisk {
 public:
  explicit FullDisk(rlim_t bytes) {
    getrlimit(RLIMIT_FSIZE, &before_);
    previous_ = std::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{bytes, before_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~FullDisk() {
    setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, previous_);
  }
  FullDisk(const FullDisk&) = delete;
  FullDisk& operator=(const FullDisk&) = delete;

 private:
  rlimit before_{};
  void (*previous_)(int) = nullptr;
};

TEST_F(AtomicFileTest, AppearsUnderItsNameOnlyOnCommit) {
  AtomicFile file(path());
  file.write("one ");
  file.write("two");
  EXPECT_FALSE(fs::exists(path()));
  file.commit();
  EXPECT_EQ(content(), "one two");
  EXPECT_EQ(files(), 1);
}

TEST_F(AtomicFileTest, ReplacesAnOlderFileWhole) {
  put("an older and longer content");
  AtomicFile file(path());
  file.write("new");
  EXPECT_EQ(content(), "an older and longer content");
  file.commit();
  EXPECT_EQ(content(), "new");
}

TEST_F(AtomicFileTest, LeavesNothingBehindWithoutCommit) {
  put("old");
  {
    AtomicFile file(path());
    file.write("half of a");
  }
  EXPECT_EQ(content(), "old");
  EXPECT_EQ(files(), 1);
}

TEST_F(AtomicFileTest, OnAFullDiskSaysSoAndKeepsTheOldFile) {
  put("old");
  const std::string message = thrown<IoError>([&] {
    const FullDisk disk(1000);
    AtomicFile file(path());
    file.write(std::string(5000, 'x'));
    file.commit();
  });
  EXPECT_EQ(message, path().string() + ": cannot write: File too large");
  EXPECT_EQ(content(), "old");
  EXPECT_EQ(files(), 1);
}

// Replaced by a file, a pipe would have its reader wait for ever, and /dev/null would be gone for everybody.
TEST_F(AtomicFileTest, WritesToAPipeAsItIs) {
  ASSERT_EQ(mkfifo(path().c_str(), 0600), 0);
  const int reader = ::open(path().c_str(), O_RDONLY | O_NONBLOCK);
  ASSERT_GE(reader, 0);
  AtomicFile file(path());
  file.write("text");
  file.commit();
  char text[5] = {};
  EXPECT_EQ(::read(reader, text, 4), 4);
  ::close(reader);
  EXPECT_STREQ(text, "text");
  EXPECT_TRUE(fs::is_fifo(path()));
  EXPECT_EQ(files(), 1);
}

TEST_F(AtomicFileTest, FailsWithTheErrorOfWritingNotOfReading) {
  EXPECT_THROW(AtomicFile(folder_ / "no-such-folder" / "weights"), WriteError);
  fs::create_directory(path());
  EXPECT_THROW(AtomicFile(path()).commit(), WriteError);
}

TEST_F(AtomicFileTest, PassesOverATemporaryNameThatIsTaken) {
  AtomicFile first(path()), second(path());
  first.write("first");
  second.write("second");
  second.commit();
  EXPECT_EQ(content(), "second");
  first.commit();
  EXPECT_EQ(content(), "first");
  EXPECT_EQ(files(), 1);
}

TEST_F(AtomicFileTest, MayBeEmpty) {
  AtomicFile(path()).commit();
  EXPECT_TRUE(fs::exists(path()));
  EXPECT_EQ(content(), "");
}

TEST_F(AtomicFileTest, InAFolderThatDoesNotExistIsAnIoErrorThatNamesIt) {
  const fs::path missing = folder_ / "no-such-folder" / "weights";
  EXPECT_EQ(thrown<IoError>([&] { AtomicFile file(missing); }),
            missing.string() + ": cannot create a temporary file beside it: No such file or directory");
}

TEST_F(AtomicFileTest, CannotTakeTheNameOfAFolder) {
  fs::create_directory(path());
  EXPECT_EQ(thrown<IoError>([&] { AtomicFile(path()).commit(); }),
            path().string() + ": cannot rename the temporary file to it: Is a directory");
  EXPECT_EQ(files(), 1);
}

TEST_F(AtomicFileTest, IsDoneAfterCommit) {
  AtomicFile file(path());
  file.commit();
  EXPECT_THROW(file.write("more"), UsageError);
  EXPECT_THROW(file.commit(), UsageError);
}

TEST_F(MappedFileTest, ShowsTheBytesOfTheFile) {
  put("bytes\n");
  const MappedFile file(path());
  const std::string_view text(reinterpret_cast<const char*>(file.bytes().data()), file.bytes().size());
  EXPECT_EQ(text, "bytes\n");
}

TEST_F(MappedFileTest, ShowsThemAgainAfterTheyWereLetGo) {
  const std::string bytes(100'000, 'x');
  put(bytes);
  MappedFile file(path(), MappedFile::Access::kWriteToACopy);
  const_cast<std::byte&>(file.bytes()[50'000]) = std::byte{'y'};
  const auto text = [&] {
    return std::string_view(reinterpret_cast<const char*>(file.bytes().data()), file.bytes().size());
  };
  EXPECT_NE(text(), bytes);
  file.let_go(file.bytes().subspan(1, 90'000));
  EXPECT_EQ(text(), bytes) << "the page is the file's again";
  file.let_go(file.bytes().subspan(1, 10));
  file.let_go({});
  EXPECT_EQ(text(), bytes);
}

TEST_F(MappedFileTest, OfAnEmptyFileHasNoBytes) {
  put("");
  EXPECT_TRUE(MappedFile(path()).bytes().empty());
}

TEST_F(MappedFileTest, MovesItsMapping) {
  put("abc");
  MappedFile file(path());
  MappedFile moved(std::move(file));
  EXPECT_EQ(moved.bytes().size(), 3u);
  put("");
  moved = MappedFile(path());
  EXPECT_TRUE(moved.bytes().empty());
}

TEST_F(MappedFileTest, NamesAFileThatIsMissing) {
  EXPECT_EQ(thrown<IoError>([&] { MappedFile file(path()); }),
            path().string() + ": cannot open: No such file or directory");
}

TEST_F(MappedFileTest, RefusesFoldersAndPipesWithoutWaitingForAWriter) {
  EXPECT_EQ(thrown<IoError>([&] { MappedFile file(folder_); }), folder_.string() + ": not a regular file");
  ASSERT_EQ(mkfifo(path().c_str(), 0600), 0);
  EXPECT_EQ(thrown<IoError>([&] { MappedFile file(path()); }), path().string() + ": not a regular file");
}

TEST_F(AtomicFileTest, OfAProcessThatIsGoneIsRemoved) {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(0);
  ::waitpid(child, nullptr, 0);
  write(cat("a.tmp-", child, "-0"), "torn");
  write(cat("a.tmp-", ::getpid(), "-0"), "being written");
  write("a.tmp-none", "not ours");
  write(cat("a.tmp-", child), "nor is this");
  remove_leftovers(folder_);
  EXPECT_EQ(temporary_.files(), 3u);
  EXPECT_EQ(read("a.tmp-none"), "not ours");
}

}  // namespace
}  // namespace dhyan
