#pragma once

#include <string_view>

#include "core/real.h"

namespace dhyan::cli {

// Thrown when whoever reads our results has gone away: nobody is left to be told.
struct ReaderGone {};

// Standard output. What cannot be written is an error, not a silent loss: WriteError, ReaderGone for a closed pipe,
// Interrupted for a signal that comes while the reader lets us wait.
class Output {
 public:
  explicit Output(int descriptor) : descriptor_(descriptor) {}

  void write(std::string_view text);

  // On a terminal that shows colours, unless the user asked for none (no-color.org).
  bool colour() const;

  bool is_terminal() const;
  Index width() const;  // of the terminal, in cells; 0 if it is none, or does not say

 private:
  int descriptor_;
};

}  // namespace dhyan::cli
