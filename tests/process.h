#pragma once

#include <gtest/gtest.h>
#include <map>
#include <string>
#include <string_view>
#include <sys/types.h>
#include <vector>

namespace dhyan {

// Descriptors for the standard streams of a child; -1: a new pipe.
struct Streams {
  int in = -1;
  int out = -1;
  int error = -1;
};

// Starts a program; the environment is this process's with `changes` (an empty value removes a variable).
pid_t start(const std::vector<std::string>& command, const Streams& streams,
            const std::map<std::string, std::string>& changes = {});

// The exit code 0..255, or 1000 + the signal that ended the process. After 20 seconds it fails the test and kills the
// process.
int exit_code_of(pid_t child);

struct Finished {
  int code;
  std::string out;
  std::string error;
};

// Runs a program to its end; its standard input is a file with `input`.
Finished run(const std::vector<std::string>& command, const std::map<std::string, std::string>& changes = {},
             std::string_view input = {});

testing::AssertionResult has(const std::string& text, const std::string& part);

// Everything that can be read until the other side closes.
std::string read_all(int descriptor);

}  // namespace dhyan
