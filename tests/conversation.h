#pragma once

#include <csignal>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <string>
#include <string_view>
#include <sys/mman.h>
#include <unistd.h>
#include <utility>
#include <vector>

#include "process.h"

namespace dhyan {

// For tests: the binary at the other end of two pipes.
class Conversation {
 public:
  explicit Conversation(const std::vector<std::string>& command) {
    EXPECT_EQ(::pipe2(in_, O_CLOEXEC), 0);
    EXPECT_EQ(::pipe2(out_, O_CLOEXEC), 0);
    child_ = start(command, {.in = in_[0], .out = out_[1], .error = error_});
    ::close(in_[0]);
    ::close(out_[1]);
  }
  ~Conversation() {
    for (const int descriptor : {in_[1], out_[0], error_}) ::close(descriptor);
  }
  Conversation(const Conversation&) = delete;
  Conversation& operator=(const Conversation&) = delete;

  void say(std::string_view text) const {
    EXPECT_EQ(::write(in_[1], text.data(), text.size()), static_cast<ssize_t>(text.size()));
  }
  std::string hear_line() const {
    std::string line;
    for (char byte; ::read(out_[0], &byte, 1) == 1 && byte != '\n';) line += byte;
    return line;
  }
  void stop_listening() { ::close(std::exchange(out_[0], -1)); }
  void signal(int number) const { ::kill(child_, number); }
  int end() {
    ::close(std::exchange(in_[1], -1));
    return exit_code();
  }
  int exit_code() const { return exit_code_of(child_); }

  // Everything written to standard error; call it after the program has exited.
  std::string error() const {
    ::lseek(error_, 0, SEEK_SET);
    return read_all(error_);
  }

 private:
  int in_[2], out_[2];
  int error_ = ::memfd_create("error", MFD_CLOEXEC);
  pid_t child_;
};

}  // namespace dhyan
