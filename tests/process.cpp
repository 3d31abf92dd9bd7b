#include "process.h"

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <stdexcept>
#include <sys/mman.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace dhyan {

testing::AssertionResult has(const std::string& text, const std::string& part) {
  if (text.find(part) != std::string::npos) return testing::AssertionSuccess();
  return testing::AssertionFailure() << "no '" << part << "' in:\n" << text;
}

std::string read_all(int descriptor) {
  std::string text;
  char buffer[4096];
  for (ssize_t n = 0; (n = ::read(descriptor, buffer, sizeof buffer)) > 0;) {
    text.append(buffer, static_cast<std::size_t>(n));
  }
  return text;
}

pid_t start(const std::vector<std::string>& command, const Streams& streams,
            const std::map<std::string, std::string>& changes) {
  std::vector<char*> arguments;
  for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  const pid_t child = ::fork();
  if (child != 0) return child;
  for (const auto& [name, value] : changes) {
    if (value.empty()) {
      ::unsetenv(name.c_str());
    } else {
      ::setenv(name.c_str(), value.c_str(), 1);
    }
  }
  ::dup2(streams.in >= 0 ? streams.in : ::open("/dev/null", O_RDONLY), 0);
  if (streams.out >= 0) ::dup2(streams.out, 1);
  if (streams.error >= 0) ::dup2(streams.error, 2);
  ::execv(arguments[0], arguments.data());
  ::_exit(127);
}

int exit_code_of(pid_t child) {
  for (int waited = 0; waited < 2000; ++waited) {
    int status = 0;
    if (::waitpid(child, &status, WNOHANG) == child) {
      return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  ADD_FAILURE() << "the program did not end";
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
  return -1;
}

Finished run(const std::vector<std::string>& command, const std::map<std::string, std::string>& changes,
             std::string_view input) {
  int out[2], error[2];
  if (::pipe2(out, O_CLOEXEC) != 0 || ::pipe2(error, O_CLOEXEC) != 0) throw std::runtime_error("pipe2");
  const int in = ::memfd_create("input", MFD_CLOEXEC);
  if (::write(in, input.data(), input.size()) != static_cast<ssize_t>(input.size())) throw std::runtime_error("write");
  ::lseek(in, 0, SEEK_SET);
  const pid_t child = start(command, {.in = in, .out = out[1], .error = error[1]}, changes);
  ::close(in);
  ::close(out[1]);
  ::close(error[1]);
  Finished finished;
  std::thread reader([&] { finished.error = read_all(error[0]); });
  finished.out = read_all(out[0]);
  reader.join();
  ::close(out[0]);
  ::close(error[0]);
  finished.code = exit_code_of(child);
  return finished;
}

}  // namespace dhyan
