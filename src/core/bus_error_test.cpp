#include "core/bus_error.h"

#include <algorithm>
#include <atomic>
#include <csignal>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

#include "core/error.h"
#include "core/file.h"
#include "core/testing/temporary_folder.h"
#include "core/testing/thrown.h"

namespace dhyan {
namespace {

namespace fs = std::filesystem;

// Runs f in a child process: its exit code, or 1000 + the signal that ended it.
template <class F>
int code_of_child(const F& f) {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(f());
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
}

class BusErrorTest : public FolderTest {
 protected:
  void SetUp() override {
    write("weights", std::string(100'000, 'x'));
    std::signal(SIGBUS, SIG_DFL);  // whatever a sanitizer does with it
  }
  fs::path path() const { return folder_ / "weights"; }
};

std::size_t zeros_in(std::span<const std::byte> bytes) {
  return static_cast<std::size_t>(std::ranges::count(bytes, std::byte{0}));
}

TEST_F(BusErrorTest, BecomesAnErrorThatNamesTheTruncatedFile) {
  const int code = code_of_child([&] {
    catch_bus_errors();
    const MappedFile file(path());
    fs::resize_file(path(), 10);
    const bool all_zeros = zeros_in(file.bytes().subspan(10)) == 99'990;
    const std::string message = thrown<IoError>([&] { file.expect_unchanged(); });
    return all_zeros && message.find("weights: was changed") != std::string::npos ? 0 : 1;
  });
  EXPECT_EQ(code, 0);
}

TEST_F(BusErrorTest, IsCaughtOnEveryThreadAtOnce) {
  const int code = code_of_child([&] {
    catch_bus_errors();
    const MappedFile file(path());
    fs::resize_file(path(), 0);
    std::atomic<int> seen = 0;
    {
      std::vector<std::jthread> threads;
      for (int i = 0; i < 8; ++i) threads.emplace_back([&] { seen += zeros_in(file.bytes()) == 100'000 ? 1 : 0; });
    }
    return seen == 8 ? 0 : 1;
  });
  EXPECT_EQ(code, 0);
}

// A failing disk raises the same signal without changing the file's size.
TEST_F(BusErrorTest, IsRememberedByTheRange) {
  const int code = code_of_child([&] {
    catch_bus_errors();
    const MappedFile file(path());
    const fs::file_time_type time = fs::last_write_time(path());
    fs::resize_file(path(), 10);
    const std::size_t zeros = zeros_in(file.bytes());
    fs::resize_file(path(), 100'000);
    fs::last_write_time(path(), time);
    const std::string message = thrown<IoError>([&] { file.expect_unchanged(); });
    const bool told = message == path().string() + ": a part of it could not be read from the disk";
    const MappedFile again(path());
    again.expect_unchanged();  // another range, which has not failed
    return zeros > 0 && told ? 0 : 1;
  });
  EXPECT_EQ(code, 0);
}

TEST_F(BusErrorTest, InOtherMemoryEndsTheProcess) {
  const int code = code_of_child([&] {
    catch_bus_errors();
    const MappedFile watched(path());
    write("other", std::string(5000, 'y'));
    const int descriptor = ::open((folder_ / "other").c_str(), O_RDONLY);
    const auto* bytes = static_cast<const char*>(::mmap(nullptr, 5000, PROT_READ, MAP_PRIVATE, descriptor, 0));
    fs::resize_file(folder_ / "other", 0);
    return *static_cast<const volatile char*>(bytes) == 0 ? 0 : 1;
  });
  EXPECT_EQ(code, 1000 + SIGBUS);
}

TEST_F(BusErrorTest, SentByAProcessEndsTheProcess) {
  EXPECT_EQ(code_of_child([] {
              catch_bus_errors();
              ::kill(::getpid(), SIGBUS);
              return 0;
            }),
            1000 + SIGBUS);
}

TEST_F(BusErrorTest, GoesToTheEarlierHandler) {
  EXPECT_EQ(code_of_child([] {
              std::signal(SIGBUS, [](int) { ::_exit(7); });
              catch_bus_errors();
              ::raise(SIGBUS);
              return 0;
            }),
            7);
}

}  // namespace
}  // namespace dhyan
