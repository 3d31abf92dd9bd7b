#include "core/file.h"

#include <algorithm>
#include <chrono>
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
#include "core/testing/temporary_folder.h"
#include "core/testing/thrown.h"

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

// Limits the size of the process's files while it lives: simulates a full disk, for root as well.
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

// If it were replaced by a file, a pipe's reader would wait for ever, and /dev/null would be gone for everybody.
TEST_F(AtomicFileTest, WritesToAPipeInPlace) {
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

mode_t mode_of(const fs::path& path) {
  struct stat status {};
  EXPECT_EQ(::stat(path.c_str(), &status), 0);
  return status.st_mode & 0777;
}

TEST_F(AtomicFileTest, KeepsThePermissionsOfTheFileItReplaces) {
  for (const mode_t mode : {0600, 0640, 0666, 0444}) {
    put("old");
    ASSERT_EQ(::chmod(path().c_str(), mode), 0);
    write_file(path(), "new");
    EXPECT_EQ(content(), "new");
    EXPECT_EQ(mode_of(path()), mode);
    fs::remove(path());
  }
}

TEST_F(AtomicFileTest, IsPrivateFromItsFirstByteIfItReplacesAPrivateFile) {
  put("old");
  ASSERT_EQ(::chmod(path().c_str(), 0600), 0);
  AtomicFile file(path());
  for (const fs::directory_entry& entry : fs::directory_iterator(folder_)) EXPECT_EQ(mode_of(entry.path()), 0600u);
}

TEST_F(AtomicFileTest, HasTheUsualPermissionsIfItIsNew) {
  const mode_t mask = ::umask(022);
  write_file(path(), "new");
  ::umask(mask);
  EXPECT_EQ(mode_of(path()), 0644u);
}

TEST_F(AtomicFileTest, KeepsTheOwnerIfItMay) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root may give files away";
  put("old");
  ASSERT_EQ(::chown(path().c_str(), 12345, 54321), 0);
  write_file(path(), "new");
  struct stat status {};
  ASSERT_EQ(::stat(path().c_str(), &status), 0);
  EXPECT_EQ(status.st_uid, 12345u);
  EXPECT_EQ(status.st_gid, 54321u);
}

TEST_F(AtomicFileTest, ReplacesTheTargetOfASymbolicLink) {
  fs::create_directory(folder_ / "far");
  write("far/target", "old");
  ASSERT_EQ(::chmod((folder_ / "far/target").c_str(), 0600), 0);
  fs::create_symlink("far/target", folder_ / "middle");
  fs::create_symlink(folder_ / "middle", path());
  write_file(path(), "new");
  EXPECT_TRUE(fs::is_symlink(path()));
  EXPECT_TRUE(fs::is_symlink(folder_ / "middle"));
  EXPECT_EQ(read("far/target"), "new");
  EXPECT_EQ(mode_of(folder_ / "far/target"), 0600u);
  EXPECT_FALSE(fs::is_symlink(folder_ / "far/target"));
}

TEST_F(AtomicFileTest, CreatesTheTargetOfADanglingLink) {
  fs::create_symlink("later", path());
  write_file(path(), "new");
  EXPECT_TRUE(fs::is_symlink(path()));
  EXPECT_EQ(read("later"), "new");
}

TEST_F(AtomicFileTest, RefusesALoopOfLinks) {
  fs::create_symlink("weights", folder_ / "other");
  fs::create_symlink("other", path());
  EXPECT_EQ(thrown<IoError>([&] { AtomicFile file(path()); }),
            path().string() + ": cannot be written: its symbolic links form a loop");
  EXPECT_EQ(thrown<IoError>([] { AtomicFile file(""); }), "the name of the file to write is empty");
}

