#pragma once

#include <string_view>

#include "core/real.h"

namespace dhyan::cli {

// Thrown if the reader of the results has closed the pipe; main() exits without a message.
struct ReaderGone {};

// Standard output. Throws WriteError if it cannot write, ReaderGone for a closed pipe, Interrupted for a signal while
// it waits for the reader.
class Output {
 public:
  static constexpr int kNowhere = -1;  // a descriptor for what nobody is to read

  explicit Output(int descriptor) : descriptor_(descriptor) {}

  void write(std::string_view text);

  bool is_nowhere() const { return descriptor_ == kNowhere; }

  // True on a terminal with colours, unless the user disabled them (no-color.org).
  bool colour() const;

  bool is_terminal() const;
  Index width() const;  // of the terminal, in cells; 0 if unknown or not a terminal

 private:
  int descriptor_;
};

}  // namespace dhyan::cli