// A name like /dev/stdout, which resolves to a descriptor of this process.
TEST_F(AtomicFileTest, WritesToAnOpenDescriptorInPlaceAndAtItsPosition) {
  put("before ");
  const int opened = ::open(path().c_str(), O_WRONLY | O_APPEND | O_CLOEXEC);
  ASSERT_GE(opened, 0);
  struct stat before {};
  ASSERT_EQ(::fstat(opened, &before), 0);
  const fs::path link = folder_ / "out";
  fs::create_symlink(cat("/proc/self/fd/", opened), link);
  std::string expected = "before ";
  for (const fs::path& name : {fs::path(cat("/proc/self/fd/", opened)), fs::path(cat("/dev/fd/", opened)),
                               fs::path(cat("/proc/", ::getpid(), "/fd/", opened)), link}) {
    write_file(name, "more ");
    EXPECT_EQ(content(), expected += "more ") << name;
  }
  struct stat after {};
  ASSERT_EQ(::stat(path().c_str(), &after), 0);
  EXPECT_EQ(after.st_ino, before.st_ino) << "it was not replaced";
  EXPECT_TRUE(fs::is_symlink(link));
  ::close(opened);
  EXPECT_EQ(thrown<WriteError>([&] { AtomicFile file(link); }), link.string() + ": cannot open: Bad file descriptor");
}

TEST_F(AtomicFileTest, WritesToADeviceThroughALink) {
  fs::create_symlink("/dev/null", path());
  write_file(path(), "gone");
  EXPECT_TRUE(fs::is_symlink(path()));
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
}

TEST_F(AtomicFileTest, FailsWithAWriteError) {
  EXPECT_THROW(AtomicFile(folder_ / "no-such-folder" / "weights"), WriteError);
  AtomicFile file(path());
  fs::create_directory(path());
  EXPECT_THROW(file.commit(), WriteError);
}

TEST_F(AtomicFileTest, SkipsATemporaryNameThatIsTaken) {
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

TEST_F(AtomicFileTest, NamesTheFolderThatDoesNotExist) {
  const fs::path missing = folder_ / "no-such-folder" / "weights";
  EXPECT_EQ(thrown<IoError>([&] { AtomicFile file(missing); }),
            cat(missing.string(), ": there is no folder '", missing.parent_path().string(), "'"));
}

// At construction, before the caller computes what could not be written.
TEST_F(AtomicFileTest, RefusesTheNameOfAFolder) {
  fs::create_directory(path());
  EXPECT_EQ(thrown<IoError>([&] { AtomicFile file(path()); }),
            path().string() + ": is a folder; expected the name of a file");
  EXPECT_EQ(files(), 1);
}

TEST_F(AtomicFileTest, RefusesUseAfterCommit) {
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

TEST_F(MappedFileTest, ReadsReleasedPagesFromTheFileAgain) {
  const std::string bytes(100'000, 'x');
  put(bytes);
  MappedFile file(path(), MappedFile::Access::kCopyOnWrite);
  const_cast<std::byte&>(file.bytes()[50'000]) = std::byte{'y'};
  const auto text = [&] {
    return std::string_view(reinterpret_cast<const char*>(file.bytes().data()), file.bytes().size());
  };
  EXPECT_NE(text(), bytes);
  file.release_pages(file.bytes().subspan(1, 90'000));
  EXPECT_EQ(text(), bytes) << "the page is the file's again";
  file.release_pages(file.bytes().subspan(1, 10));
  file.release_pages({});
  EXPECT_EQ(text(), bytes);
}

TEST_F(MappedFileTest, HasNoBytesForAnEmptyFile) {
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

// Sets the modification time, which is as coarse as the kernel's clock.
void touch(const fs::path& path) { fs::last_write_time(path, fs::last_write_time(path) + std::chrono::seconds(1)); }

TEST_F(MappedFileTest, IsUnchangedIfItWasOnlyReadReplacedOrRemoved) {
  put("old");
  const MappedFile file(path());
  EXPECT_NO_THROW(file.expect_unchanged());
  write_file(path(), "new and longer");
  EXPECT_NO_THROW(file.expect_unchanged());
  fs::remove(path());
  EXPECT_NO_THROW(file.expect_unchanged());
  EXPECT_EQ(file.bytes()[0], std::byte{'o'});
}

TEST_F(MappedFileTest, IsChangedIfItWasWrittenTo) {
  put("old");
  const MappedFile file(path());
  put("new");
  touch(path());
  EXPECT_EQ(thrown<IoError>([&] { file.expect_unchanged(); }),
            path().string() +
                ": was written to while it was in use; to replace a file that is in use, rename another one to its"
                " name (mv, not cp)");
  put("longer");
  EXPECT_TRUE(
      thrown<IoError>([&] {
        file.expect_unchanged();
      }).starts_with(path().string() + ": was changed while it was in use: it had 3 bytes and has 6 now; to replace"));
}

TEST_F(AtomicFileTest, LeftByADeadProcessIsRemoved) {
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
